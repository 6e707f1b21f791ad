import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { runTable } from '../../../report/tables/runs.ts'
import { DataTable } from '../../ui/DataTable.tsx'

function statusOf({ isLive, isInterrupted, workedOnBy, status }: ListedRun): string {
  if (workedOnBy) return 'running elsewhere'
  return isLive ? 'running' : isInterrupted ? 'interrupted' : status
}

const COLUMNS = new Set(['started', 'models', 'scored', 'missing', 'notRun', 'cost', 'state'])

/** The runs of the suite, newest first. */
export function SuiteRuns({ runs }: { runs: ListedRun[] }) {
  return (
    <DataTable
      label="Runs of this suite"
      columns={runTable.filter(({ key }) => COLUMNS.has(key))}
      rows={runs.map((run) => ({ ...run, stateWord: statusOf(run) }))}
      keyOf={({ id }) => id}
      draw={{
        started: (run) => (
          <Link
            to={run.isLive ? `/arena/run/${encodeURIComponent(run.id)}` : `/results/${encodeURIComponent(run.id)}`}
            className="inline-block leading-6 whitespace-nowrap underline decoration-dotted"
          >
            {formatLocalTime(run.startedAt)}
          </Link>
        ),
        models: ({ models }) => (
          <div className="max-w-72 truncate" title={models.join(', ')}>
            {models.join(', ')}
          </div>
        ),
        state: ({ stateWord }) => <Badge kind={stateWord === 'failed' ? 'danger' : 'plain'}>{stateWord}</Badge>,
      }}
    />
  )
}
