import {
  decidingOf,
  type QueuedRun,
  type RunRequest,
  type TakenWork,
  awaitsGrade,
  type CellKey,
  type CellWork,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { storeRun, type Execution } from '../execution.ts'
import { loadStored } from '../stored-runs/reopen-run.ts'
import { countCells, withoutSecrets } from '../plan.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'

/** A lease is long enough that the queue costs little, and short enough that a dead worker's rest is soon done. */
const CELLS_PER_LEASE = 50

/** Divides test cases into work of about fifty cells; a case is never divided. */
function divideCases(
  run: QueuedRun,
  openByCase: ReadonlyMap<string, number>,
  ungraded: readonly Omit<CellKey, 'runId'>[] = [],
): CellWork[] {
  const gradeByCase = Map.groupBy(ungraded, ({ testCaseId }) => testCaseId)
  const { runId, seriesId, index, nextRunId } = run
  const work: CellWork[] = []
  let cells = CELLS_PER_LEASE
  for (const [testCaseId, open] of openByCase) {
    if (cells + open > CELLS_PER_LEASE && cells > 0) {
      work.push({ kind: 'cells', runId, seriesId, index, nextRunId, testCaseIds: [], ungraded: [] })
      cells = 0
    }
    const last = work.at(-1)!
    last.testCaseIds.push(testCaseId)
    last.ungraded.push(...(gradeByCase.get(testCaseId) ?? []))
    cells += open
  }
  return work
}

/** The work of a new run: every model with every case. */
export function divideNewRun(run: QueuedRun, testCaseIds: readonly string[], models: number): CellWork[] {
  return divideCases(run, new Map(testCaseIds.map((id) => [id, models])))
}

/** The work left in a stored run: cells without a result, and answers that still need a grade. */
async function divideRest(run: QueuedRun, stored: RunResult, storage: Storage): Promise<CellWork[]> {
  const ungraded = stored.results
    .filter(awaitsGrade)
    .map(({ testCaseId, modelId }): Omit<CellKey, 'runId'> => ({ testCaseId, modelId }))
  const open = new Map<string, number>()
  const count = ({ testCaseId }: Omit<CellKey, 'runId'>) => open.set(testCaseId, (open.get(testCaseId) ?? 0) + 1)
  for (const { cell } of await storage.loadOpenCells(run.runId)) count(cell)
  for (const cell of ungraded) count(cell)
  return divideCases(run, open, ungraded)
}

/** Why this process must do the work itself; undefined if workers can. */
export function findWorkerProblem(request: RunRequest): string | undefined {
  if (decidingOf(request))
    return 'a run that stops when it is decided runs its cases in one order, so one process works on it'
  const { headersLacking = [] } = withoutSecrets(request)
  if (headersLacking.length > 0)
    return `headers that may be secret (${headersLacking.join(', ')}) are not stored for workers, so one process works on it`
  if (request.batch) return 'the batch API answers one process, so a run that uses it stays with this one'
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
