import {
  sumDollars,
  toDollars,
  type ModelRequest,
  type Money,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { llmJudgePrompt } from '../../scoring/index.ts'
import { codeArenaPrompt } from '../../scoring/judging/judge-prompts.ts'
import {
  buildRequest,
  createEstimator,
  planContestants,
  type EngineTools,
  type Price,
  type RunSettings,
} from '../../services/index.ts'
import { isArenaCase, isQuickCase } from '../../services/code-arena/suite.ts'
import { startEngine } from '../../services/engine.ts'
import type { Contestant } from '../../services/plan.ts'
import { priceTokens } from '../../services/asking/price.ts'
import { formatCost, formatCount } from '../../report/words/index.ts'
import { printJson, styleFor, type Terminal } from './terminal.ts'
import { cleanText, formatTable } from './text-table.ts'

/** A grade that cannot be read is asked for once more. */
const MOST_ASKS_A_GRADE = 2

/** What a Code Arena judge gets beside the code: pictures at three widths, before and after use, and the browser's findings. */
const MOST_PICTURES = 6
const FINDINGS_TOKENS = 2000

interface PlannedModel {
  modelId: string
  requests: number
  /** US dollars at most; null when the price is unknown. */
  cost: number | null
}

interface PlannedJudge extends PlannedModel {
  /** With every grade asked for twice, which is what `cost` counts. */
  mostRequests: number
}

interface DryRun {
  nothingSent: true
  suite: string
  cases: number
  repeat: number
  models: PlannedModel[]
  judges: PlannedJudge[]
  requests: number
  cost: number | null
  firstRequest: ModelRequest
}

function countGrades({ scoringMethod, checks = [] }: TestCase): number {
  return [scoringMethod, ...checks.map((check) => check.scoringMethod)].filter((method) => method === 'llm-judge')
    .length
}

/** What a judge is sent about one case, but for the answer itself. */
function writeJudgeRequest(
  testCase: TestCase,
  asked: ModelRequest,
  { judgeModelId, suite }: { judgeModelId: string; suite: Suite },
): ModelRequest {
  if (isArenaCase(testCase)) {
    const hasPictures = !isQuickCase(testCase)
    const text = codeArenaPrompt.write({
      task: testCase.prompt ?? '',
      code: '',
      findings: '',
      mark: 'mark',
      hasPictures,
    })
    const system = codeArenaPrompt.system(['visualAccuracy', 'codeQuality', 'functionality', 'responsiveness'])
    const pictures = Array.from({ length: hasPictures ? MOST_PICTURES : 0 }, () => ({
      type: 'image' as const,
      image: '',
    }))
    return {
      modelId: judgeModelId,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text }, ...pictures] },
      ],
      parameters: {},
    }
  }
  const task = asked.messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n')
  const text = llmJudgePrompt.write({ task, response: '', reference: testCase.expectedOutput, mark: 'mark' })
  return {
    modelId: judgeModelId,
    messages: [
      { role: 'system', content: `${llmJudgePrompt.system}\n\n${suite.judgeSystemPrompt ?? ''}` },
      { role: 'user', content: text },
    ],
    parameters: {},
  }
}

type Estimate = (request: ModelRequest) => Money | undefined

/** Unknown as soon as one part is. */
function sumCosts(costs: readonly (Money | undefined)[], times: number): number | null {
  let sum = 0n
  for (const cost of costs) {
    if (cost === undefined) return null
    sum += cost
  }
  return toDollars(sum * BigInt(times))
}

function planJudge(
  judgeModelId: string,
  contestants: readonly Contestant[],
  {
    suite,
    estimate,
    prices,
    repeat,
  }: { suite: Suite; estimate: Estimate; prices: ReadonlyMap<string, Price> | undefined; repeat: number },
): PlannedJudge {
  const price = prices?.get(judgeModelId)
  let grades = 0
  const costs: (Money | undefined)[] = []
  for (const contestant of contestants)
    for (const testCase of suite.testCases) {
      const isArena = isArenaCase(testCase)
      const times = isArena ? 1 : countGrades(testCase)
      if (times === 0) continue
      grades += times
      const words = estimate(writeJudgeRequest(testCase, buildRequest(testCase, contestant), { judgeModelId, suite }))
      const answer = price && priceTokens(contestant.parameters.maxTokens + (isArena ? FINDINGS_TOKENS : 0), 0, price)
      costs.push(words === undefined || answer === undefined ? undefined : (words + answer) * BigInt(times))
    }
  return {
    modelId: judgeModelId,
    requests: grades * repeat,
    mostRequests: grades * MOST_ASKS_A_GRADE * repeat,
    cost: sumCosts(costs, MOST_ASKS_A_GRADE * repeat),
  }
}

/** What a run would send and cost at most. Refuses what the run itself would refuse, in the same words. */
export function planDryRun(settings: RunSettings, tools: EngineTools, repeat: number): DryRun {
  const { judges: chosen } = startEngine(settings, tools, 0)
  const { suite, prices } = settings
  const contestants = planContestants(suite, settings.models, settings.parameters)
  const estimate = createEstimator(prices, tools.countTokens)
  const models = contestants.map((contestant) => {
    const requests = suite.testCases.map((testCase) => buildRequest(testCase, contestant))
    return {
      modelId: contestant.id,
      requests: requests.length * repeat,
      cost: sumCosts(requests.map(estimate), repeat),
    }
  })
  const judges = chosen
    .map((judge) => planJudge(judge, contestants, { suite, estimate, prices, repeat }))
    .filter(({ requests }) => requests > 0)
  const all = [...models, ...judges]
  return {
    nothingSent: true,
    suite: suite.name,
    cases: suite.testCases.length,
    repeat,
    models,
    judges,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    cost: all.every(({ cost }) => cost !== null) ? sumDollars(all.map(({ cost }) => cost ?? 0)) : null,
    firstRequest: buildRequest(suite.testCases[0]!, contestants[0]!),
  }
}

function formatMost(cost: number | null): string {
  return cost === null ? 'unknown' : `at most ${formatCost(cost)}`
}

export function printDryRun(plan: DryRun, { json = false }: { json?: boolean }, terminal: Terminal): void {
  const { suite, models, judges, requests, cost, firstRequest } = plan
  const rows = [
    ...models.map((model) => [cleanText(model.modelId), formatCount(model.requests), formatMost(model.cost)]),
    ...judges.map((judge) => [
      `${cleanText(judge.modelId)} (judge)`,
      `${formatCount(judge.requests)}, up to ${formatCount(judge.mostRequests)}`,
      formatMost(judge.cost),
    ]),
    ...(models.length + judges.length > 1 ? [['in all', formatCount(requests), formatMost(cost)]] : []),
  ]
  const table = formatTable(
    [{ title: 'Model' }, { title: 'Requests', align: 'right' }, { title: 'Cost', align: 'right' }],
    rows,
  )
  const text = `${styleFor(terminal)('bold', cleanText(suite))} · nothing was sent\n\n${table}\nThe first request:\n${JSON.stringify(firstRequest, null, 2)}\n`
  if (json) printJson(plan, terminal)
  const sink = json ? terminal.stderr : terminal.stdout
  sink.write(text)
}
