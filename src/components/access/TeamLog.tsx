import { Loaded } from '../ui/Loaded.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { TextField } from '../ui/Field.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { Section, TablePanel } from '../ui/Page.tsx'

const PAGE = 50

/** Who did what, last first; entries are only ever added. */
export function TeamLog() {
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const log = useQuery({
    queryKey: ['team-log', search, offset],
    queryFn: () => readReply(api.team.log.$get({ query: { search, offset: String(offset), limit: String(PAGE) } })),
    placeholderData: keepPreviousData,
  })
  const { total = 0 } = log.data ?? {}
  return (
    <Section title="Log" aside={log.data && formatCount(total, 'entry', 'entries')}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Search the log"
          type="search"
          placeholder="A person, an action or a run"
          className="flex-1 basis-56"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setOffset(0)
          }}
        />
        <a
          className={buttonClass()}
          href={`${apiAddress('/team/log/csv')}?${new URLSearchParams({ search })}`}
          download="benchmaker-log.csv"
        >
          Export as CSV
        </a>
      </div>
      <Loaded
        query={log}
        what="the log"
        rows={4}
        isEmpty={(page) => page.entries.length === 0}
        empty={<p className="text-muted">Nothing found.</p>}
      >
        {({ entries }) => (
          <TablePanel label="Log">
            <table className="w-full text-left">
              <thead className="text-xs text-muted">
                <tr>
                  {['Time', 'Person', 'Action', 'What'].map((title) => (
                    <th key={title} className={classes('px-3 py-2 font-medium', title === 'Person' && 'max-sm:hidden')}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {entries.map(({ at, person, action, object, detail }, index) => (
                  <tr key={`${total - offset - index}`} className="border-t border-line align-top">
                    <td className="px-3 py-1.5 text-muted tabular-nums sm:whitespace-nowrap">
                      {formatLocalTime(at)}
                      <span className="block text-ink sm:hidden">{person?.name}</span>
                    </td>
                    <td className="px-3 py-1.5 max-sm:hidden">
                      {person?.name ?? <span className="text-muted">–</span>}
                    </td>
                    <td className="px-3 py-1.5">{action}</td>
                    <td className="px-3 py-1.5 break-all">{[object, detail].filter(Boolean).join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePanel>
        )}
      </Loaded>
      {total > PAGE && (
        <div className="flex items-center gap-2">
          <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
            Newer
          </Button>
          <Button disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
            Older
          </Button>
        </div>
      )}
    </Section>
  )
}
