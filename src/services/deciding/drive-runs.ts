import {
  answerName,
  cellName,
  InputError,
  readCluster,
  toDollars,
  type CellKey,
  type Deciding,
  type RunResult,
  type RunStatus,
  type StopReason,
} from '../../contract/index.ts'
import {
  addUnfinished,
  createCaseSequence,
  drawUnits,
  type CaseSequence,
  type CaseUnit,
  type ModelDecisions,
} from '../../statistics/index.ts'
import type { Engine, OpenCell } from '../engine.ts'
import { confirmOwner, stopOf, type Stop } from '../execution.ts'
import type { RunEvent, StartedRun } from '../events.ts'
import { createRefusals, reportRefusals, type Refusals } from '../refusals.ts'

/** Open cells among those that an earlier process has asked, such as errors to retry. */
interface Gaps {
  has(cell: CellKey): boolean
  /** True if one before this position in the drawn order is open and may change what is decided. */
  isAnyBefore(position: number): boolean
  /** Returns false if it was none. */
  close(cell: CellKey): boolean
}

interface ReopenedCellsOfRun {
  runId: string
  /** By case and model. */
  open: ReadonlyMap<string, OpenCell>
  /** Those that had failed, by case and model. */
  failed?: ReadonlySet<string> | undefined
}

/** A cell before the last one that its model has finished was asked too, even if a process died while it retried it. */
function listGaps({ open, failed }: ReopenedCellsOfRun, positionOf: ReadonlyMap<string, number>): OpenCell[] {
  const models = new Set(Array.from(open.values(), ({ cell }) => cell.modelId))
  const lastOf = new Map(
    Array.from(models, (modelId) => {
      const finished = [...positionOf].filter(([testCaseId]) => !open.has(cellName({ testCaseId, modelId })))
      return [modelId, finished.reduce((last, [, position]) => Math.max(last, position), -1)]
    }),
  )
  return Array.from(open.values()).filter(
    ({ cell: { testCaseId, modelId }, answer }) =>
      answer !== undefined ||
      failed?.has(cellName({ testCaseId, modelId })) ||
      positionOf.get(testCaseId)! < lastOf.get(modelId)!,
  )
}

/**
 * Until the gaps are closed it is not known how far the cases are counted, who was dropped, and whether anything is
 * still in question: new cells wait for them.
 */
export function createGaps(
  reopened: readonly ReopenedCellsOfRun[],
  { cases, decisions }: { cases: readonly string[]; decisions: Pick<ModelDecisions, 'asked'> },
): Gaps {
  const positionOf = new Map(cases.map((id, position) => [id, position]))
  const all = reopened.flatMap((run) => listGaps(run, positionOf)).map(({ cell }) => cell)
  const names = new Set(all.map(answerName))
  const open = new Map(all.map((cell) => [answerName(cell), cell]))
  return {
    has: (cell) => names.has(answerName(cell)),
    isAnyBefore(limit) {
      for (const { testCaseId, modelId } of open.values())
        if (positionOf.get(testCaseId)! < limit && decisions.asked.has(modelId)) return true
      return false
    },
    close: (cell) => open.delete(answerName(cell)),
  }
}

/**
 * The cells that one provider answers: first the gaps that earlier processes left, then, as long as there is a question,
 * the others. Both go case by case in the drawn order, each case in all runs and by all models.
 */
interface CellLine {
  /** The next cell, `wait` if it is too far ahead of the cases counted or a gap is open, or undefined after the last. */
  take(): OpenCell | 'wait' | undefined
}

interface LineInput {
  /** Ids in the drawn order. */
  cases: readonly string[]
  runIds: readonly string[]
  models: readonly string[]
  /** Returns undefined for a cell that is finished. */
  findOpen(cell: CellKey): OpenCell | undefined
  decisions: ModelDecisions
  gaps: Pick<Gaps, 'has' | 'isAnyBefore'>
  /** How many cases may be asked beyond those counted: what lies there is lost if the next case decides. */
  ahead: number
}

function* listCells({ cases, runIds, models }: LineInput): Generator<{ position: number; cell: CellKey }> {
  for (const [position, testCaseId] of cases.entries())
    for (const runId of runIds) for (const modelId of models) yield { position, cell: { runId, testCaseId, modelId } }
}

function createQueue(input: LineInput, isIncluded: (cell: CellKey) => boolean): CellLine {
  const { decisions, findOpen, ahead } = input
  const cells = listCells(input)
  let next = cells.next()
  return {
    take() {
      for (; !next.done; next = cells.next()) {
        const { position, cell } = next.value
        const open = decisions.asked.has(cell.modelId) && isIncluded(cell) ? findOpen(cell) : undefined
        if (!open) continue
        if (position >= decisions.cases + ahead) return 'wait'
        next = cells.next()
        return open
      }
      return undefined
    },
  }
}

export function createCellLine(input: LineInput): CellLine {
  const { decisions, gaps, ahead } = input
  const gapsFirst = createQueue(input, (cell) => gaps.has(cell))
  const others = createQueue(input, (cell) => !gaps.has(cell))
  return {
    take() {
      const gap = gapsFirst.take()
      if (typeof gap === 'object') return gap
      if (gaps.isAnyBefore(decisions.cases + ahead)) return 'wait'
      return others.take() ?? gap
    },
  }
}

/** One of the runs that are worked on side by side. */
export interface DrivenRun {
  /** Its own connections: the runs of a series must not share cached or simulated answers. */
  clientOf: Engine['clientOf']
  started: Omit<StartedRun, 'runsPlanned' | 'maxCost' | 'cells'>
  /** The cells without a result, by case and model; undefined if that is all of them. */
  open?: ReadonlyMap<string, OpenCell>
  /** Those of them that had failed, by case and model. */
  failed?: ReadonlySet<string>
}

/**
 * How many cases may be asked beyond those counted: enough to stay busy while one answer is slow, and the whole of the
 * next cluster, which counts only when all of its cases are there.
 */
const casesAhead = (concurrency: number, largestUnit: number) => Math.max(2 * concurrency, largestUnit)

type Emit = (event: RunEvent) => void

interface Work {
  runs: ReadonlyMap<string, DrivenRun>
  engineOf(runId: string): Engine
  sequence: CaseSequence
  gaps: Gaps
  refusals: Refusals
  stopped: { by?: Stop }
  /** Wakes the workers that wait for cases to be counted or gaps to be closed. */
  waiting: Set<() => void>
}

function wake({ waiting }: Work): void {
  const waiters = [...waiting]
  waiting.clear()
  for (const resume of waiters) resume()
}

function stop(work: Work, by: Stop): void {
  work.stopped.by ??= by
  wake(work)
}

/** A comparison needs two models that are answered. */
function canDecide({ refusals }: Work, engine: Engine): boolean {
  return refusals.message === undefined || engine.prepared.contestants.length - refusals.list(engine).length >= 2
}

/** Takes cells while there are any. No more than `concurrency` at a time: each may turn out not to have been needed. */
async function drainLine(line: CellLine, work: Work, engine: Engine): Promise<void> {
  const { concurrency } = engine.prepared.request
  const { signal, drain } = engine.options
  const takeCells = async () => {
    while (!work.stopped.by) {
      if (signal?.aborted || drain?.aborted) return stop(work, { status: 'cancelled' })
      const open = line.take()
      if (open === undefined) return
      if (open === 'wait') {
        await new Promise<void>((resume) => work.waiting.add(resume))
        continue
      }
      try {
        const wasAsked = await work.refusals.process(open, work.engineOf(open.cell.runId))
        if (work.gaps.close(open.cell)) wake(work)
        if (!wasAsked) countFinished(open.cell, undefined, work, engine.context.emit)
        if (!canDecide(work, engine)) stop(work, { status: 'failed', reason: 'provider' })
      } catch (error) {
        stop(work, stopOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, takeCells))
}

function createLines(
  { runs, sequence, gaps }: Work,
  units: readonly CaseUnit<{ id: string }>[],
  engine: Engine,
): CellLine[] {
  const cases = units.flat().map(({ id }) => id)
  const largestUnit = units.reduce((most, { length }) => Math.max(most, length), 1)
  const { contestants, request } = engine.prepared
  const byProvider = Map.groupBy(contestants, ({ modelId }) => engine.clientOf(modelId).provider)
  return [...byProvider.values()].map((group) =>
    createCellLine({
      cases,
      runIds: [...runs.keys()],
      models: group.map(({ id }) => id),
      decisions: sequence.decisions,
      gaps,
      ahead: casesAhead(request.concurrency, largestUnit),
      findOpen(cell) {
        const { open } = runs.get(cell.runId)!
        return open ? open.get(cellName(cell)) : { cell }
      },
    }),
  )
}

/** Counts what earlier processes have finished. */
function countStored({ runs, sequence }: Work): void {
  for (const { started, open } of runs.values())
    for (const { testCaseId, modelId, score } of started.run.results)
      if (!open?.has(cellName({ testCaseId, modelId }))) sequence.finish({ testCaseId, modelId, score: score?.score })
}

/** Counts one cell, and stops when nothing is in question any more. */
function countFinished({ testCaseId, modelId }: CellKey, score: number | undefined, work: Work, emit: Emit): void {
  if (!work.sequence.finish({ testCaseId, modelId, score })) return
  emit({ type: 'cases-counted', decisions: work.sequence.decisions })
  if (work.sequence.decisions.isSettled) stop(work, { status: 'completed' })
  else wake(work)
}

/** Counts each cell as soon as it is stored. */
function follow(event: RunEvent, work: Work, emit: Emit): void {
  emit(event)
  if (event.type !== 'cell-scored' && event.type !== 'cell-failed') return
  countFinished(
    event.cell,
    event.type === 'cell-scored' && 'score' in event.score ? event.score.score : undefined,
    work,
    emit,
  )
}

interface End {
  status: RunStatus
  reason?: StopReason | undefined
  error?: unknown
}

async function finishRun(runId: string, { status, reason, error }: End, engine: Engine): Promise<RunResult> {
  const { storage, clock } = engine.tools
  const [summary] = await storage.listRuns({ ids: [runId] })
  // Without a stop, a cell has no result only because its model was no longer asked.
  const isLeftOut = status === 'completed' && summary !== undefined && summary.cells.pending > 0
  const stopReason = reason ?? (isLeftOut ? 'decided' : undefined)
  const end = { completedAt: clock.now(), ...(stopReason && { stopReason }) }
  await confirmOwner(runId, engine)
  await storage.setRunStatus(runId, status, end).catch((failure: unknown) => {
    // What stopped the run explains more than that it could not be written down.
    if (error === undefined) throw failure
  })
  engine.context.emit({ type: 'run-finished', runId, status })
  if (error !== undefined) throw error
  const run = await storage.loadRun(runId, { texts: engine.options.withTexts ?? true, suite: false })
  if (!run) throw new InputError(`run ${runId} was deleted while it was running`)
  return addUnfinished({ ...run, testSuiteSnapshot: engine.prepared.suite })
}

/**
 * Works on all runs of a series at once, case by case in the drawn order, so that a case can count as the mean over its
 * repeats as soon as all of them are there.
 */
export async function driveDecidingRuns(
  driven: readonly DrivenRun[],
  { deciding, engine }: { deciding: Deciding; engine: Engine },
): Promise<RunResult[]> {
  const { context, prepared } = engine
  const { emit } = context
  const { request, suite, contestants } = prepared
  const drawn = suite.testCases.map(({ id, weight, ...testCase }) => ({
    id,
    weight,
    cluster: readCluster(testCase, suite.clusterBy),
  }))
  const units = drawUnits(drawn, request.orderSeed!)
  const cases = units.flat()
  const models = contestants.map(({ id }) => id)
  const runs = new Map(driven.map((run) => [run.started.runId, run]))
  const following = { ...context, emit: (event: RunEvent) => follow(event, work, emit) }
  const engines = new Map(
    Array.from(runs, ([runId, { clientOf }]) => [runId, { ...engine, clientOf, context: following }]),
  )
  const sequence = createCaseSequence({ models, units, repeats: driven.length, deciding })
  const ids = cases.map(({ id }) => id)
  const reopened = Array.from(runs).flatMap(([runId, { open, failed }]) => (open ? [{ runId, open, failed }] : []))
  const work: Work = {
    runs,
    engineOf: (runId) => engines.get(runId)!,
    sequence,
    gaps: createGaps(reopened, { cases: ids, decisions: sequence.decisions }),
    refusals: createRefusals({ isFirst: reopened.length === 0 }),
    stopped: {},
    waiting: new Set(),
  }
  for (const { started } of driven)
    emit({
      type: 'run-started',
      ...started,
      runsPlanned: request.repeat,
      maxCost: request.maxCost,
      cells: cases.length * models.length,
      isSideBySide: driven.length > 1,
    })
  countStored(work)
  const { decisions } = sequence
  emit({ type: 'cases-counted', decisions })
  if (decisions.isSettled) stop(work, { status: 'completed' })

  await Promise.all(createLines(work, units, engine).map((line) => drainLine(line, work, engine)))

  const end: End =
    work.stopped.by ?? (work.refusals.hasLeft ? { status: 'failed', reason: 'provider' } : { status: 'completed' })
  if (end.reason === 'provider') reportRefusals(work.refusals, engine)
  const total = context.budget.total()
  if (end.reason === 'budget')
    emit({ type: 'budget-reached', spent: toDollars(total.spent), assumed: toDollars(total.assumed) })
  const finished: RunResult[] = []
  for (const runId of work.runs.keys()) finished.push(await finishRun(runId, end, engine))
  return finished
}
