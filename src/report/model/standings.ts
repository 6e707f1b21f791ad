import {
  InputError,
  sumDollars,
  type CellResult,
  type JudgeStanding,
  type RatingQueue,
  type RunResult,
} from '../../contract/index.ts'
import {
  aggregateCollected,
  collectRuns,
  countWithoutScore,
  statsOfCollected,
  describeRepeats,
  estimatePeopleRatings,
  measureJudgeAgreement,
  summariseCollected,
  type AggregateScore,
  type JudgeAgreement,
  type MissingSummary,
  type MultiRunStats,
  type PeopleRatings,
  type RepeatStats,
} from '../../statistics/index.ts'
import { formatReportLine, isPending } from '../words/index.ts'
import { findSuite, listCaseIds } from './cases.ts'
import type { CachedAnswers, ReportCost, ReportRow } from './report-row.ts'
import { listJudgeNotes, type JudgeNote } from './judge-notes.ts'
import { countMessages, type FailureMessage } from './messages.ts'
import { listRatings, type RatedModel } from './ratings.ts'
import { closeRun, listUnfinishedRuns, type UnfinishedOptions, type UnfinishedRun } from './unfinished.ts'

/** The results of runs before models are compared: comparing many cases takes time. */
export interface Standings {
  title: string
  runIds: string[]
  caseCount: number
  /** Best first; models without a score last. */
  rows: ReportRow[]
  /** For the last run, as `--json` prints them, without models that have no score. */
  scores: Map<string, AggregateScore>
  /** Over the runs of a series, or over a single run. */
  series: Map<string, MultiRunStats>
  /** For a series: how consistent each model is over its runs. */
  repeats: Map<string, Omit<RepeatStats, 'cases'>>
  /** For each model with several runs: its reporting line, and its cases that passed in some runs only. */
  overRuns: { line: string; modelId: string; runs: number; flaky: string[] }[]
  missing: MissingSummary[]
  /** Runs that did not finish, in order. */
  unfinished: UnfinishedRun[]
  /** Answers that people rated or wrote a note about, by model in the order of the leaderboard. */
  ratings: RatedModel[]
  /** What people's ratings say about the models and the judge, in the order of the leaderboard; absent without ratings. */
  people?: PeopleRatings
  /** How the rated answers were drawn. */
  ratingQueues: RatingQueue[]
  /** Why each model's cells have no score, most frequent first; empty if the runs were loaded without texts. */
  messages: Map<string, FailureMessage[]>
  /** What to doubt about the judges; empty if it is not known how they were calibrated. */
  judgeNotes: JudgeNote[]
  /** How well the judges agree, if there are several. */
  agreement?: JudgeAgreement
  /** Total cost, including judges and failed attempts if storage recorded them. */
  cost: ReportCost
  /** False if no cost is known: that is not 0. */
  isCostKnown: boolean
  /** Cost of the answers alone. */
  answersCost: ReportCost
}

export interface ReportOptions extends UnfinishedOptions {
  /** Total cost as recorded in storage, including judges and failed attempts. */
  cost?: ReportCost
  /** Needed if the given runs contain only part of their suites. */
  caseCount?: number
  /** The difference worth detecting, 0 to 1, for which cases are planned; default: the observed one. */
  smallestDifference?: number | undefined
  /** The last calibration of each judge and prompt, newest first; without them, nothing is said about the judges. */
  calibrations?: readonly JudgeStanding[] | undefined
  /** Also counts ratings of answers that people chose themselves, in the estimates that correct scores by ratings. */
  countAllRatings?: boolean | undefined
}

/** The median over the cells that have a value; a cached answer has that of its original request, which is not counted. */
function medianOf(field: 'latencyMs' | 'firstTokenMs', cells: readonly CellResult[]): number | undefined {
  const sorted = cells
    .filter(({ cachedAt }) => cachedAt === undefined)
    .map((cell) => cell[field])
    .filter((value) => value !== undefined)
    .sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]
}

/** An answer without a cost has an unknown one; a cell without an answer costs nothing. */
function costOf(cells: CellResult[]): ReportCost {
  const known: number[] = []
  let unknown = 0
  for (const { cost, response, latencyMs, score } of cells) {
    if (cost !== undefined) known.push(cost)
    else if ((response ?? latencyMs ?? score) !== undefined) unknown++
  }
  return { total: sumDollars(known), unknown }
}

function sumCosts(costs: readonly ReportCost[]): ReportCost {
  return {
    total: sumDollars(costs.map(({ total }) => total)),
    unknown: costs.reduce((sum, { unknown }) => sum + unknown, 0),
  }
}

interface ModelStatistics {
  runs: number
  stats?: MultiRunStats | undefined
  last?: AggregateScore | undefined
  missing?: MissingSummary | undefined
  cached?: CachedAnswers | undefined
}

/** For a series, the spread over runs; a model that ran once in it has none. */
function describeSpread({ runs, stats, last }: ModelStatistics): { stdDev?: number } {
  if (runs === 1) return { stdDev: last?.stdDev ?? 0 }
  return stats && stats.scores.length > 1 ? { stdDev: stats.stdDev } : {}
}

/** By model, if any has answers from the cache. The age counts from the start of the run, so that a report says the same whenever it is read. */
function countCached(runs: readonly RunResult[]): Map<string, CachedAnswers> {
  const byModel = new Map<string, CachedAnswers>()
  for (const { startedAt, results } of runs)
    for (const { modelId, cachedAt, response, latencyMs } of results) {
      if ((response ?? latencyMs) === undefined) continue
      const counted = byModel.get(modelId) ?? { count: 0, of: 0, maxAgeMs: 0 }
      byModel.set(modelId, counted)
      counted.of++
      if (cachedAt === undefined) continue
      counted.count++
      counted.maxAgeMs = Math.max(counted.maxAgeMs, (startedAt ?? cachedAt) - cachedAt)
    }
  return [...byModel.values()].some(({ count }) => count > 0) ? byModel : new Map()
}

function makeRow(modelId: string, cells: CellResult[], statistics: ModelStatistics): ReportRow {
  const { runs, stats, last, missing, cached } = statistics
  const cost = costOf(cells)
  const isAnswered = !missing || missing.errors + missing.notRun < missing.cells
  const latency = medianOf('latencyMs', cells)
  const firstToken = medianOf('firstTokenMs', cells)
  return {
    modelId,
    ...(stats && {
      score: {
        mean: stats.overCases.mean,
        low: stats.overCases.low,
        high: stats.overCases.high,
        method: stats.overCases.method,
        ...describeSpread({ runs, stats, last }),
        n: stats.overCases.n,
        count: stats.count,
        passed: stats.passed,
        passRate: stats.passRate,
        passRateConfidence95: stats.passRateConfidence95,
      },
    }),
    unscored: missing?.unscored ?? 0,
    errors: missing?.errors ?? 0,
    notRun: missing?.notRun ?? 0,
    ...(missing && { missing }),
    cost,
    isCostKnown: cost.total > 0 || (cost.unknown === 0 && isAnswered),
    ...(cached && { cached }),
    ...(latency !== undefined && { medianLatencyMs: latency }),
    ...(firstToken !== undefined && { medianFirstTokenMs: firstToken }),
    isSimulated: modelId.startsWith('demo/'),
  }
}

/** Filters each model's results first: collecting all models for each of them would take quadratic time. */
function collectRepeatStats(runs: RunResult[], models: string[]): Standings['repeats'] {
  const repeats: Standings['repeats'] = new Map()
  for (const modelId of models) {
    const own = runs.map((run) => ({ ...run, results: run.results.filter((result) => result.modelId === modelId) }))
    const { cases: _cases, ...stats } = describeRepeats(own, modelId)
    repeats.set(modelId, stats)
  }
  return repeats
}

function describePeople(
  runs: RunResult[],
  models: readonly string[],
  { countAllRatings }: ReportOptions,
): PeopleRatings | undefined {
  const people = estimatePeopleRatings(runs, { countAll: countAllRatings })
  const position = new Map(models.map((modelId, index) => [modelId, index]))
  return (
    people && {
      ...people,
      models: people.models.toSorted((a, b) => position.get(a.modelId)! - position.get(b.modelId)!),
    }
  )
}

/** Each once, oldest first: every run of a series has the queues that drew from it. */
function listRatingQueues(runs: readonly RunResult[]): RatingQueue[] {
  const queues = new Map(runs.flatMap(({ ratingQueues = [] }) => ratingQueues.map((queue) => [queue.id, queue])))
  return [...queues.values()].sort((a, b) => a.drawnAt - b.drawnAt)
}

/** The leaderboard of a run or of the runs of a series. Every number comes from `src/statistics`. */
export function buildStandings(storedRuns: RunResult[], options: ReportOptions = {}): Standings {
  const runs = storedRuns.map((run) => closeRun(run, options))
  const lastRun = runs.at(-1)
  if (!lastRun) throw new InputError('a report needs at least one run')
  const collected = collectRuns(runs)
  const series = statsOfCollected(collected)
  const scores = aggregateCollected(collected.scores.at(-1)!)
  const missing = summariseCollected(collected)
  const missingOf = new Map(missing.map((summary) => [summary.modelId, summary]))

  const ordered = orderByMean(series)
  const cells = runs.flatMap(({ results }) => results)
  const cached = countCached(runs)
  const cellsOf = Map.groupBy(cells, ({ modelId }) => modelId)
  const models = [...new Set([...ordered, ...runs.flatMap((run) => run.models), ...cellsOf.keys()])]
  const rows = models.map((modelId) =>
    makeRow(modelId, cellsOf.get(modelId) ?? [], {
      runs: runs.length,
      stats: series.get(modelId),
      last: scores.get(modelId),
      missing: missingOf.get(modelId),
      cached: cached.get(modelId),
    }),
  )
  // Runs of different models may be shown together: only a model that ran several times has a spread over runs.
  const repeated = ordered.filter((modelId) => series.get(modelId)!.scores.length > 1)
  const repeats = collectRepeatStats(runs, repeated)
  const agreement = measureJudgeAgreement(runs)
  const suite = findSuite(runs)
  const people = describePeople(runs, models, options)
  const cost = options.cost ?? costOf(cells)
  const isAnyPriced = runs.some(
    ({ results }) => results.every(isPending) || results.some((cell) => cell.cost !== undefined),
  )
  return {
    title: suite?.name ?? lastRun.testSuiteName ?? `Run ${lastRun.id}`,
    runIds: runs.map(({ id }) => id),
    caseCount: options.caseCount ?? listCaseIds(runs, suite).size,
    rows,
    scores,
    series,
    repeats,
    overRuns: [...repeats].map(([modelId, { flaky }]) => ({
      modelId,
      line: formatReportLine(modelId, series.get(modelId)!),
      runs: series.get(modelId)!.scores.length,
      flaky,
    })),
    missing,
    unfinished: listUnfinishedRuns(runs, options),
    ratings: listRatings(runs, models),
    ...(people && { people }),
    ratingQueues: listRatingQueues(runs),
    messages: countMessages(runs),
    judgeNotes: listJudgeNotes(runs, { models, calibrations: options.calibrations }),
    ...(agreement && { agreement }),
    cost,
    isCostKnown: cost.total > 0 || (cost.unknown === 0 && isAnyPriced),
    answersCost: sumCosts(rows.map((row) => row.cost)),
  }
}

/** The gaps worth showing: what a run left out by decision is no gap. */
export function listGaps(
  { missing }: Pick<Standings, 'missing'>,
  { isDeciding }: { isDeciding: boolean },
): MissingSummary[] {
  return isDeciding ? missing.filter((summary) => countWithoutScore(summary) > summary.notRun) : missing
}

/** Models with a score, best first. */
export function orderByMean(series: Map<string, MultiRunStats>): string[] {
  return [...series.values()].toSorted((a, b) => b.overCases.mean - a.overCases.mean).map(({ modelId }) => modelId)
}
