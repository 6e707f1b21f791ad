import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  InputError,
  toDollars,
  type ModelRequest,
  type Money,
  type RunRequest,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { llmJudgePrompt } from '../../scoring/index.ts'
import { buildRequest, createEstimator, planContestants, type Price } from '../../services/index.ts'
import type { Contestant } from '../../services/plan.ts'
import { priceTokens } from '../../services/asking/price.ts'
import type { ServerContext } from '../context.ts'
import { selectCases } from './plan-run.ts'
import { Refusal } from '../http/refusal.ts'
import { runsNeededFor } from '../suites/scorer-list.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { methodsOf } from '../suites/suite-summaries.ts'

/** POST /api/estimate, body as for POST /api/runs */
export interface RunEstimate {
  cells: number
  /** Answers and, at most, judge calls. */
  requests: number
  promptTokens: number
  /** US dollars at most, all runs; absent when a price is unknown. */
  cost?: number
  unknownPrices: string[]
  /** Why it cannot be started as it is. */
  problems: string[]
  runsNeeded: string
}

/** An unreadable grade is asked for once more. */
const MOST_ASKS_A_GRADE = 2

/** Counting may take seconds for a large suite; others have their turn in between. */
const TURN_MS = 20

/** A token of this model costs a dollar, so that the price of a request tells how many it has. */
const COUNTED = 'counted'
const COUNTING: Price = { prompt: 1, completion: 0 }

const JUDGE_METHOD = 'llm-judge'

/** Judges are asked without a limit of their own; the engine takes this for it. */
const JUDGE_ANSWER_TOKENS = 2048

/** What a judge is sent about one case, but for the answer itself; with how many grades the case has. */
function writeJudgeRequest(
  testCase: TestCase,
  { messages }: ModelRequest,
  { judgeSystemPrompt = '' }: Suite,
): { request: ModelRequest; grades: number } | undefined {
  const grades = methodsOf(testCase).filter((method) => method === JUDGE_METHOD).length
  if (grades === 0) return undefined
  const task = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n')
  const text = llmJudgePrompt.write({ task, response: '', reference: testCase.expectedOutput, mark: 'mark' })
  const system = `${llmJudgePrompt.system}\n${judgeSystemPrompt}`
  return {
    grades,
    request: {
      modelId: COUNTED,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: text },
      ],
      parameters: {},
    },
  }
}

async function explainMissing(context: ServerContext, models: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const model of new Set(models)) {
    try {
      context.clientFor(model)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      problems.push(error.message)
    }
  }
  return problems
}

interface Counted {
  /** Tokens of all prompts, by contestant. */
  promptTokens: Map<Contestant, number>
  /** What one judge gets to read, without answers, for each contestant's cases; and how many grades it gives. */
  judgeTokens: Map<Contestant, number>
  grades: number
}

/** Contestants with the same system prompt are asked the same, so their prompts are counted once. */
async function countTokens(
  suite: Suite,
  contestants: readonly Contestant[],
  count: (text: string) => number,
): Promise<Counted> {
  const countPrompt = createEstimator(new Map([[COUNTED, COUNTING]]), count)
  const tokensOf = (request: ModelRequest) => toDollars(countPrompt({ ...request, modelId: COUNTED }) ?? 0n)
  const groups = [...Map.groupBy(contestants, ({ systemPrompt }) => systemPrompt).values()]
  const counted: Counted = { promptTokens: new Map(), judgeTokens: new Map(), grades: 0 }
  const add = (tokens: Map<Contestant, number>, group: readonly Contestant[], more: number) => {
    for (const contestant of group) tokens.set(contestant, (tokens.get(contestant) ?? 0) + more)
  }
  let turnEnds = performance.now() + TURN_MS
  for (const testCase of suite.testCases) {
    for (const group of groups) {
      const asked = buildRequest(testCase, group[0]!)
      add(counted.promptTokens, group, tokensOf(asked))
      const judged = writeJudgeRequest(testCase, asked, suite)
      if (!judged) continue
      add(counted.judgeTokens, group, tokensOf(judged.request) * judged.grades)
      counted.grades += judged.grades * group.length
    }
    if (performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
  }
  return counted
}

/** At most: every answer as long as it may be, every grade asked for twice. Undefined when a price is. */
function sumCosts(
  counted: Counted,
  { cases, grades }: { cases: number; grades: number },
  judges: readonly string[],
  prices: ReadonlyMap<string, Price>,
): Money | undefined {
  let sum = 0n
  for (const [contestant, tokens] of counted.promptTokens) {
    const { modelId, parameters } = contestant
    const price = prices.get(modelId)
    if (!price) return undefined
    sum += priceTokens(tokens, cases * parameters.maxTokens, price)
    for (const judge of judges) {
      const judgePrice = prices.get(judge)
      if (!judgePrice) return undefined
      const read = (counted.judgeTokens.get(contestant) ?? 0) + grades * parameters.maxTokens
      sum += priceTokens(read * MOST_ASKS_A_GRADE, grades * MOST_ASKS_A_GRADE * JUDGE_ANSWER_TOKENS, judgePrice)
    }
  }
  return sum
}

function findProblems(
  { models, judgeModelIds, maxCost }: RunRequest,
  isJudged: boolean,
  unknownPrices: string[],
): string[] {
  const twice = models.find((model, index) => models.indexOf(model) !== index)
  return [
    ...(twice === undefined ? [] : [`model ${twice} is chosen twice`]),
    ...(isJudged && judgeModelIds.length === 0
      ? ['the suite has cases that a judge grades, and no judge is chosen']
      : []),
    ...(maxCost !== undefined && unknownPrices.length > 0
      ? [`the price of ${unknownPrices.join(', ')} is unknown, so a budget cannot be kept; leave the budget out`]
      : []),
  ]
}

const NOTHING = { cells: 0, requests: 0, promptTokens: 0, unknownPrices: [] }

/** What a run would send and cost at most, and what keeps it from starting. Asks no model. */
export async function estimateRun(request: RunRequest, context: ServerContext): Promise<RunEstimate> {
  let suite: Suite
  try {
    suite = selectCases((await loadRunnableSuite(context.storage, request.suiteId)).suite, request)
  } catch (error) {
    if (!(error instanceof InputError || (error instanceof Refusal && error.status === 422))) throw error
    return { ...NOTHING, problems: [error.message], runsNeeded: runsNeededFor([]) }
  }
  const methods = new Set(suite.testCases.flatMap(methodsOf))
  const runsNeeded = runsNeededFor(methods)
  const isJudged = runsNeeded !== runsNeededFor([])
  const judges = isJudged ? request.judgeModelIds : []
  const models = [...new Set([...request.models, ...judges])]
  const missing = await explainMissing(context, models)
  const prices =
    missing.length > 0
      ? new Map<string, Price>()
      : await context.readPrices(models).catch(() => new Map<string, Price>())
  const unknownPrices = models.filter((model) => !prices.has(model))
  const contestants = planContestants(suite, [...new Set(request.models)], request.parameters)
  const tools = await context.engineTools({ countsTokens: true })
  const counted = await countTokens(suite, contestants, tools.countTokens)
  const cells = suite.testCases.length * contestants.length
  const cost = sumCosts(
    counted,
    { cases: suite.testCases.length, grades: counted.grades / contestants.length },
    judges,
    prices,
  )
  return {
    cells: cells * request.repeat,
    requests: (cells + counted.grades * judges.length * MOST_ASKS_A_GRADE) * request.repeat,
    promptTokens: [...counted.promptTokens.values()].reduce((sum, tokens) => sum + tokens, 0) * request.repeat,
    ...(cost !== undefined && { cost: toDollars(cost * BigInt(request.repeat)) }),
    unknownPrices,
    problems: [...missing, ...findProblems({ ...request, judgeModelIds: judges }, isJudged, unknownPrices)],
    runsNeeded,
  }
}
