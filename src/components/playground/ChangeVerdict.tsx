import { isInProgress } from '../../contract/index.ts'
import type { PlaygroundOutcome } from '../../server/playground/outcome.ts'
import { formatCost, formatCount, explainStop } from '../../report/words/index.ts'
import { compareAddress, resultsAddress } from '../results/addresses.ts'
import { Link } from '../router.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'

function Progress({ outcome: { cells, cost, unknownCosts } }: { outcome: PlaygroundOutcome }) {
  return (
    <div className="flex flex-col gap-1" role="status">
      <div className="tabular-nums">
        {formatCount(cells.done)} of {formatCount(cells.total)} run
        {cells.errors > 0 && `, ${formatCount(cells.errors, 'error')}`} · {formatCost(cost, unknownCosts)}
      </div>
      <ProgressBar label="Cases run" value={cells.done} max={cells.total} />
    </div>
  )
}

/** Whether the change helped, over the cases that were run again. */
export function ChangeVerdict({
  outcome,
  runId,
  experimentId,
  isOutdated,
}: {
  outcome: PlaygroundOutcome
  runId: string
  experimentId: string
  /** Something was changed after the run. */
  isOutdated: boolean
}) {
  const { sentence, state, better, worse, same, n, isPart } = outcome
  const isLive = isInProgress(state)
  const end = explainStop(outcome)?.sentence
  return (
    <section aria-label="Did the change help?" className="flex min-w-0 flex-col gap-2">
      <h2 className="text-[15px] font-semibold">Did the change help?</h2>
      {isLive && <Progress outcome={outcome} />}
      {end !== undefined && (
        <Notice kind="warning">
          {end}{' '}
          <Link to={resultsAddress(experimentId)} className="text-accent-ink underline">
            Its results
          </Link>{' '}
          can be resumed.
        </Notice>
      )}
      {sentence !== undefined && <p className="font-medium break-words">{sentence}</p>}
      {!isLive && n > 1 && (
        <p className="text-[13px] text-muted">
          {formatCount(better)} better, {formatCount(worse)} worse, {formatCount(same)} the same.
          {isPart &&
            ' Cases that were chosen because they went badly often do better the next time by luck alone: run all cases before you trust a gain.'}
        </p>
      )}
      {isOutdated && (
        <p className="text-[13px] text-muted">You have changed something since; this is about the last experiment.</p>
      )}
      <p className="text-[13px]">
        <Link to={resultsAddress(experimentId)} className="text-accent-ink underline">
          This experiment
        </Link>{' '}
        ·{' '}
        <Link to={compareAddress(runId, experimentId)} className="text-accent-ink underline">
          Compare the runs
        </Link>
      </p>
    </section>
  )
}
