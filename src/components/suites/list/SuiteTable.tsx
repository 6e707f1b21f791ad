import { resultsAddress } from '../../results/addresses.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useMay } from '../../access/session.ts'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx'
import { describeRunState, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem, MenuLine, MenuLink } from '../../ui/Menu.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { DeleteSuitesDialog } from './DeleteSuitesDialog.tsx'
import { exportAddress, exportFormats } from './export-formats.ts'

const suiteAddress = ({ id }: SuiteSummary) => `/suites/${encodeURIComponent(id)}`

/** Further rows are rendered only on request. */
const INITIAL_ROWS = 200

function useDuplicate() {
  const queries = useQueryClient()
  return useSingleMutation({
    mutationFn: async ({ id, name }: SuiteSummary) => {
      const { suite } = await readReply(api.suites[':id'].$get({ param: { id }, query: {} }))
      return readReply(api.suites.$post({ json: { suite: { ...suite, name: `${name} (copy)` } } }))
    },
    onSuccess: ({ suite }) => {
      void queries.invalidateQueries({ queryKey: ['suites'] })
      toast(`Created ${String(suite['name'])}.`)
    },
  })
}

function RowMenu({
  suite,
  onDuplicate,
  onDelete,
}: {
  suite: SuiteSummary
  onDuplicate: () => void
  onDelete: () => void
}) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${suite.name}`}>
          <Ellipsis size={18} aria-hidden />
        </IconButton>
      }
    >
      <RunnersOnly>
        <MenuItem onSelect={onDuplicate}>Duplicate</MenuItem>
      </RunnersOnly>
      <MenuItem onSelect={() => navigate(`${suiteAddress(suite)}/history`)}>History</MenuItem>
      <MenuItem onSelect={() => navigate(`${suiteAddress(suite)}/trend`)}>Trend</MenuItem>
      <MenuLine />
      {exportFormats.map(({ format, label }) => (
        <MenuLink key={format} href={exportAddress(suite.id, format)} download>
          Export as {label}
        </MenuLink>
      ))}
      <RunnersOnly>
        <MenuLine />
        <MenuItem isDanger onSelect={onDelete}>
          Delete
        </MenuItem>
      </RunnersOnly>
    </Menu>
  )
}

/** The most frequent methods; all of them in the title. */
function Methods({ methods }: { methods: Record<string, number> }) {
  const sorted = Object.entries(methods).sort(([, a], [, b]) => b - a)
  const all = sorted.map(([name, count]) => `${name} ${count}`).join(', ')
  return (
    <div className="truncate text-muted" title={all}>
      {sorted.map(([name]) => name).join(', ')}
    </div>
  )
}

const cell = 'px-3 py-1.5 align-top leading-6'

interface SuiteTableProps {
  suites: SuiteSummary[]
  /** The ids of the selected suites. */
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
}

/** One row per suite. In a narrow window the table scrolls in its own box, and the actions stay in view. */
export function SuiteTable({ suites, chosen, onChoose }: SuiteTableProps) {
  const [deleted, setDeleted] = useState<SuiteSummary>()
  const mayChange = useMay('runner')
  const [areAllShown, setAllShown] = useState(false)
  const duplicate = useDuplicate()
  return (
    <>
      <FailureNotice failure={duplicate.error} title="The suite was not duplicated" />
      <div
        className="relative overflow-x-auto rounded-lg border border-line bg-surface"
        tabIndex={0}
        role="region"
        aria-label="Suites"
      >
        <table className="w-full text-left">
          <thead className="border-b border-line text-xs text-muted">
            <tr className="*:font-medium">
              {mayChange && (
                <th scope="col" className="w-10">
                  <span className="sr-only">Select</span>
                </th>
              )}
              <th scope="col" className="px-3 py-2">
                Name
              </th>
              <th scope="col" className="px-3 py-2 text-right">
                Cases
              </th>
              <th scope="col" className="hidden px-3 py-2 lg:table-cell">
                Scoring methods
              </th>
              <th scope="col" className="hidden px-3 py-2 sm:table-cell">
                Last run
              </th>
              <th scope="col" className="hidden px-3 py-2 text-right lg:table-cell">
                Runs
              </th>
              <th scope="col" className="hidden px-3 py-2 lg:table-cell">
                Saved
              </th>
              <th scope="col" className="sticky right-0 w-10 bg-surface px-1">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {suites.slice(0, areAllShown ? undefined : INITIAL_ROWS).map((suite) => (
              <tr key={suite.id} className="border-b border-line last:border-0 hover:bg-hover">
                {mayChange && (
                  <td className="py-2.5 pl-3 align-top">
                    <input
                      type="checkbox"
                      className="block size-4 accent-(--accent)"
                      aria-label={`Select ${suite.name}`}
                      checked={chosen.includes(suite.id)}
                      onChange={({ target }) =>
                        onChoose(target.checked ? [...chosen, suite.id] : chosen.filter((id) => id !== suite.id))
                      }
                    />
                  </td>
                )}
                <td className={`${cell} w-full max-w-0 sm:w-[50%] lg:w-[38%]`}>
                  <div className="flex items-baseline gap-2">
                    <Link
                      data-suite-link=""
                      to={suiteAddress(suite)}
                      className="line-clamp-2 min-w-0 leading-6 font-medium break-words hover:underline"
                      title={suite.name}
                    >
                      {suite.name}
                    </Link>
                    {suite.isExample && <span className="text-xs text-muted">example</span>}
                  </div>
                  {suite.description !== undefined && (
                    <div className="truncate text-xs leading-4 text-muted" title={suite.description}>
                      {suite.description}
                    </div>
                  )}
                </td>
                <td className={`${cell} text-right`}>{formatCount(suite.cases)}</td>
                <td className={`${cell} hidden w-[24%] max-w-0 lg:table-cell`}>
                  <Methods methods={suite.methods} />
                </td>
                <td className={`${cell} hidden whitespace-nowrap sm:table-cell`}>
                  {suite.lastRun ? (
                    <Link
                      to={resultsAddress(suite.lastRun.id)}
                      className="inline-block leading-6 underline decoration-dotted"
                    >
                      {formatLocalTime(suite.lastRun.startedAt)}
                    </Link>
                  ) : (
                    <span className="text-muted">never</span>
                  )}
                  {suite.lastRun && suite.lastRun.state !== 'done' && (
                    <span className="ml-2 text-xs text-muted">{describeRunState(suite.lastRun)}</span>
                  )}
                </td>
                <td className={`${cell} hidden text-right lg:table-cell`}>{formatCount(suite.runs)}</td>
                <td className={`${cell} hidden whitespace-nowrap text-muted lg:table-cell`}>
                  {formatLocalTime(suite.savedAt)}
                </td>
                <td className="sticky right-0 bg-surface px-1 py-1 align-top">
                  <div className="flex items-center gap-1">
                    <RunnersOnly>
                      <Link
                        to={`/arena?suite=${encodeURIComponent(suite.id)}`}
                        aria-label={`Run ${suite.name}…`}
                        className={buttonClass('plain', 'h-7! px-2!')}
                      >
                        Run…
                      </Link>
                    </RunnersOnly>
                    <RowMenu
                      suite={suite}
                      onDuplicate={() => duplicate.mutate(suite)}
                      onDelete={() => setDeleted(suite)}
                    />
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {suites.length > INITIAL_ROWS && !areAllShown && (
        <div>
          <Button onClick={() => setAllShown(true)}>Show all {formatCount(suites.length)}</Button>
        </div>
      )}
      {deleted && <DeleteSuitesDialog suites={[deleted]} onClose={() => setDeleted(undefined)} />}
    </>
  )
}
