import {
  awaitsGrade,
  type CellKey,
  type CellWork,
  type QueuedRun,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'

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
export async function divideRest(run: QueuedRun, stored: RunResult, storage: Storage): Promise<CellWork[]> {
  const ungraded = stored.results
    .filter(awaitsGrade)
    .map(({ testCaseId, modelId }): Omit<CellKey, 'runId'> => ({ testCaseId, modelId }))
  const open = new Map<string, number>()
  const count = ({ testCaseId }: Omit<CellKey, 'runId'>) => open.set(testCaseId, (open.get(testCaseId) ?? 0) + 1)
  for (const { cell } of await storage.loadOpenCells(run.runId)) count(cell)
  for (const cell of ungraded) count(cell)
  return divideCases(run, open, ungraded)
}
