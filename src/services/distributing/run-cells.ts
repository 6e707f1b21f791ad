import { awaitsGrade, InputError, type CellKey, type CellWork, type Storage } from '../../contract/index.ts'
import type { Limiter } from '../requesting/limiter.ts'
import { createEngine, type Engine, type OpenCell } from '../engine.ts'
import type { RunEvent } from '../events.ts'
import { isPairwise } from '../plan.ts'
import { drainQueue, drainQueues, providerOf, type Stop } from '../execution.ts'
import { noSpending } from '../requesting/budget.ts'
import type { PreparedRun } from '../prepare.ts'
import { areAllRefused, type Refusals } from '../refusals.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'

export interface CellsInput {
  work: CellWork
  prepared: PreparedRun
  tools: RunTools
  options: RunOptions
  /** Shared by everything that this worker does. */
  limiters: Map<string, Limiter>
  /** Shared by everything that this worker does for the run. */
  refusals: Refusals
  /** True: no more cells are begun; those in progress are finished. */
  isStopping(): boolean
  /** Called with the number of cells that are not finished. */
  onProgress(open: number): void
  /** Works on one cell at a time, because workers died or failed with this work. */
  isolated?: IsolatedWork | undefined
}

export interface IsolatedWork {
  /** Writes down which cell is next. */
  begin(cell: CellKey): Promise<void>
  /** The words for a cell that must not be tried again; undefined if it may be. */
  findProblem(cell: CellKey): string | undefined
}

export type CellsOutcome =
  | { type: 'done' }
  /** Some cells have no result, because the worker is stopping: another one takes them. */
  | { type: 'handed on' }
  /** The whole run must stop: its budget is spent, or the provider refuses everything. */
  | { type: 'stopped'; stop: Stop }

/** The cells of the work that have no result yet: another worker may have done some of them. */
async function loadOpen({ runId, testCaseIds, ungraded }: CellWork, storage: Storage): Promise<OpenCell[]> {
  const open: OpenCell[] = await storage.loadOpenCells(runId, testCaseIds)
  for (const { testCaseId, modelId } of ungraded) {
    const cell = { runId, testCaseId, modelId }
    const stored = await storage.loadCell(cell)
    if (stored?.answer && awaitsGrade(stored.result)) open.push({ cell, answer: stored.answer })
  }
  return open
}

/** The cell ends without a result: it took workers down with it. */
async function giveUp({ cell, answer }: OpenCell, problem: string, { tools, context, cases, waiting }: Engine) {
  if (answer) {
    const score = { unscored: { code: 'scoring-failed', message: problem } }
    await tools.storage.saveScore(cell, score)
    context.emit({ type: 'cell-scored', cell, score })
    return
  }
  await tools.storage.saveError(cell, 'error', problem)
  context.emit({ type: 'cell-failed', cell, error: problem })
  if (isPairwise(cases.get(cell.testCaseId)!)) await waiting.arrive(cell, false)
}

async function runIsolated(
  cells: Iterable<OpenCell>,
  { begin, findProblem }: IsolatedWork,
  { engine, refusals }: { engine: Engine; refusals: Refusals },
): Promise<Stop | undefined> {
  const stopped: { by?: Stop } = {}
  for (const open of cells) {
    const problem = findProblem(open.cell)
    if (problem !== undefined) {
      await giveUp(open, problem, engine)
      continue
    }
    await begin(open.cell)
    await drainQueue([open].values(), engine, { stopped, refusals })
    if (stopped.by) break
  }
  return stopped.by
}

/** Takes the cells of one lease from request to stored score. Throws `LeaseLost` when they belong to another worker. */
export async function runCells(input: CellsInput): Promise<CellsOutcome> {
  const { work, prepared, tools, options, limiters, refusals, isStopping, onProgress, isolated } = input
  const open = await loadOpen(work, tools.storage)
  let unfinished = open.length
  onProgress(unfinished)
  const onEvent = (event: RunEvent) => {
    options.onEvent?.(event)
    if (event.type === 'cell-scored' || event.type === 'cell-failed') onProgress(--unfinished)
  }
  const engine: Engine = await createEngine({
    prepared,
    tools,
    options: { ...options, onEvent },
    runId: work.runId,
    index: work.index,
    seriesId: work.seriesId,
    // Workers pay from one budget in the database.
    spent: noSpending,
    limiters,
  })
  try {
    for (const { cell } of open)
      if (!engine.contestants.has(cell.modelId) || !engine.cases.has(cell.testCaseId))
        throw new InputError(`run ${work.runId} has a cell that its suite and models do not explain`)
    engine.waiting.expectOnly(open)
    let left = open.length
    const begin = function* (cells: readonly OpenCell[]): Generator<OpenCell, void, void> {
      for (const cell of cells) {
        if (isStopping()) return
        left--
        yield cell
      }
    }
    const byProvider = Map.groupBy(open, ({ cell }) => providerOf(engine.contestants.get(cell.modelId)!, engine))
    const queues = new Map(Array.from(byProvider, ([provider, cells]) => [provider, begin(cells)]))
    const stopped = isolated
      ? await runIsolated(begin(open), isolated, { engine, refusals })
      : await drainQueues(queues, engine, refusals)
    // The cells of a refused model are left; the run fails after those of the others.
    const stop = stopped?.reason === 'provider' && !areAllRefused(refusals, engine) ? undefined : stopped
    if (stop?.error !== undefined) throw stop.error
    // Cells that wait to be compared stay open for whoever takes over; only a run that ends says what they lack.
    if (stop?.reason === undefined && (stop || left > 0)) return { type: 'handed on' }
    await engine.waiting.release()
    return stop ? { type: 'stopped', stop } : { type: 'done' }
  } finally {
    await engine.close()
  }
}
