import { decidingOf, type QueuedRun, type RunRequest, type TakenWork } from '../../contract/index.ts'
import { storeRun, type Execution } from '../execution.ts'
import { loadStored } from '../stored-runs/reopen-run.ts'
import { countCells } from '../plan.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { divideNewRun, divideRest } from './divide-work.ts'

/** Why this process must do the work itself; undefined if workers can. */
export function findWorkerProblem(request: RunRequest): string | undefined {
  if (decidingOf(request))
    return 'a run that stops when it is decided runs its cases in one order, so one process works on it'
  if (request.batch) return 'a run in batches waits for the provider, so one process works on it'
  return undefined
}

/** True if the cells of the request go to workers. */
export async function goesToWorkers(
  request: RunRequest,
  { queue }: RunTools,
  { onWorkers }: RunOptions,
): Promise<boolean> {
  if (!queue || !onWorkers || findWorkerProblem(request) !== undefined) return false
  return onWorkers === 'always' || (await queue.countWorkers()) > 0
}

/** Writes a new run and its cells, and puts them into the queue. */
export async function queueNewRun(
  run: QueuedRun,
  { prepared, tools, options }: Execution,
  by?: TakenWork,
): Promise<void> {
  const { runId, seriesId, index } = run
  await storeRun({ runId, seriesId, index }, { prepared, tools, options })
  const testCaseIds = prepared.suite.testCases.map(({ id }) => id)
  const models = countCells(prepared) / Math.max(1, testCaseIds.length)
  await tools.queue!.enqueue(run, divideNewRun(run, testCaseIds, models), by)
}

/** Puts the cells that a stored run still needs into the queue. */
export async function queueRest(run: QueuedRun, { storage, queue }: RunTools, by?: TakenWork): Promise<void> {
  await storage.setRunStatus(run.runId, 'running')
  await queue!.enqueue(run, await divideRest(run, await loadStored(run.runId, storage), storage), by)
}
