import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { describeOpenCells, formatCost, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'

function statusOf({ isLive, isInterrupted, workedOnBy, status }: ListedRun): string {
  if (workedOnBy) return 'running elsewhere'
  return isLive ? 'running' : isInterrupted ? 'interrupted' : status
}

const head = 'px-3 py-2 font-medium'
const cell = 'px-3 py-1.5'

/** The runs of the suite, newest first. */
export function SuiteRuns({ runs }: { runs: ListedRun[] }) {
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-surface"
      tabIndex={0}
      role="region"
      aria-label="Runs of this suite"
    >
      <table className="w-full min-w-[640px] text-left">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            <th scope="col" className={head}>
              Started
            </th>
            <th scope="col" className={head}>
              Models
            </th>
            <th scope="col" className={`${head} text-right`}>
              Scored
            </th>
            <th scope="col" className={`${head} text-right`}>
              Without a score
            </th>
            <th scope="col" className={`${head} text-right`}>
              Cost
            </th>
            <th scope="col" className={head}>
              Status
            </th>
          </tr>
        </thead>
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
                {describeOpenCells({ ...run.cells, notAsked: run.cells.pending }) || '0'}
              </td>
              <td className={`${cell} text-right`}>{formatCost(run.cost, run.unknownCosts)}</td>
              <td className={cell}>
                <Badge kind={statusOf(run) === 'failed' ? 'danger' : 'plain'}>{statusOf(run)}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
