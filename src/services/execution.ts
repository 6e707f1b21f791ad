import { ClientError, InputError, sumDollars, toDollars, type RunResult, type RunStatus } from '../contract/index.ts'
import { llmJudgePrompt } from '../scoring/index.ts'
import { BudgetReached } from './budget.ts'
import { DEFAULT_CONCURRENCY, processCell, startEngine, type Engine, type EngineTools, type OpenCell, type RunSettings } from './engine.ts'
import { planContestants } from './plan.ts'

/** Why a run stops before its last cell. */
type Stop = { status: RunStatus; error?: unknown }

/** Refused so many times in a row, and never answered: the key or the account is the trouble, and more requests would not help. */
const MOST_REFUSALS = 3

function explainStop(error: unknown, engine: Engine): Stop {
  if (error instanceof ClientError && error.kind === 'cancelled') return { status: 'cancelled' }
  if (error instanceof BudgetReached) {
    engine.context.emit({ type: 'budget-reached', spent: toDollars(engine.context.budget.spent()) })
    return { status: 'cancelled' }
  }
  return { status: 'failed', error }
}

/**
 * Works through the cells of one provider; the first that cannot go on stops the taking of new ones. The limiter sees to it
 * that no more requests than `concurrency` are under way; twice as many cells are in hand, so that the next request leaves
 * as soon as an answer has come, and not only when that answer is stored and scored.
 */
async function drainQueue(cells: OpenCell[], engine: Engine, stopped: { by?: Stop }): Promise<void> {
  const { concurrency = DEFAULT_CONCURRENCY, signal } = engine.settings
  let next = 0
  let refusals = 0
  const work = async () => {
    while (next < cells.length && !stopped.by) {
      if (signal?.aborted) stopped.by ??= { status: 'cancelled' }
      else
        try {
          const refused = await processCell(cells[next++]!, engine)
          refusals = refused ? refusals + 1 : -Infinity
          if (refused && refusals >= MOST_REFUSALS) {
            stopped.by ??= { status: 'failed' }
            engine.context.emit({ type: 'provider-refused', error: refused })
          }
        } catch (error) {
          stopped.by ??= explainStop(error, engine)
        }
    }
  }
  await Promise.all(Array.from({ length: Math.min(2 * concurrency, cells.length) }, work))
}

async function driveRun(runId: string, open: OpenCell[], engine: Engine): Promise<RunResult> {
  const { storage, clock } = engine.tools
  const { emit } = engine.context
  emit({ type: 'run-started', runId, cells: engine.contestants.size * engine.testCases.size, open: open.length })
  const stopped: { by?: Stop } = {}
  const queues = Map.groupBy(open, ({ cell }) => engine.clientOf(engine.contestants.get(cell.modelId)!.modelId).provider)
  await Promise.all([...queues.values()].map((cells) => drainQueue(cells, engine, stopped)))

  const status = stopped.by?.status ?? 'completed'
  await storage.setRunStatus(runId, status, clock.now())
  emit({ type: 'run-finished', runId, status })
  if (stopped.by?.error !== undefined) throw stopped.by.error
  const run = await storage.loadRun(runId)
  if (!run) throw new InputError(`run ${runId} is gone: it was deleted while it ran`)
  return run
}

/** Asks every model every test case once and scores the answers. The run is stored cell by cell as it goes. */
export async function executeRun(settings: RunSettings, tools: EngineTools): Promise<RunResult> {
  const engine = startEngine(settings, tools, 0)
  const { suite, parameters, seriesId } = settings
  const runId = tools.createId()
  const contestants = [...engine.contestants.values()]
  const cells = suite.testCases.flatMap((testCase) => contestants.map(({ id }) => ({ testCaseId: testCase.id, modelId: id })))
  const [firstJudge] = engine.judges
  await tools.storage.createRun(
    {
      id: runId,
      testSuiteId: suite.name,
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      models: contestants.map(({ id }) => id),
      parameters: planContestants(suite, settings.models, parameters)[0]!.parameters,
      startedAt: tools.clock.now(),
      versions: { ...tools.versions, ...(firstJudge !== undefined && { judgePrompt: llmJudgePrompt.version }) },
      ...(seriesId !== undefined && { seriesId }),
      ...(firstJudge !== undefined && { judgeModel: engine.judges.join(',') }),
    },
    cells,
  )
  return driveRun(runId, cells.map((cell) => ({ cell: { ...cell, runId } })), engine)
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
  const attempts = await storage.loadAttempts(runId)
  const engine = startEngine(settings, tools, sumDollars(attempts.map(({ end }) => end?.cost ?? 0)))
  const retried = await storage.reopenErrors(runId)
  await storage.setRunStatus(runId, 'running')
  const open = await storage.loadOpenCells(runId)
  const scored = open.filter(({ answer }) => answer).length
  return { run: await driveRun(runId, open, engine), retried, asked: open.length - scored, scored }
}
