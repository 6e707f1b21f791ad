import {
  ClientError,
  ScoringError,
  toDollars,
  toMoney,
  type CellEvent,
  type CellKey,
  type Client,
  type EmbeddingMemory,
  type Judging,
  type ModelAnswer,
  type ModelRequest,
  type Money,
  type ScoredConversation,
  type ScoringResult,
  type Unscored,
  listSimulatedJudges,
} from '../contract/index.ts'
import { EnvironmentFailed, openEnvironment, replayCalls, type Environment } from './agents/environment.ts'
import { holdConversation, type HeldConversation, type Host } from './agents/hold-conversation.ts'
import type { PlannedConversation } from './agents/planned-conversation.ts'
import { readScored, readUserWords } from './agents/score-conversation.ts'
import { requestAnswer, type RequestContext, type RequestWatch } from './requesting/request-answer.ts'
import { costOf } from './requesting/check-answer.ts'
import { discloseCached } from './requesting/disclose-cached.ts'
import { createBudget, type Budget, type Spending } from './requesting/budget.ts'
import { createLimiter, type Limiter } from './requesting/limiter.ts'
import { createBatchedClient, NO_TIMEOUT_MS } from './batching/batched-client.ts'
import { openBatchStore } from './batching/stored-batches.ts'
import { isArenaCase } from './code-arena/suite.ts'
import { isPairwise, buildRequest, conversationWith, taskOf, type Contestant, type PlannedCase } from './plan.ts'
import { createWaitingCases, type WaitingCases } from './comparing/waiting-cases.ts'
import { readPageChecks, scorePage } from './codeArenaExecution.ts'
import { createEstimator } from './estimate.ts'
import { findMonthlyBudgets, type MonthlyBudgets } from './limits/monthly-budgets.ts'
import { openSharedBudget } from './limits/shared-budget.ts'
import { createPacing, createThrottle, limitThrottle, type Throttle } from './limits/pacing.ts'
import type { RunEvent } from './events.ts'
import type { PreparedRun } from './prepare.ts'
import { sumSpent } from './stored-runs/spent.ts'
import type { ClaimedOptions, Connections, RunTools } from './run-tools.ts'

export interface OpenCell {
  cell: CellKey
  answer?: ModelAnswer
}

/** One run, ready to send requests and score answers. */
export interface Engine {
  prepared: PreparedRun
  tools: RunTools
  options: ClaimedOptions
  context: RequestContext
  contestants: ReadonlyMap<string, Contestant>
  cases: ReadonlyMap<string, PlannedCase>
  clientOf: Connections['clientOf']
  /** How many cells of one provider are worked on at once; the limiter keeps the requests in progress within their limit. */
  cellsAtOnce: number
  estimate: (request: ModelRequest) => Money | undefined
  embeddings: EmbeddingMemory
  /** The tools and the world of a conversation; a log that has begun goes on in it. */
  openEnvironment(conversation: PlannedConversation, log?: readonly CellEvent[]): Promise<Environment>
  /** The world after the reference of a case, replayed once. */
  expectedWorlds: Map<string, Promise<unknown>>
  waiting: WaitingCases
  /** Gives back what it holds of limits and budgets. Never rejects. */
  close(): Promise<void>
}

export interface EngineInput {
  prepared: PreparedRun
  tools: RunTools
  options: ClaimedOptions
  runId: string
  seriesId?: string | undefined
  /** Which run of the series, from 0. */
  index: number
  /** What has already been spent from the budget. */
  spent: Spending
  /** Of a worker, by provider: its engines share them, and whoever made them ends the run's pacing. */
  limiters?: Map<string, Limiter>
}

/** All requests that are ready go into one batch. */
const MAX_CELLS_IN_BATCHES = 100_000

/** With `batch`, the clients that can do so send batches; the others, such as a simulated judge, send each request by itself. */
function connectModels({ prepared, tools, options, index, runId }: EngineInput): Connections['clientOf'] {
  const { clientOf } = tools.connect(prepared.request, index)
  if (!prepared.request.batch) return clientOf
  const { storage, clock, createId } = tools
  const store = openBatchStore(runId, storage)
  const emit = (event: RunEvent) => options.onEvent?.(event)
  const batched = new Map<Client, Client>()
  return (modelId) => {
    const client = clientOf(modelId)
    const found =
      batched.get(client) ??
      (client.batches ? createBatchedClient(client, { store, clock, createId, emit, signal: options.signal }) : client)
    batched.set(client, found)
    return found
  }
}

/** Batches have limits of their own, which the provider keeps. */
function createThrottles({
  prepared,
  tools,
  runId,
  seriesId = runId,
  limiters,
}: EngineInput): RequestContext['throttleOf'] {
  const { concurrency, requestsPerMinute, tokensPerMinute, batch = false } = prepared.request
  const { clock, pacing = createPacing({ clock }) } = tools
  const rates = { requestsPerMinute, tokensPerMinute }
  // Each worker counts its own requests in progress; the limits per minute hold for all workers together.
  const run = { id: seriesId, limits: limiters ? rates : { ...rates, concurrency } }
  const batchThrottle = createThrottle(createLimiter(MAX_CELLS_IN_BATCHES))
  return (client: Client): Throttle => {
    if (batch && client.batches) return batchThrottle
    const throttle = pacing.throttleOf(client, run)
    if (!limiters) return throttle
    const limiter = limiters.get(client.provider) ?? createLimiter(concurrency)
    limiters.set(client.provider, limiter)
    return limitThrottle(throttle, limiter)
  }
}

type EngineBudget = Budget & { close?(): Promise<void> }

/** More than anybody pays. */
const NO_LIMIT = toMoney(1e9)

/** In memory while only this process pays from it; in the database if others may. */
async function openBudget(
  { prepared, tools, runId, seriesId, spent }: EngineInput,
  monthly: MonthlyBudgets,
): Promise<EngineBudget> {
  const { maxCost, batch = false } = prepared.request
  const isShared = tools.pacing?.isShared && maxCost !== undefined
  if (!isShared && monthly.recounts.length === 0) return createBudget(maxCost, spent)
  const id = `run:${seriesId ?? runId}`
  const limit = maxCost === undefined ? NO_LIMIT : toMoney(maxCost)
  const own = { id, limit, label: `the budget of ${maxCost} dollars` }
  const sum = async () => {
    const stored = seriesId === undefined ? [runId] : await tools.storage.runsOfSeries(seriesId)
    return sumSpent(stored, prepared, tools)
  }
  return openSharedBudget({
    accounts: () => [own, ...monthly.accounts()],
    storage: tools.storage,
    // Requests of a batch are not paid again after a resume.
    recounts: [{ account: id, sum, isAlwaysNeeded: batch }, ...monthly.recounts],
  })
}

function claimOf({ claimToken, confirmClaim }: ClaimedOptions): RequestContext['claim'] {
  return claimToken === undefined || !confirmClaim ? undefined : { token: claimToken, confirm: confirmClaim }
}

export async function createEngine(input: EngineInput): Promise<Engine> {
  const { prepared, tools, options } = input
  const { request, contestants, cases, prices } = prepared
  const { maxCost, concurrency, maxTimeSeconds, batch = false } = request
  const monthly = await findMonthlyBudgets(request, tools)
  const budget = await openBudget(input, monthly)
  const isPriced = maxCost !== undefined || monthly.recounts.length > 0
  const emit: RequestContext['emit'] = (event) => options.onEvent?.(event)
  const plannedOf = new Map(cases.map((planned) => [planned.testCase.id, planned]))
  const engine: Engine = {
    prepared,
    tools,
    options,
    contestants: new Map(contestants.map((contestant) => [contestant.id, contestant])),
    cases: plannedOf,
    clientOf: connectModels(input),
    // Twice the concurrency, so that the next request leaves as soon as an answer arrives, not only after that answer
    // is stored and scored.
    cellsAtOnce: batch ? MAX_CELLS_IN_BATCHES : 2 * concurrency,
    // Counting tokens is slow, and only a budget needs it.
    estimate: isPriced ? createEstimator(prices, await tools.loadTokenCounter()) : () => undefined,
    embeddings: new Map(),
    openEnvironment: (conversation, log) =>
      openEnvironment(
        conversation,
        { runToolCode: tools.scoring.runToolCode, external: tools.external, signal: options.signal },
        log,
      ),
    expectedWorlds: new Map(),
    waiting: createWaitingCases({
      cases: plannedOf,
      contestants,
      storage: tools.storage,
      random: tools.random,
      concurrency,
      judgingOf: (cell) => createJudging(cell, engine),
      onScored: (cell, score) => emit({ type: 'cell-scored', cell, score }),
    }),
    context: {
      storage: tools.storage,
      clock: tools.clock,
      random: tools.random,
      budget,
      throttleOf: createThrottles(input),
      emit,
      signal: options.signal,
      claim: claimOf(options),
      drain: options.drain,
      maxTimeMs: batch ? NO_TIMEOUT_MS : maxTimeSeconds * 1000,
    },
    close: async () => {
      // Whatever cannot be given back now expires.
      await Promise.allSettled([
        input.limiters ? undefined : tools.pacing?.endRun(input.seriesId ?? input.runId),
        budget.close?.(),
      ])
    },
  }
  return engine
}

function withTimeout(request: ModelRequest, { prepared }: Engine): ModelRequest {
  const { timeoutSeconds } = prepared.request
  return timeoutSeconds === undefined ? request : { ...request, firstTokenTimeoutMs: timeoutSeconds * 1000 }
}

function requestCell({ cell }: OpenCell, engine: Engine, watch: RequestWatch | undefined): Promise<ModelAnswer> {
  const contestant = engine.contestants.get(cell.modelId)!
  const request = withTimeout(buildRequest(engine.cases.get(cell.testCaseId)!, contestant), engine)
  return requestAnswer(
    {
      cell,
      purpose: 'answer',
      client: engine.clientOf(contestant.modelId),
      request,
      price: engine.prepared.prices.get(contestant.modelId),
      estimate: engine.estimate(request),
      watch,
    },
    engine.context,
  )
}

/** What a conversation needs to go on. */
function hostOf({ modelId }: CellKey, engine: Engine): Host {
  const { context, prepared } = engine
  return {
    context,
    contestant: engine.contestants.get(modelId)!,
    reach: (given) => {
      const request = withTimeout(given, engine)
      return {
        client: engine.clientOf(request.modelId),
        request,
        price: prepared.prices.get(request.modelId),
        estimate: engine.estimate(request),
      }
    },
    openEnvironment: engine.openEnvironment,
  }
}

/** The simulated price of a judge is none that a run of real models could be charged. */
function withoutCost(client: Client): Client {
  if (client.provider !== 'demo') return client
  return {
    ...client,
    complete: async (request, options) => ({ ...(await client.complete(request, options)), cost: 0 }),
  }
}

function createJudging(cell: CellKey, engine: Engine): Judging {
  const { request, suite, prices } = engine.prepared
  const simulated = listSimulatedJudges(request.judgeModelIds, request.models)
  return {
    judgeModelIds: request.judgeModelIds,
    systemPrompt: suite.judgeSystemPrompt,
    combine: request.combineJudges,
    embeddings: engine.embeddings,
    callModel: (judgeRequest) =>
      requestAnswer(
        {
          cell,
          purpose: 'judge',
          client: simulated.includes(judgeRequest.modelId)
            ? withoutCost(engine.clientOf(judgeRequest.modelId))
            : engine.clientOf(judgeRequest.modelId),
          request: withTimeout(judgeRequest, engine),
          price: prices.get(judgeRequest.modelId),
          estimate: engine.estimate(judgeRequest),
        },
        engine.context,
      ),
  }
}

export async function scoreCell(
  cell: CellKey,
  answer: ModelAnswer,
  engine: Engine,
): Promise<ScoringResult | { unscored: Unscored }> {
  const { response, toolCalls } = answer
  const planned = engine.cases.get(cell.testCaseId)!
  const contestant = engine.contestants.get(cell.modelId)
  const spent = costOf(answer, contestant && engine.prepared.prices.get(contestant.modelId))
  const { testCase, compiled } = planned
  const { storage, random, pages } = engine.tools
  const { watch, withAge } = discloseCached()
  const unwatched = createJudging(cell, engine)
  const judging = { ...unwatched, callModel: watch(unwatched.callModel) }
  try {
    if (isArenaCase(testCase)) {
      const { emit, signal } = engine.context
      const score = await scorePage({
        cell,
        testCase,
        task: taskOf(planned, contestant ?? { id: cell.modelId }),
        checks: readPageChecks(compiled),
        response,
        judging,
        pages,
        storage,
        random,
        signal,
        onSeen: () => emit({ type: 'page-seen', cell }),
      })
      return withAge(score)
    }
    const held = planned.conversation && (await readConversation(cell, planned.conversation, engine))
    const score = await engine.tools.scoring.scoreAnswer(
      compiled,
      {
        response,
        ...(toolCalls && { toolCalls }),
        ...(held && { conversation: held.conversation }),
        latencyMs: answer.latencyMs,
        keepPicture: (name, content) => storage.saveArtifact(cell, { name, mediaType: 'image/png', content }),
        ...(spent !== undefined && { cost: toDollars(spent) }),
        prompt: taskOf(planned, contestant ?? { id: cell.modelId }),
      },
      judging,
    )
    return withAge({ ...score, ...(held?.userWords !== undefined && { userWords: held.userWords }) })
  } catch (error) {
    if (error instanceof EnvironmentFailed) return { unscored: { code: 'environment-error', message: error.message } }
    if (!(error instanceof ScoringError)) throw error
    return { unscored: { code: error.code, message: error.message } }
  }
}

/** The world after the reference: on a fresh one, with what was called before the conversation. */
async function replayReference(conversation: PlannedConversation, engine: Engine): Promise<unknown> {
  const { reference, before } = conversation
  const environment = await engine.openEnvironment(conversation)
  try {
    const called = before.flatMap((step) => ('name' in step ? [step] : []))
    return await replayCalls([...called, ...(reference ?? [])], environment, conversation)
  } finally {
    await environment.close(true)
  }
}

async function readConversation(
  cell: CellKey,
  conversation: PlannedConversation,
  engine: Engine,
): Promise<{ conversation: ScoredConversation; userWords: number | undefined }> {
  const { caseId, reference } = conversation
  const log = await engine.tools.storage.loadEvents(cell)
  if (reference && !engine.expectedWorlds.has(caseId))
    engine.expectedWorlds.set(caseId, replayReference(conversation, engine))
  return {
    conversation: readScored(log, conversation, await engine.expectedWorlds.get(caseId)),
    userWords: readUserWords(log, conversation),
  }
}

/** A reader of the score sees what was left out of the answer. */
function addNotes<Score extends ScoringResult | { unscored: Unscored }>(score: Score, { notes }: ModelAnswer): Score {
  if (!notes || 'unscored' in score) return score
  return { ...score, notes: [score.notes, ...notes].filter((line) => line !== undefined).join('\n') }
}

/** Takes one cell from request to stored score; a stored answer is not requested again. Throws `ModelGivenUp`. */
export async function processCell(open: OpenCell, engine: Engine, watch?: RequestWatch): Promise<void> {
  const { cell } = open
  const { storage } = engine.tools
  const { emit } = engine.context
  const isWaiting = isPairwise(engine.cases.get(cell.testCaseId)!)
  const planned = engine.cases.get(cell.testCaseId)!
  const { conversation } = planned
  let { answer } = open
  let failure: HeldConversation['failure']
  // One whose user or environment failed has an answer, and goes on from there.
  const isOver = answer?.finishReason !== undefined
  if (!answer || (conversation && !isOver)) {
    try {
      if (conversation) {
        const host = hostOf(cell, engine)
        const own = conversationWith(conversation, planned, host.contestant)
        ;({ answer, failure } = await holdConversation(cell, own, host, watch))
      } else answer = await requestCell(open, engine, watch)
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      await storage.saveError(cell, error.kind === 'timeout' ? 'timeout' : 'error', error.message)
      emit({ type: 'cell-failed', cell, error: error.message })
      if (isWaiting) await engine.waiting.arrive(cell, false)
      return
    }
  }
  if (isWaiting) {
    await engine.waiting.arrive(cell, true)
    return
  }
  const score = failure ? { unscored: failure } : addNotes(await scoreCell(cell, answer, engine), answer)
  await storage.saveScore(cell, score)
  emit({ type: 'cell-scored', cell, score })
}
