import {
  ClientError,
  InputError,
  ScoringError,
  toMoney,
  type CancelSignal,
  type CellKey,
  type Client,
  type Judging,
  type ModelAnswer,
  type ModelRequest,
  type Money,
  type PageTools,
  type ModelParameters,
  type ScoringResult,
  type Storage,
  type Suite,
  type Unscored,
} from '../contract/index.ts'
import { codeArena } from '../scoring/code-arena-judge.ts'
import { compileSuite, isJudged, type CompiledCase, type Scoring } from '../scoring/index.ts'
import { ask, type AskContext } from './asking/ask.ts'
import { createBudget } from './asking/budget.ts'
import type { Clock } from './asking/clock.ts'
import { scorePage } from './codeArenaExecution.ts'
import { isArenaCase } from './code-arena/suite.ts'
import { createEstimator } from './estimate.ts'
import type { RunEvent } from './events.ts'
import { createLimiter, type Limiter } from './asking/limiter.ts'
import { buildRequest, planContestants, readTools, type Contestant } from './plan.ts'
import type { Price } from './asking/price.ts'

/** Requests under way at once at one provider, unless said otherwise. */
export const DEFAULT_CONCURRENCY = 5

export interface RunSettings {
  suite: Suite
  models: readonly string[]
  /** One for all models, or a way to find each model's. */
  client: Client | ((modelId: string) => Client)
  parameters?: Partial<ModelParameters> | undefined
  /** One judge, or several as a panel. */
  judgeModelId?: string | readonly string[] | undefined
  combineJudges?: 'mean' | 'median' | undefined
  concurrency?: number | undefined
  /** Milliseconds until the first token. */
  timeoutMs?: number | undefined
  /** US dollars, judges included, for all runs of a series together. Needs the price of every model. */
  maxCost?: number | undefined
  prices?: ReadonlyMap<string, Price> | undefined
  seriesId?: string | undefined
  /** False: what is given back in the end has the numbers alone, without responses and scorers' words. */
  textsInResult?: boolean | undefined
  onEvent?: ((event: RunEvent) => void) | undefined
  signal?: CancelSignal | undefined
}

/** What the engine needs of the machine. */
export interface EngineTools {
  storage: Storage
  scoring: Scoring
  clock: Clock
  random: () => number
  createId: () => string
  /** Counts tokens of a prompt, for estimates. */
  countTokens: (text: string) => number
  versions: Record<string, string>
  /** For the Code Arena, where the program has it. */
  pages?: PageTools | undefined
}

export interface OpenCell {
  cell: CellKey
  answer?: ModelAnswer
}

/** One run's settings and tools, checked and ready. */
export interface Engine {
  settings: RunSettings
  tools: EngineTools
  context: AskContext
  contestants: Map<string, Contestant>
  testCases: Map<string, CompiledCase>
  clientOf(modelId: string): Client
  estimate: (request: ModelRequest) => Money | undefined
  judges: readonly string[]
}

function listJudges({ judgeModelId }: RunSettings): readonly string[] {
  if (judgeModelId === undefined) return []
  return typeof judgeModelId === 'string' ? [judgeModelId] : judgeModelId
}

/** Everything that can be wrong is found here, before anything is written or sent. */
function checkSettings(
  settings: RunSettings,
  cases: CompiledCase[],
  contestants: Contestant[],
  judges: readonly string[],
): void {
  const { suite, concurrency = DEFAULT_CONCURRENCY, maxCost, prices } = settings
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new InputError(`concurrency is ${concurrency}; it must be a whole number from 1 on`)
  const unknown = cases.flatMap(({ problems }) => problems).find(({ code }) => code === undefined)
  if (unknown) throw new InputError(unknown.message)
  const judged = cases.find((compiled) => isJudged(compiled) && !isArenaCase(compiled.testCase))
  if (judged && judges.length === 0)
    throw new InputError(
      `test case ${judged.testCase.id} is scored by ${judged.checks.find(({ scorer }) => isJudged(scorer))!.scorer.name}, and no judge model is set; name one (--judge)`,
    )
  for (const testCase of suite.testCases) readTools(testCase)
  if (maxCost === undefined) return
  if (!(maxCost > 0)) throw new InputError(`the budget is ${maxCost}; it must be more than 0 dollars`)
  const unpriced = [...new Set([...contestants.map(({ modelId }) => modelId), ...judges])].filter(
    (model) => !prices?.has(model),
  )
  if (unpriced.length > 0)
    throw new InputError(
      `the price of ${unpriced.join(', ')} is unknown, so a budget cannot be kept; leave the budget out, or give prices`,
    )
}

/** Checks the settings, so that nothing is written or sent when they are wrong. `alreadySpent` counts against the budget. */
export function startEngine(settings: RunSettings, tools: EngineTools, alreadySpent: number): Engine {
  const judges = listJudges(settings)
  const contestants = planContestants(settings.suite, settings.models, settings.parameters)
  const cases = compileSuite(settings.suite, [...tools.scoring.scorers, codeArena])
  checkSettings(settings, cases, contestants, judges)
  const { client, concurrency = DEFAULT_CONCURRENCY, onEvent, maxCost } = settings
  const limiters = new Map<string, Limiter>()
  const limiterOf = ({ provider }: Client): Limiter => {
    const known = limiters.get(provider) ?? createLimiter(concurrency)
    limiters.set(provider, known)
    return known
  }
  return {
    settings,
    tools,
    judges,
    contestants: new Map(contestants.map((contestant) => [contestant.id, contestant])),
    testCases: new Map(cases.map((compiled) => [compiled.testCase.id, compiled])),
    clientOf: (modelId) => (typeof client === 'function' ? client(modelId) : client),
    // Counting tokens takes time that only a budget is worth.
    estimate: maxCost === undefined ? () => undefined : createEstimator(settings.prices, tools.countTokens),
    context: {
      storage: tools.storage,
      clock: tools.clock,
      random: tools.random,
      budget: createBudget(maxCost, toMoney(alreadySpent)),
      limiterOf,
      emit: (event) => onEvent?.(event),
      signal: settings.signal,
    },
  }
}

function withTimeout(request: ModelRequest, { timeoutMs }: RunSettings): ModelRequest {
  return timeoutMs === undefined ? request : { ...request, firstTokenTimeoutMs: timeoutMs }
}

function askCell({ cell }: OpenCell, engine: Engine): Promise<ModelAnswer> {
  const contestant = engine.contestants.get(cell.modelId)!
  const request = withTimeout(
    buildRequest(engine.testCases.get(cell.testCaseId)!.testCase, contestant),
    engine.settings,
  )
  return ask(
    {
      cell,
      purpose: 'answer',
      client: engine.clientOf(contestant.modelId),
      request,
      price: engine.settings.prices?.get(contestant.modelId),
      estimate: engine.estimate(request),
    },
    engine.context,
  )
}

function createJudging(cell: CellKey, { settings, judges, clientOf, estimate, context }: Engine): Judging {
  return {
    judgeModelIds: judges,
    systemPrompt: settings.suite.judgeSystemPrompt,
    combine: settings.combineJudges,
    ask: (request) =>
      ask(
        {
          cell,
          purpose: 'judge',
          client: clientOf(request.modelId),
          request: withTimeout(request, settings),
          price: settings.prices?.get(request.modelId),
          estimate: estimate(request),
        },
        context,
      ),
  }
}

export async function scoreCell(
  cell: CellKey,
  answer: ModelAnswer,
  engine: Engine,
): Promise<ScoringResult | { unscored: Unscored }> {
  const { response, toolCalls } = answer
  const compiled = engine.testCases.get(cell.testCaseId)!
  const { testCase } = compiled
  const { storage, random, pages } = engine.tools
  try {
    if (isArenaCase(testCase)) {
      const { emit, signal } = engine.context
      return await scorePage({
        cell,
        testCase,
        response,
        judging: createJudging(cell, engine),
        pages,
        storage,
        random,
        signal,
        onSeen: () => emit({ type: 'page-seen', page: cell }),
      })
    }
    return await engine.tools.scoring.scoreCompiled(
      compiled,
      { response, ...(toolCalls && { toolCalls }) },
      createJudging(cell, engine),
    )
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    return { unscored: { code: error.code, message: error.message } }
  }
}

/** Whether the provider refuses us altogether, and not this one request. */
function isRefusedAltogether({ status }: ClientError): boolean {
  return status === 401 || status === 402 || status === 403
}

/**
 * One cell from question to stored score. What was answered before is not asked again. Gives the provider's words when it
 * refuses us altogether.
 */
export async function processCell(open: OpenCell, engine: Engine): Promise<string | undefined> {
  const { cell } = open
  const { storage } = engine.tools
  const { emit } = engine.context
  let { answer } = open
  if (!answer) {
    try {
      answer = await askCell(open, engine)
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      await storage.saveError(cell, error.kind === 'timeout' ? 'timeout' : 'error', error.message)
      emit({ type: 'cell-failed', cell, error: error.message })
      return isRefusedAltogether(error) ? error.message : undefined
    }
  }
  const score = await scoreCell(cell, answer, engine)
  await storage.saveScore(cell, score)
  emit({ type: 'cell-scored', cell, score })
  return undefined
}
