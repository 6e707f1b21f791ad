import {
  ClientError,
  completeParameters,
  InputError,
  toDollars,
  toMoney,
  type Money,
  type RunResult,
  type RunStatus,
  type StopReason,
  type Storage,
} from '../contract/index.ts'
import { llmJudgePrompt } from '../scoring/index.ts'
import { codeArenaPrompt } from '../scoring/judging/judge-prompts.ts'
import { addUnfinished } from '../statistics/missing-cells.ts'
import { BudgetReached } from './asking/budget.ts'
import { isArenaCase } from './code-arena/suite.ts'
import type { StartedRun } from './events.ts'
import { createEngine, processCell, type Engine, type EngineInput, type OpenCell } from './engine.ts'
import { countCells, withoutSecrets, type Contestant } from './plan.ts'
import type { RunTools } from './run-tools.ts'
import { sumSpent } from './spent.ts'

/** Why a run stops before its last cell. */
type Stop = { status: RunStatus; reason?: StopReason; error?: unknown }

/** Refused so many times in a row, and never answered: the key or the account is the trouble, and more requests would not help. */
const MOST_REFUSALS = 3

function explainStop(error: unknown): Stop {
  if (error instanceof ClientError && error.kind === 'cancelled') return { status: 'cancelled' }
  if (error instanceof BudgetReached) return { status: 'cancelled', reason: 'budget' }
  return { status: 'failed', error }
}

/**
 * Works through the cells of one provider; the first that cannot go on stops the taking of new ones. The limiter sees to it
 * that no more requests than `concurrency` are under way; twice as many cells are in hand, so that the next request leaves
 * as soon as an answer has come, and not only when that answer is stored and scored.
 */
async function drainQueue(cells: Iterator<OpenCell>, engine: Engine, stopped: { by?: Stop }): Promise<void> {
  const { concurrency } = engine.prepared.request
  const { signal } = engine.options
  let refusals = 0
  const work = async () => {
    while (!stopped.by) {
      const next = cells.next()
      if (next.done) return
      if (signal?.aborted) stopped.by ??= { status: 'cancelled' }
      else
        try {
          const refused = await processCell(next.value, engine)
          refusals = refused ? refusals + 1 : -Infinity
          if (refused && refusals >= MOST_REFUSALS) {
            stopped.by ??= { status: 'failed', reason: 'provider' }
            engine.context.emit({ type: 'provider-refused', error: refused })
          }
        } catch (error) {
          stopped.by ??= explainStop(error)
        }
    }
  }
  await Promise.all(Array.from({ length: 2 * concurrency }, work))
}

/** One run of a series. */
export interface RunPlace {
  runId: string
  seriesId?: string | undefined
  /** From 0. */
  index: number
}

/** What is to be done: at each provider one cell after the other. */
interface Work {
  open: number
  queues: Iterator<OpenCell>[]
  /** The run as it is stored, with the results that it has already. */
  stored: RunResult
  spentBefore: Money
  spent: StartedRun['spent']
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
    spentBefore: toDollars(spentBefore),
    spent,
  })
  const stopped: { by?: Stop } = {}
  await Promise.all(queues.map((cells) => drainQueue(cells, engine, stopped)))

  const { status = 'completed', reason, error } = stopped.by ?? {}
  await storage.setRunStatus(runId, status, { completedAt: clock.now(), ...(reason && { stopReason: reason }) })
  // Not before now: what was under way when the budget was reached has been paid for too.
  if (reason === 'budget') emit({ type: 'budget-reached', spent: toDollars(budget.spent()) })
  emit({ type: 'run-finished', runId, status })
  if (error !== undefined) throw error
  const run = await storage.loadRun(runId, { texts: engine.options.withTexts ?? true, suite: false })
  if (!run) throw new InputError(`run ${runId} is gone: it was deleted while it ran`)
  return addUnfinished({ ...run, testSuiteSnapshot: suite })
}

function providerOf({ modelId }: Contestant, { clientOf }: Engine): string {
  return clientOf(modelId).provider
}

/** Made one by one as they are asked for: a large run has very many. */
function* listCells(runId: string, { prepared }: Engine, contestants: Contestant[]): Generator<OpenCell, void, void> {
  for (const { testCase } of prepared.cases)
    for (const { id } of contestants) yield { cell: { runId, testCaseId: testCase.id, modelId: id } }
}

/** Writes the run and its cells, before anything is asked. */
async function storeRun({ runId, seriesId }: RunPlace, { prepared, tools }: Engine): Promise<RunResult> {
  const { request, suite, contestants } = prepared
  const { judgeModelIds } = request
  const { version } = suite.testCases.some(isArenaCase) ? codeArenaPrompt : llmJudgePrompt
  const run = {
    id: runId,
    testSuiteId: request.suiteId,
    testSuiteName: suite.name,
    testSuiteSnapshot: suite,
    models: contestants.map(({ id }) => id),
    parameters: completeParameters(request.parameters),
    startedAt: tools.clock.now(),
    request: withoutSecrets(request),
    versions: { ...tools.versions, ...(judgeModelIds.length > 0 && { judgePrompt: version }) },
    ...(seriesId !== undefined && { seriesId }),
    ...(judgeModelIds.length > 0 && { judgeModel: judgeModelIds.join(',') }),
  }
  await tools.storage.createRun(
    run,
    suite.testCases.flatMap(({ id }) => contestants.map((contestant) => ({ testCaseId: id, modelId: contestant.id }))),
  )
  return { ...run, status: 'running', results: [] }
}

async function findSiblings({ runId, seriesId }: RunPlace, { storage }: RunTools): Promise<string[]> {
  const all = seriesId === undefined ? [] : await storage.runsOfSeries(seriesId)
  return all.filter((id) => id !== runId)
}

/** What the other runs of the series have spent. Without a budget nobody needs to know. */
async function sumOthers(place: RunPlace, { request }: EngineInput['prepared'], tools: RunTools): Promise<Money> {
  return request.maxCost === undefined ? 0n : sumSpent(await findSiblings(place, tools), tools.storage)
}

type Execution = Omit<EngineInput, 'index' | 'spent'>

/** Asks every model every test case once and scores the answers. The run is stored cell by cell as it goes. */
export async function executeNewRun(place: RunPlace, execution: Execution): Promise<RunResult> {
  const { prepared, tools } = execution
  const before = await sumOthers(place, prepared, tools)
  const engine = await createEngine({ ...execution, index: place.index, spent: before })
  const stored = await storeRun(place, engine)
  const byProvider = Map.groupBy(prepared.contestants, (contestant) => providerOf(contestant, engine))
  const queues = [...byProvider.values()].map((group) => listCells(place.runId, engine, group))
  return driveRun(
    place,
    { open: countCells(prepared), queues, stored, spentBefore: before, spent: { known: 0, unknown: 0 } },
    engine,
  )
}

/** What a resume has done, in cells. */
export interface Resumed {
  /** Ended in error before, and were tried again. */
  retried: number
  /** Had no answer yet. */
  asked: number
  /** Had an answer, and only had to be scored. */
  scored: number
}

/** Continues from what is stored: asks what has no answer, scores what has no score, tries errors again. */
export async function continueRun(place: RunPlace, execution: Execution): Promise<Resumed & { run: RunResult }> {
  const { prepared, tools } = execution
  const { storage } = tools
  const { runId } = place
  const before = await sumOthers(place, prepared, tools)
  const [summary] = await storage.listRuns({ ids: [runId] })
  if (!summary) throw new InputError(`there is no run ${runId}`)
  const spent = { known: summary.cost, unknown: summary.unknownCosts }
  const engine = await createEngine({ ...execution, index: place.index, spent: before + toMoney(spent.known) })
  const retried = await storage.reopenErrors(runId)
  await storage.setRunStatus(runId, 'running')
  const stored = await loadStored(runId, storage)
  const open = await storage.loadOpenCells(runId)
  const scored = open.filter(({ answer }) => answer).length
  const byProvider = Map.groupBy(open, ({ cell }) => providerOf(engine.contestants.get(cell.modelId)!, engine))
  const queues = [...byProvider.values()].map((cells) => cells.values())
  const run = await driveRun(place, { open: open.length, queues, stored, spentBefore: before, spent }, engine)
  return { run, retried, asked: open.length - scored, scored }
}

async function loadStored(runId: string, storage: Storage): Promise<RunResult> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw new InputError(`there is no run ${runId}`)
  return run
}
