import {
  ClientError,
  completeParameters,
  InputError,
  toDollars,
  type RunResult,
  type RunStatus,
  type StopReason,
} from '../contract/index.ts'
import { addUnfinished } from '../statistics/missing-cells.ts'
import { BudgetReached, type Spending } from './requesting/budget.ts'
import { forgetRead, openBatchStore } from './batching/stored-batches.ts'
import { namePromptVersions } from './prompt-versions.ts'
import type { StartedRun } from './events.ts'
import { createEngine, type Engine, type EngineInput, type OpenCell } from './engine.ts'
import { countCells, withoutSecrets, type Contestant } from './plan.ts'
import { areAllRefused, createRefusals, reportRefusals, type Refusals } from './refusals.ts'
import type { RunTools } from './run-tools.ts'
import { countResumed, reopenRun, type Resumed } from './stored-runs/reopen-run.ts'
import { addSpending, sumSpent } from './stored-runs/spent.ts'

/** Why a run stopped before its last cell. */
export type Stop = { status: RunStatus; reason?: StopReason; error?: unknown }

export function stopOf(error: unknown): Stop {
  if (error instanceof ClientError && error.kind === 'cancelled') return { status: 'cancelled' }
  if (error instanceof BudgetReached) return { status: 'cancelled', reason: 'budget' }
  return { status: 'failed', error }
}

/** Works through the cells of one provider; the first fatal error stops new ones everywhere. */
export async function drainQueue(
  cells: Iterator<OpenCell>,
  engine: Engine,
  { stopped, refusals }: { stopped: { by?: Stop }; refusals: Refusals },
): Promise<void> {
  const { signal, drain } = engine.options
  const work = async () => {
    while (!stopped.by) {
      const next = cells.next()
      if (next.done) return
      if (signal?.aborted || drain?.aborted) stopped.by ??= { status: 'cancelled' }
      else
        try {
          await refusals.process(next.value, engine)
        } catch (error) {
          stopped.by ??= stopOf(error)
        }
    }
  }
  const workers = Math.min(engine.cellsAtOnce, countCells(engine.prepared))
  await Promise.all(Array.from({ length: workers }, work))
}

/** Works through the cells of all providers. A model that is always refused fails the run, after the others are done. */
export async function drainQueues(
  queues: ReadonlyMap<string, Iterator<OpenCell>>,
  engine: Engine,
  refusals: Refusals,
): Promise<Stop | undefined> {
  const stopped: { by?: Stop } = {}
  await Promise.all(Array.from(queues.values(), (cells) => drainQueue(cells, engine, { stopped, refusals })))
  if (stopped.by || !(refusals.hasLeft || areAllRefused(refusals, engine))) return stopped.by
  reportRefusals(refusals, engine)
  return { status: 'failed', reason: 'provider' }
}

/** One run of a series. */
export interface RunPlace {
  runId: string
  seriesId?: string | undefined
  /** From 0. */
  index: number
}

/** The work left in a run, with one queue of cells per provider. */
interface Work {
  open: number
  queues: ReadonlyMap<string, Iterator<OpenCell>>
  /** The stored run, with the results it already has. */
  stored: RunResult
  spentBefore: Spending
  spent: StartedRun['spent']
}

/** What another process works on is running, whatever stopped the work here. */
export async function confirmOwner(runId: string, { options, context }: Engine): Promise<void> {
  await options.confirmClaim?.().catch((loss: unknown) => {
    context.emit({ type: 'run-finished', runId, status: 'running' })
    throw loss
  })
}

async function driveRun(
  { runId, index }: RunPlace,
  { open, queues, stored, spentBefore, spent }: Work,
  engine: Engine,
): Promise<RunResult> {
  const { storage, clock } = engine.tools
  const { emit, budget } = engine.context
  const { request, suite } = engine.prepared
  emit({
    type: 'run-started',
    runId,
    run: stored,
    runNumber: index + 1,
    runsPlanned: request.repeat,
    cells: countCells(engine.prepared),
    open,
    maxCost: request.maxCost,
    spentBefore: toDollars(spentBefore.spent),
    spent,
  })
  const isFirst = index === 0 && open === countCells(engine.prepared)
  let stop = await drainQueues(queues, engine, createRefusals({ isFirst }))
  await engine.close()
  // What stopped the run explains more than that this could not be written down.
  await engine.waiting.release().catch((failure: unknown) => (stop ??= { status: 'failed', error: failure }))

  const { status = 'completed', reason, error } = stop ?? {}
  await confirmOwner(runId, engine)
  const end = { completedAt: clock.now(), ...(reason && { stopReason: reason }) }
  await storage.setRunStatus(runId, status, end).catch((failure: unknown) => {
    // What stopped the run explains more than that it could not be written down: the database itself may be gone.
    if (error === undefined) throw failure
  })
  if (request.batch && status === 'completed') await forgetRead(openBatchStore(runId, storage))
  // Only now: the requests in progress when the budget was reached were paid for too.
  const total = budget.total()
  if (reason === 'budget')
    emit({ type: 'budget-reached', spent: toDollars(total.spent), assumed: toDollars(total.assumed) })
  emit({ type: 'run-finished', runId, status })
  if (error !== undefined) throw error
  const run = await storage.loadRun(runId, { texts: engine.options.withTexts ?? true, suite: false })
  if (!run) throw new InputError(`run ${runId} was deleted while it was running`)
  return addUnfinished({ ...run, testSuiteSnapshot: suite })
}

export function providerOf({ modelId }: Contestant, { clientOf }: Engine): string {
  return clientOf(modelId).provider
}

/** Yields cells one at a time: a large run has too many to list at once. */
function* listCells(runId: string, { prepared }: Engine, contestants: Contestant[]): Generator<OpenCell, void, void> {
  for (const { testCase } of prepared.cases)
    for (const { id } of contestants) yield { cell: { runId, testCaseId: testCase.id, modelId: id } }
}

/** The table that prices came from, if any did. */
function namePrices({ prices }: Pick<Execution['prepared'], 'prices'>): { prices?: string } {
  const tables = new Set([...prices.values()].flatMap(({ from }) => from ?? []))
  return tables.size === 0 ? {} : { prices: [...tables].join(', ') }
}

/** Writes the run and its cells before any request is sent. */
export async function storeRun(
  { runId, seriesId }: RunPlace,
  { prepared, tools, options }: Execution,
): Promise<RunResult> {
  const { kind, request, suite, contestants } = prepared
  const { judgeModelIds } = request
  const stored = withoutSecrets(request)
  const run = {
    id: runId,
    kind,
    testSuiteId: request.suiteId,
    testSuiteName: suite.name,
    testSuiteSnapshot: suite,
    models: contestants.map(({ id }) => id),
    parameters: completeParameters(stored.parameters),
    startedAt: tools.clock.now(),
    request: stored,
    versions: {
      ...tools.versions,
      ...namePrices(prepared),
      ...(judgeModelIds.length > 0 && { judgePrompt: namePromptVersions(suite) }),
    },
    ...(seriesId !== undefined && { seriesId }),
    ...(options.label && { label: options.label }),
    ...(judgeModelIds.length > 0 && { judgeModel: judgeModelIds.join(',') }),
  }
  await tools.storage.createRun(
    run,
    suite.testCases.flatMap(({ id }) => contestants.map((contestant) => ({ testCaseId: id, modelId: contestant.id }))),
  )
  return { ...run, status: 'running', results: [] }
}

async function findSiblings({ runId, seriesId }: RunPlace, { storage }: RunTools): Promise<string[]> {
  const ids = seriesId === undefined ? [] : await storage.runsOfSeries(seriesId)
  return ids.filter((id) => id !== runId)
}

/** What the other runs of the series have spent. */
async function sumOthers(place: RunPlace, { prepared, tools }: Execution): Promise<Spending> {
  return sumSpent(await findSiblings(place, tools), prepared, tools)
}

export type Execution = Omit<EngineInput, 'runId' | 'index' | 'spent' | 'limiters'>

/** Asks each model every test case once and scores the answers. Each cell is stored as it finishes. */
export async function executeNewRun(place: RunPlace, execution: Execution): Promise<RunResult> {
  const { prepared } = execution
  const spentBefore = await sumOthers(place, execution)
  const engine = await createEngine({ ...execution, ...place, spent: spentBefore })
  const stored = await storeRun(place, engine)
  const byProvider = Map.groupBy(prepared.contestants, (contestant) => providerOf(contestant, engine))
  const queues = new Map(
    Array.from(byProvider, ([provider, group]) => [provider, listCells(place.runId, engine, group)]),
  )
  return driveRun(
    place,
    { open: countCells(prepared), queues, stored, spentBefore, spent: { known: 0, unknown: 0 } },
    engine,
  )
}

/** Continues a stored run: requests missing answers, scores unscored answers and retries failed cells. */
export async function continueRun(place: RunPlace, execution: Execution): Promise<Resumed & { run: RunResult }> {
  const { prepared, tools } = execution
  const { runId } = place
  const spentBefore = await sumOthers(place, execution)
  const ownSpending = await sumSpent([runId], prepared, tools)
  const engine = await createEngine({ ...execution, ...place, spent: addSpending(spentBefore, ownSpending) })
  const { summary, stored, open, cells } = await reopenRun(runId, tools.storage)
  const spent = { known: summary.cost, unknown: summary.unknownCosts }
  engine.waiting.expectOnly(open)
  const byProvider = Map.groupBy(open, ({ cell }) => providerOf(engine.contestants.get(cell.modelId)!, engine))
  const queues = new Map(Array.from(byProvider, ([provider, group]) => [provider, group.values()]))
  const run = await driveRun(place, { open: open.length, queues, stored, spentBefore, spent }, engine)
  return { run, ...countResumed(cells, run) }
}
