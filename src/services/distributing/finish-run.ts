import type { FinishWork, TakenWork } from '../../contract/index.ts'
import { findUnfinished, loadSeries } from '../stored-runs/stored-series.ts'
import type { RunTools } from '../run-tools.ts'
import { queueNewRun, queueRest } from './queue-run.ts'
import type { StoredPlan } from './stored-plans.ts'

/**
 * Marks a run as completed after its last cell, and starts the next run of its series. Another worker may have begun
 * with it and died: every step finds out whether it was already done. A run with cells that nobody asked has failed:
 * every request to their models was refused.
 */
export async function finishQueuedRun(
  work: FinishWork,
  taken: TakenWork,
  { run, prepared }: StoredPlan,
  tools: RunTools,
): Promise<void> {
  const { storage, clock, createId } = tools
  const { runId, seriesId, index, nextRunId } = work
  if (run.status !== 'running') return
  const [summary] = await storage.listRuns({ ids: [runId] })
  if (summary && summary.cells.pending > 0)
    return storage.setRunStatus(runId, 'failed', { completedAt: clock.now(), stopReason: 'provider' })
  if (seriesId !== undefined) {
    const { runs, suite, request } = await loadSeries(runId, storage)
    const place = findUnfinished(runs, suite, index + 1)
    // A resumed series may have later runs already, some of them finished.
    if (place !== undefined)
      await queueRest({ runId: runs[place]!.id, seriesId, index: place, nextRunId: createId() }, tools, taken)
    else if (runs.length < request.repeat && runs.every(({ id }) => id !== nextRunId)) {
      const next = { runId: nextRunId, seriesId, index: runs.length, nextRunId: createId() }
      await queueNewRun(next, { prepared, tools, options: {} }, taken)
    }
  }
  await storage.setRunStatus(runId, 'completed', { completedAt: clock.now() })
}
