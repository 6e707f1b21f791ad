import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { describeOpenCells, formatCost, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { TablePanel } from '../../ui/Page.tsx'
import { TableHead } from '../../ui/TableHead.tsx'

function statusOf({ isLive, isInterrupted, workedOnBy, status }: ListedRun): string {
  if (workedOnBy) return 'running elsewhere'
  return isLive ? 'running' : isInterrupted ? 'interrupted' : status
}

const head = 'px-3 py-2'
const cell = 'px-3 py-1.5'

/** The runs of the suite, newest first. */
export function SuiteRuns({ runs }: { runs: ListedRun[] }) {
  return (
    <TablePanel label="Runs of this suite">
      <table className="w-full min-w-[640px] text-left">
        <TableHead
          isRuled
          columns={[
            { title: 'Started', className: head },
            { title: 'Models', className: head },
            { title: 'Scored', className: `${head} text-right` },
            { title: 'Without a score', className: `${head} text-right` },
            { title: 'Cost', className: `${head} text-right` },
            { title: 'Status', className: head },
          ]}
        />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="border-b border-line last:border-0 hover:bg-hover">
              <td className={`${cell} whitespace-nowrap`}>
                <Link
                  to={
                    run.isLive ? `/arena/run/${encodeURIComponent(run.id)}` : `/results/${encodeURIComponent(run.id)}`
                  }
                  className="inline-block leading-6 underline decoration-dotted"
                >
                  {formatLocalTime(run.startedAt)}
                </Link>
              </td>
              <td className={`${cell} max-w-72`}>
                <div className="truncate" title={run.models.join(', ')}>
                  {run.models.join(', ')}
                </div>
              </td>
              <td className={`${cell} text-right`}>
                {formatCount(run.cells.scored)} of {formatCount(run.cells.total)}
              </td>
              <td className={`${cell} text-right`}>
                {describeOpenCells({ ...run.cells, notRun: run.cells.pending }) || '0'}
              </td>
              <td className={`${cell} text-right`}>{formatCost(run.cost, run.unknownCosts)}</td>
              <td className={cell}>
                <Badge kind={statusOf(run) === 'failed' ? 'danger' : 'plain'}>{statusOf(run)}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  )
}
