import { isLive } from '../../../contract/index.ts'
import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { Link } from '../../router.tsx'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { describeRunState } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { runTable } from '../../../report/tables/runs.ts'
import { DataTable } from '../../ui/DataTable.tsx'

const COLUMNS = new Set(['started', 'models', 'scored', 'missing', 'notRun', 'cost', 'state'])

/** The runs of the suite, newest first. */
export function SuiteRuns({ runs }: { runs: ListedRun[] }) {
  return (
    <DataTable
      label="Runs of this suite"
      columns={runTable.filter(({ key }) => COLUMNS.has(key))}
      rows={runs.map((run) => ({ ...run, stateWord: describeRunState(run) }))}
      keyOf={({ id }) => id}
      draw={{
        started: (run) => (
          <Link
            to={isLive(run) ? `/arena/run/${encodeURIComponent(run.id)}` : `/results/${encodeURIComponent(run.id)}`}
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
        state: (run) => <RunStateBadge run={run} />,
      }}
    />
  )
}
