import {
  InputError,
  isNotRun,
  sumDollars,
  toScoreTable,
  type JudgeStanding,
  type RatingQueue,
  type ScoredRun,
  type Scores,
  type ScoreTable,
} from '../../contract/index.ts'
import {
  aggregateScores,
  countWithoutScore,
  repeatStats,
  estimatePeopleRatings,
  measureJudgeAgreement,
  multiRunStats,
  summariseMissing,
  type AggregateScore,
  type JudgeAgreement,
  type MissingSummary,
  type MultiRunStats,
  type PeopleRatings,
  type RepeatStats,
} from '../../statistics/index.ts'
import type { CachedAnswers, ReportCost, ReportRow } from './report-row.ts'
import type { UnfinishedOptions } from './unfinished.ts'

/** The results of runs before models are compared: comparing many cases takes time. */
export interface Standings {
  title: string
  runIds: string[]
  caseCount: number
  /** Best first; models without a score last. */
  rows: ReportRow[]
  /** For the last run, as `--json` prints them, without models that have no score. */
  scores: Map<string, AggregateScore>
  /** The models with a score over the runs of a series, or over a single run; best first. */
  series: SeriesStats[]
  missing: MissingSummary[]
  /** What people's ratings say about the models and the judge, in the order of the leaderboard; absent without ratings. */
  people?: PeopleRatings
  /** How the rated answers were drawn. */
  ratingQueues: RatingQueue[]
  /** How well the judges agree, if there are several. */
  agreement?: JudgeAgreement
  /** Total cost, including judges and failed attempts if storage recorded them. */
  cost: ReportCost
  /** False if no cost is known: that is not 0. */
  isCostKnown: boolean
  /** Cost of the answers alone. */
  answersCost: ReportCost
}

export interface SeriesStats extends MultiRunStats {
  /** How consistent the model is, if it ran several times. */
  repeats?: Pick<RepeatStats, 'passAtK' | 'passHatK' | 'flaky'>
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
function medianOf(
  column: 'latencyMs' | 'firstTokenMs',
  { cells }: ScoreTable,
  own: readonly number[],
): number | undefined {
  const sorted = own
    .filter((cell) => Number.isNaN(cells.cachedAt[cell]))
    .map((cell) => cells[column][cell]!)
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]
}

/** An answer without a cost has an unknown one; a cell without an answer costs nothing. */
function costOf({ cells }: ScoreTable, own: Iterable<number>): ReportCost {
  const known: number[] = []
  let unknown = 0
  for (const cell of own) {
    const cost = cells.cost[cell]!
    if (!Number.isNaN(cost)) known.push(cost)
    else if (cells.answered[cell] === 1 || !Number.isNaN(cells.score[cell])) unknown++
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
  table: ScoreTable
  /** The cells of the model. */
  own: readonly number[]
  stats?: MultiRunStats | undefined
  last?: AggregateScore | undefined
  missing?: MissingSummary | undefined
  cached?: CachedAnswers | undefined
}

/** For a series, the spread over runs; a model that ran once in it has none. */
function findSpread({ table, stats, last }: ModelStatistics): { stdDev?: number } {
  if (table.runs.length === 1) return { stdDev: last?.stdDev ?? 0 }
  return stats && stats.scores.length > 1 ? { stdDev: stats.stdDev } : {}
}

/** By model, if any has answers from the cache. The age counts from the start of the run, so that a report says the same whenever it is read. */
function countCached({ runs, cells, modelIds }: ScoreTable): Map<string, CachedAnswers> {
  const byModel = new Map<string, CachedAnswers>()
  for (let cell = 0; cell < cells.run.length; cell++) {
    if (cells.answered[cell] === 0) continue
    const modelId = modelIds[cells.model[cell]!]!
    const counted = byModel.get(modelId) ?? { count: 0, of: 0, maxAgeMs: 0 }
    byModel.set(modelId, counted)
    counted.of++
    const cachedAt = cells.cachedAt[cell]!
    if (Number.isNaN(cachedAt)) continue
    counted.count++
    counted.maxAgeMs = Math.max(counted.maxAgeMs, (runs[cells.run[cell]!]!.startedAt ?? cachedAt) - cachedAt)
  }
  return [...byModel.values()].some(({ count }) => count > 0) ? byModel : new Map()
}

function makeRow(modelId: string, statistics: ModelStatistics): ReportRow {
  const { table, own, stats, missing, cached } = statistics
  const cost = costOf(table, own)
  const isAnswered = !missing || missing.errors + missing.notRun < missing.cells
  const latency = medianOf('latencyMs', table, own)
  const firstToken = medianOf('firstTokenMs', table, own)
  return {
    modelId,
    ...(stats && {
      score: {
        mean: stats.overCases.mean,
        low: stats.overCases.low,
        high: stats.overCases.high,
        method: stats.overCases.method,
        ...findSpread(statistics),
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

function estimatePeople(
  table: ScoreTable,
  models: readonly string[],
  { countAllRatings }: ReportOptions,
): PeopleRatings | undefined {
  const people = estimatePeopleRatings(table, { countAll: countAllRatings })
  const position = new Map(models.map((modelId, index) => [modelId, index]))
  return (
    people && {
      ...people,
      models: people.models.toSorted((a, b) => position.get(a.modelId)! - position.get(b.modelId)!),
    }
  )
}

/** Each once, oldest first: every run of a series has the queues that drew from it. */
function listRatingQueues({ runs }: ScoreTable): RatingQueue[] {
  const queues = new Map(runs.flatMap(({ ratingQueues = [] }) => ratingQueues.map((queue) => [queue.id, queue])))
  return [...queues.values()].sort((a, b) => a.drawnAt - b.drawnAt)
}

function countCases({ cells }: ScoreTable, suite: ScoredRun['suite']): number {
  const cases = new Set(suite?.cases)
  for (const index of cells.case) cases.add(index)
  return cases.size
}

/** Whether the cost of a cell is known in some run, or there was nothing to pay for. */
function isAnyPriced(table: ScoreTable): boolean {
  const { runs, cells } = table
  const priced = new Set(cells.run.filter((_, cell) => !Number.isNaN(cells.cost[cell])))
  const started = new Set(cells.run.filter((_, cell) => !isNotRun(table, cell)))
  return runs.some((_, run) => priced.has(run) || !started.has(run))
}

/** Runs of different models may be shown together: only a model that ran several times has a spread over runs. */
function addRepeats(stats: MultiRunStats, table: ScoreTable): SeriesStats {
  if (stats.scores.length < 2) return stats
  const { passAtK, passHatK, flaky } = repeatStats(table, stats.modelId)
  return { ...stats, repeats: { passAtK, passHatK, flaky } }
}

/** The leaderboard of a run or of the runs of a series. Every number comes from `src/statistics`. */
export function buildStandings(given: Scores, options: ReportOptions = {}): Standings {
  const table = toScoreTable(given)
  const { runs, cells, modelIds } = table
  const lastRun = runs.at(-1)
  if (!lastRun) throw new InputError('a report needs at least one run')
  const series = multiRunStats(table)
  const scores = aggregateScores(table)
  const missing = summariseMissing(table)
  const missingOf = new Map(missing.map((summary) => [summary.modelId, summary]))

  const ordered = [...series.values()].toSorted((a, b) => b.overCases.mean - a.overCases.mean)
  const cached = countCached(table)
  const cellsOf = Map.groupBy(cells.model.keys(), (cell) => modelIds[cells.model[cell]!]!)
  const models = [
    ...new Set([...ordered.map(({ modelId }) => modelId), ...runs.flatMap((run) => run.models), ...cellsOf.keys()]),
  ]
  const rows = models.map((modelId) =>
    makeRow(modelId, {
      table,
      own: cellsOf.get(modelId) ?? [],
      stats: series.get(modelId),
      last: scores.get(modelId),
      missing: missingOf.get(modelId),
      cached: cached.get(modelId),
    }),
  )
  const agreement = measureJudgeAgreement(table)
  const suite = runs.findLast((run) => run.suite)?.suite
  const people = estimatePeople(table, models, options)
  const cost = options.cost ?? costOf(table, cells.run.keys())
  return {
    title: suite?.name ?? lastRun.testSuiteName ?? `Run ${lastRun.id}`,
    runIds: runs.map(({ id }) => id),
    caseCount: options.caseCount ?? countCases(table, suite),
    rows,
    scores,
    series: ordered.map((stats) => addRepeats(stats, table)),
    missing,
    ...(people && { people }),
    ratingQueues: listRatingQueues(table),
    ...(agreement && { agreement }),
    cost,
    isCostKnown: cost.total > 0 || (cost.unknown === 0 && isAnyPriced(table)),
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

/** The models that ran several times, best first. */
export function listRepeated({
  series,
}: Pick<Standings, 'series'>): (SeriesStats & Required<Pick<SeriesStats, 'repeats'>>)[] {
  return series.flatMap(({ repeats, ...stats }) => (repeats ? [{ ...stats, repeats }] : []))
}
