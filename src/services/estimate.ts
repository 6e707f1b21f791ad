import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sumDollars, toDollars, type ModelRequest, type Money, type StoredAttempt } from '../contract/index.ts'
import { listScoring, llmJudgePrompt, type ModelCalls, type CompiledCase } from '../scoring/index.ts'
import { findPreset } from '../scoring/judging/judge-presets.ts'
import { codeArenaPrompt, writeJudgeSystem } from '../scoring/judging/judge-prompts.ts'
import { priceTokens, type Price } from './requesting/price.ts'
import { conversationOf, isArenaCase, isQuickCase } from './code-arena/suite.ts'
import { isPairwise, buildRequest, countCells, messagesOf, taskOf, type Contestant, type PlannedCase } from './plan.ts'
import { embeddersOf, judgesOf, type PreparedRun } from './prepare.ts'

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
  requests: number
  /** If every grade is requested twice. */
  mostRequests: number
  /** For the models' requests only; the answers that judges and embedding models read are not known yet. */
  promptTokens: number
  cost: number | null
  /** The most that a single request can cost, which the budget keeps back for each; null when a price is unknown. */
  largestRequest: number | null
  /** Only with a budget whose prices are known. */
  budget?: BudgetOutlook
  unknownPrices: readonly string[]
  problems: readonly string[]
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
  const texts = messages.reduce((sum, { content }) => {
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
    const maxTokens = request.embed ? 0 : (request.parameters.maxTokens ?? DEFAULT_MAX_TOKENS)
    return price && priceTokens(countPrompt(request, countTokens), maxTokens, price)
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
  const isConversation = cases.some(({ testCase }) => conversationOf(testCase))
  const promptsOf = ({ id, systemPrompt, variant }: Contestant) =>
    JSON.stringify([systemPrompt, variant?.prompt, variant?.messages, isConversation && id])
  for (const group of Map.groupBy(contestants, promptsOf).values()) {
    const sum: TokenCounts = { promptTokens: 0, judgeTokens: 0, longestPrompt: 0, longestJudgePrompt: 0 }
    for (const planned of cases) {
      const prompt = countPrompt(buildRequest(planned, group[0]!), countTokens)
      sum.promptTokens += prompt
      sum.longestPrompt = Math.max(sum.longestPrompt, prompt)
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
      price && priceTokens(longestPrompt, maxTokens, price),
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

/** The most that the plan would send and cost. Calls no model. */
export async function estimateRun(prepared: PreparedRun, countTokens: CountTokens): Promise<RunEstimate> {
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
    const { promptTokens } = counted.get(contestant)!
    const price = prices.get(contestant.modelId)
    const cost = price && priceTokens(promptTokens, cases.length * contestant.parameters.maxTokens, price)
    return {
      modelId: contestant.id,
      requests: cases.length * repeat,
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
  const all = [...models, ...judges, ...embeddings]
  const cost = all.every((one) => one.cost !== null) ? sumDollars(all.map((one) => one.cost ?? 0)) : null
  const largestRequest = cost === null ? null : toDollars(findLargestRequest(prepared, counted))
  const budget = checkBudget(request.maxCost, { cost, largestRequest })
  return {
    suite: suite.name,
    cases: cases.length,
    repeat,
    cells: countCells(prepared) * repeat,
    models,
    judges,
    embeddings,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    mostRequests:
      [...models, ...embeddings].reduce((sum, { requests }) => sum + requests, 0) +
      judges.reduce((sum, judge) => sum + judge.mostRequests, 0),
    promptTokens: models.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    cost,
    largestRequest,
    ...(budget && { budget }),
    unknownPrices,
    problems,
  }
}
