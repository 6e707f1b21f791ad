import {
  cellName,
  awaitsGrade,
  InputError,
  type CellResult,
  type RunResult,
  type RunSummary,
  type Storage,
} from '../../contract/index.ts'
import type { OpenCell } from '../engine.ts'

/** What a resume did, counted in cells. */
export interface Resumed {
  /** Cells that were finished before. */
  kept: number
  /** Cells that had no answer. */
  asked: number
  /** Those of them that had failed. */
  retried: number
  /** Those of them whose request had been sent, but its answer never arrived. */
  repeated: number
  /** Cells that had an answer and only needed a score. */
  scored: number
}

export const noWork: Readonly<Resumed> = { kept: 0, asked: 0, retried: 0, repeated: 0, scored: 0 }

/** Cells that were not run are among the results too. */
export const isFinished = ({ outcome }: CellResult) => outcome !== undefined && outcome !== 'cancelled'

/** The cells that a resume has to work on, by name, and those of them that had failed or were in flight. */
export interface ReopenedCells {
  unasked: ReadonlySet<string>
  unscored: ReadonlySet<string>
  failed: ReadonlySet<string>
  inFlight: ReadonlySet<string>
}

export interface ReopenedRun {
  summary: RunSummary
  /** The stored run, with the results it already has. */
  stored: RunResult
  open: OpenCell[]
  cells: ReopenedCells
}

export async function loadStored(runId: string, storage: Storage): Promise<RunResult> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw new InputError(`there is no run ${runId}`)
  return run
}

/** Answers whose judge or embedding model could not be reached: they are scored again without asking the model. */
async function loadUngraded({ id: runId, results }: RunResult, storage: Storage): Promise<OpenCell[]> {
  const open: OpenCell[] = []
  for (const { testCaseId, modelId } of results.filter(awaitsGrade)) {
    const cell = { runId, testCaseId, modelId }
    const answer = (await storage.loadCell(cell))?.answer
    if (answer) open.push({ cell, answer })
  }
  return open
}

/** Opens the cells of a run that failed, and lists all that are open. */
export async function reopenCells(
  runId: string,
  storage: Storage,
): Promise<Pick<ReopenedRun, 'open' | 'cells' | 'summary'>> {
  const [summary] = await storage.listRuns({ ids: [runId] })
  if (!summary) throw new InputError(`there is no run ${runId}`)
  const before = summary.cells.errors > 0 ? (await loadStored(runId, storage)).results : []
  await storage.reopenErrors(runId)
  const open = await storage.loadOpenCells(runId)
  const failed = new Set(before.filter(({ status }) => status === 'failed').map(cellName))
  const unasked = open.filter(({ answer }) => !answer)
  const isInFlight = ({ cell, attempts }: (typeof open)[number]) => attempts > 0 && !failed.has(cellName(cell))
  return {
    summary,
    open,
    cells: {
      unasked: new Set(unasked.map(({ cell }) => cellName(cell))),
      unscored: new Set(open.filter(({ answer }) => answer).map(({ cell }) => cellName(cell))),
      failed,
      inFlight: new Set(unasked.filter(isInFlight).map(({ cell }) => cellName(cell))),
    },
  }
}

/** Opens a stored run for a process that continues it, which also has answers graded that no judge could be reached for. */
export async function reopenRun(runId: string, storage: Storage): Promise<ReopenedRun> {
  const { summary, open, cells } = await reopenCells(runId, storage)
  await storage.setRunStatus(runId, 'running')
  const stored = await loadStored(runId, storage)
  const ungraded = await loadUngraded(stored, storage)
  const unscored = new Set([...cells.unscored, ...ungraded.map(({ cell }) => cellName(cell))])
  return { summary, stored, open: [...open, ...ungraded], cells: { ...cells, unscored } }
}

/** What was done of it, by the results afterwards: a run that was stopped has not done everything. */
export function countResumed(cells: ReopenedCells, { results }: RunResult): Resumed {
  const { unasked, unscored, failed, inFlight } = cells
  const counts = { ...noWork }
  for (const result of results) {
    const name = cellName(result)
    if (!unasked.has(name) && !unscored.has(name) && isFinished(result)) counts.kept++
    if (unscored.has(name) && (result.score || (result.unscored && !awaitsGrade(result)))) counts.scored++
    if (!unasked.has(name) || !isFinished(result)) continue
    counts.asked++
    if (failed.has(name)) counts.retried++
    if (inFlight.has(name)) counts.repeated++
  }
  return counts
}

/** Adds to the first. */
export function addCounts(counts: Resumed, { kept, asked, retried, repeated, scored }: Resumed): void {
  counts.kept += kept
  counts.asked += asked
  counts.retried += retried
  counts.repeated += repeated
  counts.scored += scored
}
