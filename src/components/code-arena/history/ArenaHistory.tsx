import { Loaded } from '../../ui/Loaded.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useRef } from 'react'
import { usePageKeys } from '../../results/keys.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { ArenaHistoryRow, historyLayout } from './ArenaHistoryRow.tsx'
import { nameApart } from './name-apart.ts'
import { disambiguateTimes } from './disambiguate-times.ts'
import { useArenaRuns } from './use-arena-runs.ts'

/** All Code Arena runs, newest first. */
export function ArenaHistory() {
  const [query, changeQuery] = useAddress()
  const runs = useArenaRuns()
  const list = useRef<HTMLDivElement>(null)
  const search = query.get('search') ?? ''
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? []
  const searchText = search.trim().toLowerCase()
  const found =
    searchText === ''
      ? all
      : all.filter(({ prompt, models, runId }) =>
          [prompt, ...models, runId].some((text) => text.toLowerCase().includes(searchText)),
        )
  usePageKeys((key) => {
    if (key !== 'j' && key !== 'k') return false
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    links[Math.max(0, Math.min(links.length - 1, at + (key === 'j' ? 1 : -1)))]?.focus()
    return links.length > 0
  })
  const names = nameApart(found)
  const times = disambiguateTimes(found, ({ runId, models }) => [names.get(runId), ...models].join('\n'))
  return (
    <Loaded
      query={runs}
      what="the runs"
      isEmpty={() => all.length === 0}
      empty={
        <EmptyState
          title="No runs yet."
          action={
            <RunnersOnly>
              <Link to="/code-arena" className={buttonClass('primary')}>
                Start a run
              </Link>
            </RunnersOnly>
          }
        >
          Runs appear here as soon as they start.
        </EmptyState>
      }
    >
      {({ pages }) => (
        <div className="flex flex-col gap-3">
          <TextField
            type="search"
            label="Search runs"
            isLabelHidden
            placeholder="Search by prompt or model"
            className="max-w-sm"
            value={search}
            onChange={({ target }) => changeQuery({ search: target.value })}
          />
          {found.length === 0 && (
            <EmptyState
              title={`No loaded runs match “${search}”.`}
              action={<Button onClick={() => changeQuery({ search: '' })}>Clear search</Button>}
            />
          )}
          {found.length > 0 && (
            <Panel>
              <div ref={list} role="table" aria-label="Code Arena runs">
                <div role="row" className={`${historyLayout} border-b border-line text-xs text-muted max-lg:hidden`}>
                  <span role="columnheader">Prompt</span>
                  <span role="columnheader">Models and scores</span>
                  <span role="columnheader" className="text-right">
                    Votes
                  </span>
                  <span role="columnheader">State</span>
                  <span role="columnheader">When</span>
                  <span role="columnheader">
                    <span className="sr-only">More</span>
                  </span>
                </div>
                {found.map((run) => (
                  <ArenaHistoryRow
                    key={run.runId}
                    run={run}
                    name={names.get(run.runId)!}
                    time={times.get(run.runId)!}
                  />
                ))}
              </div>
            </Panel>
          )}
          <div className="flex items-center gap-3 text-muted">
            {formatCount(pages.at(-1)?.total ?? all.length, 'run')}
            {runs.hasNextPage && (
              <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                {runs.isFetchingNextPage ? 'Loading…' : 'Show older runs'}
              </Button>
            )}
          </div>
        </div>
      )}
    </Loaded>
  )
}
