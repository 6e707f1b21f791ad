import {
  defaultOf,
  parameterOptions,
  passMarkOfMethod,
  type ModelParameters,
  type Option,
  type RunRequest,
  type ScoreTable,
} from '../../contract/index.ts'
import {
  countWithoutScore,
  estimateUserShare,
  type IntervalMethod,
  type ModelComparison,
  type UserShare,
  type VerdictTest,
} from '../../statistics/index.ts'
import { FEWEST_UNITS } from '../../statistics/tests/verdict-p.ts'
import type { CountedText } from '../model/standings/report-row.ts'
import { describeSending, describeUnknownCosts } from './runs/sending.ts'
import { joinWords } from './names.ts'
import { formatCount, formatMargin, formatPercent, formatScoreTick } from './numbers.ts'
import { PAIRWISE_BASIS } from './judges/judging.ts'
import { advisePlans, listFixedJudges } from './verdicts/verdicts.ts'

const INTERVALS: Record<IntervalMethod, string> = {
  'clopper-pearson': 'Clopper-Pearson, for scores that are all 0 or 100',
  t: "Student's t on the weighted standard error",
  't-and-unseen-mass': "Student's t, widened: most scores are identical",
  'unseen-mass': 'a bound on answers not seen yet: all scores are identical',
  'identical-runs': 'a bound on changes not seen yet: all runs are identical',
  'over-cases': 'over cases',
}

/** The default pass marks. */
const MARKS = `exact-match ${formatScoreTick(passMarkOfMethod('exact-match'))}, llm-judge ${formatScoreTick(passMarkOfMethod('llm-judge'))}, pairwise ${formatScoreTick(passMarkOfMethod('pairwise'))}, other methods 100`

const TESTS: Record<VerdictTest, string> = {
  'mcnemar-mid-p': "McNemar's mid-p test (scores that are all 0 or 100) and Student's t, of which the larger p counts",
  'sign-flips': "sign flips (mid-p) and Student's t, of which the larger p counts",
  sequential:
    'a betting test after every case, in the drawn order, which is right however often one looks (Waudby-Smith and Ramdas); intervals are confidence sequences at the level of the line that decides a pair',
  'sequential-holm':
    'for runs that may have stopped early a betting test in their drawn order, which is right whenever they stopped (Waudby-Smith and Ramdas); its intervals are confidence sequences',
}

/** How an interval was computed, in a few words. */
export function describeIntervalMethod(method: IntervalMethod): string {
  return INTERVALS[method]
}

/** The parameters of a run in one line, without most defaults and without what Benchmark Mode locks. */
export function describeParameters(parameters: Partial<ModelParameters> = {}): string {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode } = parameters
  const parts = [
    benchmarkMode ? 'Benchmark Mode (temperature 0)' : temperature !== undefined && `temperature ${temperature}`,
    topP !== undefined && topP !== 1 && `top-p ${topP}`,
    maxTokens !== undefined && `at most ${formatCount(maxTokens)} tokens`,
    !benchmarkMode && frequencyPenalty && `frequency penalty ${frequencyPenalty}`,
    !benchmarkMode && presencePenalty && `presence penalty ${presencePenalty}`,
    ...describeMoreParameters(parameters),
  ].filter((part) => typeof part === 'string')
  return parts.length === 0 ? 'parameters unknown' : parts.join(', ')
}

/** The parameters that are sent only if they are set. The values of headers are not shown. */
function describeMoreParameters(given: Partial<ModelParameters>): string[] {
  const { reasoningEffort, thinkingBudget, seed, topK, stop, responseFormat, extraBody, headers = {} } = given
  const names = Object.keys(headers)
  return [
    reasoningEffort !== undefined && `reasoning effort ${reasoningEffort}`,
    thinkingBudget !== undefined && `thinks at most ${formatCount(thinkingBudget, 'token')}`,
    seed !== undefined && `seed ${seed}`,
    topK !== undefined && `top-k ${topK}`,
    stop && `stops at ${stop.map((text) => JSON.stringify(text)).join(', ')}`,
    responseFormat !== undefined &&
      `answers as ${typeof responseFormat === 'string' ? responseFormat : 'JSON of a schema'}`,
    extraBody && `extra body ${JSON.stringify(extraBody)}`,
    names.length > 0 && `headers ${joinWords(names)}`,
  ].filter((part) => typeof part === 'string')
}

/** What single models got instead, as `model: reasoning effort high`. */
export function describeModelParameters({ modelParameters = {} }: Pick<RunRequest, 'modelParameters'>): string[] {
  return Object.entries(modelParameters).map(([model, parameters]) => {
    const given = new Map<string, unknown>(Object.entries(parameters))
    const usual = Object.entries<Option>(parameterOptions).flatMap(([name, option]) =>
      defaultOf(option) !== undefined && given.has(name)
        ? [`${option.label.toLowerCase()} ${String(given.get(name))}`]
        : [],
    )
    return `${model}: ${[...usual, ...describeMoreParameters(parameters)].join(', ')}`
  })
}

interface MethodRow {
  modelId: string
  cost: { unknown: number }
  hosts?: CountedText[]
  leftOut?: CountedText[]
  score?: { method: IntervalMethod }
  unscored: number
  errors: number
  notRun: number
}

/** Whether how far judges lean is part of the verdicts. */
function describeJudgesInVerdicts(comparisons: readonly ModelComparison[]): string[] {
  const paired = comparisons.flatMap((comparison) => comparison.paired ?? [])
  const isFixed = paired.some((pair) => listFixedJudges(pair).length > 0)
  const isDrawn = paired.some((pair) => pair.judging?.spread && listFixedJudges(pair).length === 0)
  return [
    ...(isDrawn
      ? [
          'The judges of a panel count as drawn at random, as cases do: how far they differ on a difference is part of its interval and p, by Student’s t with one degree of freedom fewer than judges.',
        ]
      : []),
    ...(isFixed
      ? [
          'Verdicts “as judged by” a judge take it for neutral: how far it leans towards a model is not part of the interval, and only ratings by people of both answers show it.',
        ]
      : []),
  ]
}

/** How much of the variation between repeats of a conversation is that of the simulated user. */
function describeUserShare(found: UserShare | undefined): string | undefined {
  if (!found) return undefined
  if (found.kind === 'no-variation')
    return 'Repeats of these conversations vary agent and user; all repeats of a case scored the same.'
  if (found.kind === 'same-words')
    return 'The simulated user said the same in all repeats of a case: how far they vary is the agent’s alone.'
  if (found.kind === 'unknown')
    return `Repeats of these conversations vary agent and user, and how much is the user’s cannot be told: it said the same in too few repeats of a case (${formatCount(found.pairs)}). Scripted turns vary the agent alone.`
  const { share, low, high } = found
  return `Of the variance between repeats of a case, at most ${formatPercent(share)} is the simulated user’s (95 % CI ${formatPercent(low)} to ${formatPercent(high)}): that much less do repeats vary in which it said the same. What it said also follows from the agent’s words, so its own part may be smaller.`
}

/** How the numbers of a report were computed: only what applies to it. */
export function describeMethod(table: ScoreTable, rows: MethodRow[], comparisons: ModelComparison[]): string[] {
  const { runs, cells } = table
  const methods = new Set(rows.flatMap(({ score }) => (score ? [score.method] : [])))
  const intervals = [...methods].map(describeIntervalMethod)
  const isSeries = runs.length > 1
  const averaged = isSeries ? ', each case averaged over its runs first' : ''
  const tests = [...new Set(comparisons.flatMap(({ paired }) => (paired ? [TESTS[paired.verdictTest]] : [])))]
  const isSequential = comparisons.some(({ paired }) => paired?.verdictTest === 'sequential')
  const correction = `, with ${isSequential ? 'Shaffer' : 'Holm'}'s correction over all pairs shown`
  const corrected = comparisons.length > 1 ? correction : ''
  const notes = [
    'Scores are 0 to 100; means are weighted by the weights of the cases.',
    `The 95 % confidence interval (95 % CI) is for the mean over more cases like these${averaged}${intervals.length > 0 ? ` (${intervals.join('; ')})` : ''}.`,
    `An answer passes if it reaches the pass mark of its case (${MARKS}, unless the suite or the case sets another; with several checks, each must reach its own). The pass rate is the weighted share of cases that passed${averaged}; its 95 % CI is Clopper-Pearson, for more cases like these.`,
    isSeries &&
      `Over several runs of the same cases, ± is the standard deviation between runs and the interval is for more such runs.`,
    describeUserShare(estimateUserShare(table)),
    comparisons.length > 0 &&
      `Models are compared case by case with ${tests.join(' or ')}${corrected}; a difference counts as real if p is below 0.05, from ${formatCount(FEWEST_UNITS, 'case')} on. A rank such as 2–3 means 2nd or 3rd: it counts only the models that are significantly better or worse.`,
    comparisons.some(({ paired }) => paired && paired.clusters < paired.n) &&
      'Cases that belong together count as one: signs are flipped by whole groups, and Student’s t has one degree of freedom fewer than groups.',
    ...describeJudgesInVerdicts(comparisons),
    cells.compared.includes(1) && PAIRWISE_BASIS,
    advisePlans(comparisons),
    rows.some((row) => countWithoutScore(row) > 0) &&
      'Cells without a score (gaps) are excluded from averages; the report lists how many there are, why, and how far they could move the mean.',
    ...describeSending(rows),
    describeUnknownCosts(rows),
    'Latency is the median over answers; cost is the sum over answers with a known price.',
  ]
  return notes.filter((note) => typeof note === 'string')
}

/** Which cases a run took and how it sent them, where that was chosen. */
export function describeRequest(request: RunRequest): string {
  const { filter, limit, sameWithin, until, decide, screen, informative, orderSeed, userModel, batch, cache } = request
  return [
    filter && `only ${filter.join(', ')}`,
    limit !== undefined && `the first ${formatCount(limit, 'case')}`,
    sameWithin !== undefined && `the same within ${formatMargin(sameWithin / 100)}`,
    until && `until ${until}`,
    decide && `decides ${decide}`,
    screen !== undefined && `screens after ${formatCount(screen, 'case')}`,
    informative !== undefined && `${formatCount(informative, 'case')} drawn at random`,
    userModel !== undefined && `the user played by ${userModel}`,
    orderSeed !== undefined && `order drawn from ${orderSeed}`,
    batch && 'by the batch API',
    cache && 'answers to identical requests reused',
    ...describeModelParameters(request),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}

/** The interval methods in use; with several, each names its models. */
export function describeIntervals(rows: readonly { modelId: string; score?: { method: IntervalMethod } }[]): string {
  const byMethod = Map.groupBy(
    rows.filter(({ score }) => score),
    ({ score }) => score!.method,
  )
  const parts = [...byMethod].map(([method, members]) =>
    byMethod.size === 1
      ? describeIntervalMethod(method)
      : `${describeIntervalMethod(method)} (${joinWords(members.map(({ modelId }) => modelId))})`,
  )
  return parts.join('; ')
}
