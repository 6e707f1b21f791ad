import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sumDollars, toDollars, type ModelRequest, type Money, type StoredAttempt } from '../contract/index.ts'
import { listScoring, llmJudgePrompt, type ModelCalls, type CompiledCase } from '../scoring/index.ts'
import type { AnswerLengths } from './answer-lengths.ts'
import { findPreset } from '../scoring/judging/judge-presets.ts'
import { codeArenaPrompt, writeJudgeSystem } from '../scoring/judging/judge-prompts.ts'
import { countAnswerTokens } from './answer-tokens.ts'
import { priceTokens, type Price } from './requesting/price.ts'
import { conversationOf, isArenaCase, isQuickCase } from './code-arena/suite.ts'
import { isPairwise, buildRequest, countCells, messagesOf, taskOf, type Contestant, type PlannedCase } from './plan.ts'
import { embeddersOf, judgesOf, usersOf, type PreparedRun } from './prepare.ts'
import { listTools } from './agents/planned-conversation.ts'
import { countUserRequests } from './agents/count-user-requests.ts'
import { writeMessages } from './agents/next-step.ts'

/** What chat formats add to each message. */
const TOKENS_PER_MESSAGE = 4

/** Assumed for an image of unknown size. */
const TOKENS_PER_IMAGE = 1000

/** Assumed for an answer whose request sets no limit, such as a judge's. */
const DEFAULT_MAX_TOKENS = 2048

/** A Code Arena judge also gets pictures at three widths, before and after use, and the browser's findings. */
const MAX_PICTURES = 6
const FINDINGS_TOKENS = 2000

/** Counting a large suite takes seconds, so the event loop gets a turn this often. */
const TURN_MS = 20

type CountTokens = (text: string) => number

interface EstimatedModel {
  modelId: string
  requests: number
  promptTokens: number
  /** Upper bound in US dollars; null when the price is unknown. */
  cost: number | null
}

interface EstimatedJudge extends EstimatedModel {
  /** If every grade is requested twice; `promptTokens` and `cost` assume this. */
  mostRequests: number
}

/** The most that a request would send and cost: every answer at its maximum length, every grade requested twice. */
export interface RunEstimate {
  suite: string
  cases: number
  repeat: number
  cells: number
  models: EstimatedModel[]
  judges: EstimatedJudge[]
  /** The embedding models, which read every answer and the expected texts. */
  embeddings: EstimatedModel[]
  /** The models that play users of conversations. */
  users: EstimatedModel[]
  requests: number
  /** If every grade is requested twice. */
  mostRequests: number
  /** For the models' requests only; the answers that judges and embedding models read are not known yet. */
  promptTokens: number
  cost: number | null
  /** What the run would cost if answers are as long as in earlier runs; absent without such runs or a price. */
  likely?: LikelyCost
  /** The most that a single request can cost, which the budget keeps back for each; null when a price is unknown. */
  largestRequest: number | null
  /** Only with a budget whose prices are known. */
  budget?: BudgetOutlook
  unknownPrices: readonly string[]
  problems: readonly string[]
}

interface LikelyCost {
  cost: number
  /** How many earlier runs it is from. */
  runs: number
}

/**
 * What to expect of a budget. A request is sent only if the most it can cost still fits, so a budget that is smaller
 * than the cost of the whole run leaves up to one such maximum unused: `too-small` if one alone may exceed it.
 */
interface BudgetOutlook {
  maxCost: number
  outlook: 'enough' | 'may-stop' | 'too-small'
}

function checkBudget(
  maxCost: number | undefined,
  { cost, largestRequest }: Pick<RunEstimate, 'cost' | 'largestRequest'>,
): BudgetOutlook | undefined {
  if (maxCost === undefined || cost === null || largestRequest === null) return undefined
  return { maxCost, outlook: cost <= maxCost ? 'enough' : largestRequest > maxCost ? 'too-small' : 'may-stop' }
}

function countTexts(texts: readonly string[], countTokens: CountTokens): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0)
}

export function countPrompt({ messages, tools, embed }: ModelRequest, countTokens: CountTokens): number {
  if (embed) return countTexts(embed, countTokens)
  const texts = messages.reduce((before, { content, toolCalls }) => {
    const sum = before + (toolCalls ? countTokens(JSON.stringify(toolCalls)) : 0)
    if (typeof content === 'string') return sum + TOKENS_PER_MESSAGE + countTokens(content)
    return content.reduce(
      (inner, part) => inner + (part.type === 'text' ? countTokens(part.text) : TOKENS_PER_IMAGE),
      sum + TOKENS_PER_MESSAGE,
    )
  }, 0)
  return texts + (tools ? countTokens(JSON.stringify(tools)) : 0)
}

/** The most that a request can cost: its prompt and an answer of maximum length. Undefined without a price. */
export function createEstimator(prices: ReadonlyMap<string, Price>, countTokens: CountTokens) {
  return (request: ModelRequest): Money | undefined => {
    const price = prices.get(request.modelId)
    const answer = request.embed ? 0 : countAnswerTokens(request)
    return price && priceTokens(countPrompt(request, countTokens), answer, price)
  }
}

/** The longest criteria and context of the presets that a case is judged by. */
function findLongestPreset({ compiled }: PlannedCase) {
  const longest = (texts: unknown[]) =>
    texts.filter((text) => typeof text === 'string').toSorted((a, b) => b.length - a.length)[0]
  const options = listScoring(compiled.checks).map((check) => check.options)
  const presets = options.map(({ preset }) => (typeof preset === 'string' ? findPreset(preset) : undefined))
  const criteria = longest(presets.map((preset) => preset?.criteria))
  return {
    preset: presets.find((preset) => preset !== undefined && preset.criteria === criteria),
    context: longest(options.map(({ context }) => context)),
  }
}

/** The longest of the texts that the case's checks send to a judge; undefined if none has a prompt of its own. */
function longestReads({ checks }: CompiledCase, task: string): readonly string[] | undefined {
  const reads = listScoring(checks).flatMap(({ scorer, expectedOutput, options }) => {
    const texts = scorer.judgePromptTexts?.(
      { prompt: task, ...(expectedOutput !== undefined && { expectedOutput }) },
      options,
    )
    return texts ? [texts] : []
  })
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
  return reads.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
}

/**
 * Judge calls for one answer, by each judge. Compared answers are read in pairs, in both orders: with n models that is
 * n − 1 calls an answer, each with two answers to read.
 */
function countGrading(planned: PlannedCase, contestants: number): { calls: ModelCalls; answersRead: number } {
  const { expected, most } = planned.compiled.modelCalls
  if (!isPairwise(planned)) return { calls: { expected, most }, answersRead: most }
  const opponents = contestants - 1
  return { calls: { expected: expected * opponents, most: most * opponents }, answersRead: 2 * most * opponents }
}

/** What a judge is sent for one case, without the answer itself. */
function writeJudgeRequest(planned: PlannedCase, contestant: Contestant, judgeSystemPrompt: string): ModelRequest {
  const { testCase } = planned
  if (isArenaCase(testCase)) {
    const hasPictures = !isQuickCase(testCase)
    const text = codeArenaPrompt.write({
      task: taskOf(planned, contestant),
      code: '',
      findings: '',
      mark: 'mark',
      hasPictures,
    })
    const system = codeArenaPrompt.system(['visualAccuracy', 'codeQuality', 'functionality', 'responsiveness'])
    const pictures = Array.from({ length: hasPictures ? MAX_PICTURES : 0 }, () => ({
      type: 'image' as const,
      image: '',
    }))
    return {
      modelId: '',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text }, ...pictures] },
      ],
      parameters: {},
    }
  }
  const task = messagesOf(planned, contestant)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n')
  const { preset, context } = findLongestPreset(planned)
  const text = llmJudgePrompt.write({ task, response: '', reference: testCase.expectedOutput, context, mark: 'mark' })
  const [system, ...rest] = longestReads(planned.compiled, task) ?? []
  return {
    modelId: '',
    messages: [
      {
        role: 'system',
        content:
          system === undefined ? writeJudgeSystem(preset, judgeSystemPrompt) : `${system}\n\n${judgeSystemPrompt}`,
      },
      { role: 'user', content: rest.length === 0 ? text : rest.join('\n\n') },
    ],
    parameters: {},
  }
}

/** What a judge reads besides the answer, in tokens. */
function countJudgePrompt(
  planned: PlannedCase,
  contestant: Contestant,
  judgeSystemPrompt: string,
  countTokens: CountTokens,
): number {
  const findings = isArenaCase(planned.testCase) ? FINDINGS_TOKENS : 0
  return countPrompt(writeJudgeRequest(planned, contestant, judgeSystemPrompt), countTokens) + findings
}

/**
 * The most that a request in the ledger can have cost: for a budget, when its actual cost is unknown. Undefined without
 * a price, and for a case or a model that the run no longer has.
 */
export function createAttemptEstimator(
  { cases, contestants, prices, suite }: PreparedRun,
  countTokens: CountTokens,
): (attempt: StoredAttempt) => Money | undefined {
  const caseOf = new Map(cases.map((planned) => [planned.testCase.id, planned]))
  const contestantOf = new Map(contestants.map((contestant) => [contestant.id, contestant]))
  const estimate = createEstimator(prices, countTokens)
  return ({ purpose, askedModel, testCaseId, modelId }) => {
    const planned = caseOf.get(testCaseId)
    const contestant = contestantOf.get(modelId)
    if (!planned || !contestant) return undefined
    if (purpose === 'answer') return estimate(buildRequest(planned, contestant))
    if (purpose === 'user') return estimate({ ...buildRequest(planned, contestant), modelId: askedModel })
    const price = prices.get(askedModel)
    const embedded = planned.compiled.embeddingCalls.filter(({ modelId: embedder }) => embedder === askedModel)
    if (embedded.length > 0) {
      const expected = Math.max(...embedded.map(({ texts }) => countTexts(texts, countTokens)))
      return price && priceTokens(expected + contestant.parameters.maxTokens, 0, price)
    }
    const read = countJudgePrompt(planned, contestant, suite.judgeSystemPrompt ?? '', countTokens)
    const answers = isPairwise(planned) ? 2 * longestAnswer(contestants) : contestant.parameters.maxTokens
    return price && priceTokens(read + answers, DEFAULT_MAX_TOKENS, price)
  }
}

function longestAnswer(contestants: readonly Contestant[]): number {
  return Math.max(...contestants.map(({ parameters }) => parameters.maxTokens))
}

/** Upper bounds: the tokens of one contestant's prompts, and of what one judge reads besides its answers. */
interface TokenCounts {
  /** More than one for a conversation: as many as its limits allow. */
  requests: number
  promptTokens: number
  judgeTokens: number
  /** Of a single request. */
  longestPrompt: number
  longestJudgePrompt: number
}

/** Contestants with the same system prompt and question get the same prompts, which are counted once. */
async function countTokensOf(
  { cases, contestants, suite }: PreparedRun,
  countTokens: CountTokens,
): Promise<Map<Contestant, TokenCounts>> {
  const counted = new Map<Contestant, TokenCounts>()
  let turnEnds = performance.now() + TURN_MS
  const isConversation = cases.some(({ testCase, conversation }) => conversation ?? conversationOf(testCase))
  const promptsOf = ({ id, systemPrompt, variant }: Contestant) =>
    JSON.stringify([systemPrompt, variant?.prompt, variant?.messages, isConversation && id])
  for (const group of Map.groupBy(contestants, promptsOf).values()) {
    const sum: TokenCounts = { requests: 0, promptTokens: 0, judgeTokens: 0, longestPrompt: 0, longestJudgePrompt: 0 }
    for (const planned of cases) {
      const prompt = countPrompt(buildRequest(planned, group[0]!), countTokens)
      const turns = planned.conversation?.limits.turns ?? 1
      // Each request of a conversation has all answers before it in its prompt.
      const answer = countAnswerTokens(group[0]!)
      sum.requests += turns
      const { user } = planned.conversation ?? {}
      const exchange = answer + (user ? countAnswerTokens(user) : 0)
      sum.promptTokens += prompt * turns + (exchange * turns * (turns - 1)) / 2
      sum.longestPrompt = Math.max(sum.longestPrompt, prompt + exchange * (turns - 1))
      const { most } = countGrading(planned, contestants.length).calls
      if (most > 0) {
        const read = countJudgePrompt(planned, group[0]!, suite.judgeSystemPrompt ?? '', countTokens)
        sum.judgeTokens += read * most
        sum.longestJudgePrompt = Math.max(sum.longestJudgePrompt, read)
      }
      if (performance.now() > turnEnds) {
        await yieldToEventLoop()
        turnEnds = performance.now() + TURN_MS
      }
    }
    for (const contestant of group) counted.set(contestant, sum)
  }
  return counted
}

interface EstimatedUser extends EstimatedModel {
  largest: Money
}

/** At most: the user is asked in every turn, and every message has its maximum length. */
function estimateUser(
  modelId: string,
  { cases, contestants, prices, request: { repeat } }: PreparedRun,
  countTokens: CountTokens,
): EstimatedUser {
  const sum = { requests: 0, promptTokens: 0, answerTokens: 0, longestPrompt: 0, longestAnswer: 0 }
  for (const { conversation } of cases) {
    if (conversation?.user?.modelId !== modelId) continue
    const { user } = conversation
    const tools = listTools(conversation, 'user')
    const messages = writeMessages([], 'user', conversation)
    const { parameters } = user
    const request = { modelId, messages, parameters, ...(tools.length > 0 && { tools }) }
    const prompt = countPrompt(request, countTokens)
    const answer = countAnswerTokens(user)
    const requests = countUserRequests(conversation)
    for (const contestant of contestants) {
      const exchange = answer + countAnswerTokens(contestant)
      sum.requests += requests
      sum.promptTokens += prompt * requests + (exchange * requests * (requests - 1)) / 2
      sum.answerTokens += answer * requests
      sum.longestPrompt = Math.max(sum.longestPrompt, prompt + exchange * Math.max(0, requests - 1))
      sum.longestAnswer = Math.max(sum.longestAnswer, answer)
    }
  }
  const price = prices.get(modelId)
  return {
    modelId,
    requests: sum.requests * repeat,
    promptTokens: sum.promptTokens * repeat,
    cost: toCost(price && priceTokens(sum.promptTokens, sum.answerTokens, price), repeat),
    largest: price ? priceTokens(sum.longestPrompt, sum.longestAnswer, price) : 0n,
  }
}

/** The most that a single request of the run can cost. */
function findLargestRequest(prepared: PreparedRun, counted: ReadonlyMap<Contestant, TokenCounts>): Money {
  const { cases, contestants, prices } = prepared
  const judges = judgesOf(prepared)
  const answersRead = cases.some(isPairwise) ? 2 : 1
  const costs = contestants.flatMap((contestant) => {
    const { longestPrompt, longestJudgePrompt } = counted.get(contestant)!
    const { maxTokens } = contestant.parameters
    const price = prices.get(contestant.modelId)
    return [
      price && priceTokens(longestPrompt, countAnswerTokens(contestant), price),
      ...judges.map((judge) => {
        const judgePrice = prices.get(judge)
        return judgePrice && priceTokens(longestJudgePrompt + answersRead * maxTokens, DEFAULT_MAX_TOKENS, judgePrice)
      }),
    ]
  })
  return costs.reduce<Money>((largest, cost = 0n) => (cost > largest ? cost : largest), 0n)
}

function toCost(money: Money | undefined, repeat: number): number | null {
  return money === undefined ? null : toDollars(money * BigInt(repeat))
}

/** At most: every answer at its maximum length, every expected text with every answer. */
function estimateEmbeddings(
  modelId: string,
  { cases, contestants, prices, request: { repeat } }: PreparedRun,
  countTokens: CountTokens,
): EstimatedModel {
  const embeddingCalls = cases
    .flatMap(({ compiled }) => compiled.embeddingCalls)
    .filter((embedded) => embedded.modelId === modelId)
  const expected = embeddingCalls.reduce((sum, { texts }) => sum + countTexts(texts, countTokens), 0)
  const answers = contestants.reduce((sum, { parameters }) => sum + parameters.maxTokens, 0)
  const promptTokens = expected * contestants.length + answers * embeddingCalls.length
  const price = prices.get(modelId)
  return {
    modelId,
    requests: embeddingCalls.length * contestants.length * repeat,
    promptTokens: promptTokens * repeat,
    cost: toCost(price && priceTokens(promptTokens, 0, price), repeat),
  }
}

/** As long as the answers of earlier runs, and no longer than they may be. */
function findLikelyLength({ id, parameters }: Contestant, lengths: AnswerLengths): number {
  return Math.min(parameters.maxTokens, Math.round(lengths.models.get(id) ?? lengths.all))
}

interface Counts {
  counted: ReadonlyMap<Contestant, TokenCounts>
  judging: { expected: number; most: number; answersRead: number }
  /** What embedding models read at most: an upper bound is close enough, for their answers are cheap. */
  embeddings: readonly EstimatedModel[]
}

/** Undefined if the length of a reply or a price is unknown. */
function estimateLikely(
  prepared: PreparedRun,
  { counted, judging, embeddings }: Counts,
  lengths: AnswerLengths,
): LikelyCost | undefined {
  const { cases, contestants, prices, request } = prepared
  const answers = contestants.map((contestant) => {
    const price = prices.get(contestant.modelId)
    const { promptTokens } = counted.get(contestant)!
    if (!cases.some(({ conversation }) => conversation))
      return price && priceTokens(promptTokens, cases.length * findLikelyLength(contestant, lengths), price)
    const { prompts, models, all } = lengths
    const read = cases.length * (prompts.models.get(contestant.id) ?? prompts.all)
    const written = cases.length * (models.get(contestant.id) ?? all)
    return price && priceTokens(Math.round(read), Math.round(written), price)
  })
  const isOnce = judging.most === 0 ? 0 : judging.expected / judging.most
  const grades = judgesOf(prepared).map((judge) => {
    const price = prices.get(judge)
    if (!price || lengths.judges === undefined) return undefined
    const read = contestants.reduce(
      (sum, contestant) =>
        sum +
        counted.get(contestant)!.judgeTokens * isOnce +
        judging.answersRead * isOnce * findLikelyLength(contestant, lengths),
      0,
    )
    return priceTokens(Math.round(read), Math.round(judging.expected * contestants.length * lengths.judges), price)
  })
  const users = usersOf(prepared).map((user) => {
    const price = prices.get(user)
    if (!price || lengths.users === undefined) return undefined
    const talks = contestants.length * cases.filter(({ conversation }) => conversation?.user?.modelId === user).length
    const { promptTokens, completionTokens } = lengths.users
    return priceTokens(Math.round(talks * promptTokens), Math.round(talks * completionTokens), price)
  })
  const costs = [...answers, ...grades, ...users].map((money) => toCost(money, request.repeat))
  const all = [...costs, ...embeddings.map(({ cost }) => cost)].filter((cost) => cost !== null)
  if (all.length < costs.length + embeddings.length) return undefined
  return { cost: sumDollars(all), runs: lengths.runs }
}

/** The most that the plan would send and cost, and with `lengths` what is likely. Calls no model. */
export async function estimateRun(
  prepared: PreparedRun,
  countTokens: CountTokens,
  lengths?: AnswerLengths,
): Promise<RunEstimate> {
  const { request, suite, cases, contestants, prices, unknownPrices, problems } = prepared
  const { repeat } = request
  const counted = await countTokensOf(prepared, countTokens)
  const judging = { expected: 0, most: 0, answersRead: 0 }
  for (const planned of cases) {
    const { calls, answersRead } = countGrading(planned, contestants.length)
    judging.expected += calls.expected
    judging.most += calls.most
    judging.answersRead += answersRead
  }

  const models = contestants.map((contestant): EstimatedModel => {
    const { promptTokens, requests } = counted.get(contestant)!
    const price = prices.get(contestant.modelId)
    const cost = price && priceTokens(promptTokens, requests * countAnswerTokens(contestant), price)
    return {
      modelId: contestant.id,
      requests: requests * repeat,
      promptTokens: promptTokens * repeat,
      cost: toCost(cost, repeat),
    }
  })
  const judges = judgesOf(prepared).map((modelId): EstimatedJudge => {
    const price = prices.get(modelId)
    const read = contestants.reduce(
      (sum, contestant) =>
        sum + counted.get(contestant)!.judgeTokens + judging.answersRead * contestant.parameters.maxTokens,
      0,
    )
    const mostRequests = judging.most * contestants.length
    return {
      modelId,
      requests: judging.expected * contestants.length * repeat,
      mostRequests: mostRequests * repeat,
      promptTokens: read * repeat,
      cost: toCost(price && priceTokens(read, mostRequests * DEFAULT_MAX_TOKENS, price), repeat),
    }
  })
  const embeddings = embeddersOf(prepared).map((modelId) => estimateEmbeddings(modelId, prepared, countTokens))
  const played = usersOf(prepared).map((modelId) => estimateUser(modelId, prepared, countTokens))
  const users = played.map(({ largest: _own, ...user }): EstimatedModel => user)
  const all = [...models, ...judges, ...embeddings, ...users]
  const cost = all.every((one) => one.cost !== null) ? sumDollars(all.map((one) => one.cost ?? 0)) : null
  const largest = [findLargestRequest(prepared, counted), ...played.map((user) => user.largest)]
  const largestRequest = cost === null ? null : toDollars(largest.reduce((most, one) => (one > most ? one : most)))
  const budget = checkBudget(request.maxCost, { cost, largestRequest })
  const likely = lengths && estimateLikely(prepared, { counted, judging, embeddings }, lengths)
  return {
    suite: suite.name,
    cases: cases.length,
    repeat,
    cells: countCells(prepared) * repeat,
    models,
    judges,
    embeddings,
    users,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    mostRequests:
      [...models, ...embeddings, ...users].reduce((sum, { requests }) => sum + requests, 0) +
      judges.reduce((sum, judge) => sum + judge.mostRequests, 0),
    promptTokens: models.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    cost,
    ...(likely && cost !== null && { likely: { ...likely, cost: Math.min(likely.cost, cost) } }),
    largestRequest,
    ...(budget && { budget }),
    unknownPrices,
    problems,
  }
}

/** True if the budget is smaller than what a request to any of the models may cost: then none would be sent. */
export function fitsNoRequest({ models, budget }: Pick<RunEstimate, 'models' | 'budget'>): boolean {
  return (
    budget?.outlook === 'too-small' &&
    models.every(({ cost, requests }) => cost !== null && cost / requests > budget.maxCost)
  )
}
