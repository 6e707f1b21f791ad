import {
  ClientError,
  completeParameters,
  InputError,
  sumDollars,
  toDollars,
  type RunResult,
  type RunStatus,
  type Storage,
  type Suite,
} from '../contract/index.ts'
import { llmJudgePrompt } from '../scoring/index.ts'
import { codeArenaPrompt } from '../scoring/judging/judge-prompts.ts'
import { addUnfinished } from '../statistics/missing-cells.ts'
import { BudgetReached } from './asking/budget.ts'
import { isArenaCase, suiteIdOf } from './code-arena/suite.ts'
import {
  DEFAULT_CONCURRENCY,
  processCell,
  startEngine,
  type Engine,
  type EngineTools,
  type OpenCell,
  type RunSettings,
} from './engine.ts'
import type { Contestant } from './plan.ts'

/** Why a run stops before its last cell. */
type Stop = { status: RunStatus; error?: unknown; isBudgetUsedUp?: boolean }

/** Refused so many times in a row, and never answered: the key or the account is the trouble, and more requests would not help. */
const MOST_REFUSALS = 3

function explainStop(error: unknown): Stop {
  if (error instanceof ClientError && error.kind === 'cancelled') return { status: 'cancelled' }
  if (error instanceof BudgetReached) return { status: 'cancelled', isBudgetUsedUp: true }
  return { status: 'failed', error }
}

/**
 * Works through the cells of one provider; the first that cannot go on stops the taking of new ones. The limiter sees to it
 * that no more requests than `concurrency` are under way; twice as many cells are in hand, so that the next request leaves
 * as soon as an answer has come, and not only when that answer is stored and scored.
 */
async function drainQueue(cells: Iterator<OpenCell>, engine: Engine, stopped: { by?: Stop }): Promise<void> {
  const { concurrency = DEFAULT_CONCURRENCY, signal } = engine.settings
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
            stopped.by ??= { status: 'failed' }
            engine.context.emit({ type: 'provider-refused', error: refused })
          }
        } catch (error) {
          stopped.by ??= explainStop(error)
        }
    }
  }
  await Promise.all(Array.from({ length: 2 * concurrency }, work))
}

/** What is to be done: at each provider one cell after the other. */
interface Work {
  open: number
  queues: Iterator<OpenCell>[]
}

async function driveRun(runId: string, { open, queues }: Work, engine: Engine): Promise<RunResult> {
  const { storage, clock } = engine.tools
  const { emit, budget } = engine.context
  emit({ type: 'run-started', runId, cells: engine.contestants.size * engine.testCases.size, open })
  const stopped: { by?: Stop } = {}
  await Promise.all(queues.map((cells) => drainQueue(cells, engine, stopped)))

  const status = stopped.by?.status ?? 'completed'
  await storage.setRunStatus(runId, status, clock.now())
  // Not before now: what was under way when the budget was reached has been paid for too.
  if (stopped.by?.isBudgetUsedUp) emit({ type: 'budget-reached', spent: toDollars(budget.spent()) })
  emit({ type: 'run-finished', runId, status })
  if (stopped.by?.error !== undefined) throw stopped.by.error
  const { textsInResult = true, suite } = engine.settings
  const run = await storage.loadRun(runId, { texts: textsInResult, suite: false })
  if (!run) throw new InputError(`run ${runId} is gone: it was deleted while it ran`)
  return addUnfinished({ ...run, testSuiteSnapshot: suite })
}

function providerOf({ modelId }: Contestant, engine: Engine): string {
  return engine.clientOf(modelId).provider
}

/** Made one by one as they are asked for: a large run has very many. */
function* listCells(runId: string, { testCases }: Suite, contestants: Contestant[]): Generator<OpenCell, void, void> {
  for (const testCase of testCases)
    for (const { id } of contestants) yield { cell: { runId, testCaseId: testCase.id, modelId: id } }
}

/** Writes the run and its cells, before anything is asked. */
async function storeRun(runId: string, contestants: Contestant[], { settings, tools, judges }: Engine): Promise<void> {
  const { suite, seriesId } = settings
  const [firstJudge] = judges
  await tools.storage.createRun(
    {
      id: runId,
      testSuiteId: suiteIdOf(suite),
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      models: contestants.map(({ id }) => id),
      parameters: completeParameters(settings.parameters),
      startedAt: tools.clock.now(),
      versions: {
        ...tools.versions,
        ...(firstJudge !== undefined && {
          judgePrompt: (suite.testCases.some(isArenaCase) ? codeArenaPrompt : llmJudgePrompt).version,
        }),
      },
      ...(seriesId !== undefined && { seriesId }),
      ...(firstJudge !== undefined && { judgeModel: judges.join(',') }),
    },
    suite.testCases.flatMap((testCase) => contestants.map(({ id }) => ({ testCaseId: testCase.id, modelId: id }))),
  )
}

/** What counts against the budget already: the requests of these runs and of the series they belong to, judges' included. */
async function sumSpent(runIds: string[], { maxCost, seriesId }: RunSettings, storage: Storage): Promise<number> {
  if (maxCost === undefined) return 0
  const siblings = seriesId === undefined ? [] : await storage.runsOfSeries(seriesId)
  const costs: number[] = []
  for (const id of new Set([...siblings, ...runIds]))
    for (const { end } of await storage.loadAttempts(id)) costs.push(end?.cost ?? 0)
  return sumDollars(costs)
}

/** Asks every model every test case once and scores the answers. The run is stored cell by cell as it goes. */
export async function executeRun(settings: RunSettings, tools: EngineTools): Promise<RunResult> {
  const runId = tools.createId()
  const engine = startEngine(settings, tools, await sumSpent([], settings, tools.storage))
  const { suite } = settings
  const contestants = [...engine.contestants.values()]
  const byProvider = Map.groupBy(contestants, (contestant) => providerOf(contestant, engine))
  await storeRun(runId, contestants, engine)
  const queues = [...byProvider.values()].map((group) => listCells(runId, suite, group))
  return driveRun(runId, { open: suite.testCases.length * contestants.length, queues }, engine)
}

export interface ResumedRun {
  run: RunResult
  /** Cells that ended in error before and were tried again. */
  retried: number
  /** Cells that had no answer yet. */
  asked: number
  /** Answers that were stored and only had to be scored. */
  scored: number
}

/** Goes on from what is stored: asks what has no answer, scores what has no score, tries errors again. */
export async function resumeRun(runId: string, settings: RunSettings, tools: EngineTools): Promise<ResumedRun> {
  const { storage } = tools
  const engine = startEngine(settings, tools, await sumSpent([runId], settings, storage))
  const retried = await storage.reopenErrors(runId)
  await storage.setRunStatus(runId, 'running')
  const open = await storage.loadOpenCells(runId)
  const scored = open.filter(({ answer }) => answer).length
  const byProvider = Map.groupBy(open, ({ cell }) => providerOf(engine.contestants.get(cell.modelId)!, engine))
  const queues = [...byProvider.values()].map((cells) => cells.values())
  return {
    run: await driveRun(runId, { open: open.length, queues }, engine),
    retried,
    asked: open.length - scored,
    scored,
  }
}
