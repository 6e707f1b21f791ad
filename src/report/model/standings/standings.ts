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
} from '../../../contract/index.ts'
import {
  countWithoutScore,
  findLuckyLeader,
  poolScores,
  repeatStats,
  estimatePeopleRatings,
  measureJudgeAgreement,
  multiRunStats,
  shareScores,
  summariseMissing,
  type AggregateScore,
  type JudgeAgreement,
  type MissingSummary,
  type MultiRunStats,
  type PeopleRatings,
  type RepeatStats,
} from '../../../statistics/index.ts'
import type { CachedAnswers, CountedText, LeaderboardBasis, ReportCost, ReportRow } from './report-row.ts'
import { boundMissing, findOwn, orderStats } from './shared-standings.ts'
import type { Prompts } from '../contestants/templates.ts'
import type { UnfinishedOptions } from '../unfinished.ts'

/** The results of runs before models are compared: comparing many cases takes time. */
export interface Standings extends LeaderboardBasis {
  title: string
  runIds: string[]
  caseCount: number
  /** How many clusters they are in: what counts as independent. The same as `caseCount` if each case is its own. */
  clusterCount: number
  /** Best first; then models that are left out of the ranking, and models without a score. */
  rows: ReportRow[]
  /** Over all runs and the cases of the row, as `--json` prints them, without models that have no score. */
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
  /** The difference that does not matter, 0 to 1; default: that of the runs or their suite. */
  sameWithin?: number | undefined
  /** What should be the same model as all others, served elsewhere: they are compared with it. */
  reference?: string | undefined
  /** The last calibration of each judge and prompt, newest first; without them, nothing is said about the judges. */
  calibrations?: readonly JudgeStanding[] | undefined
  /** One of several breakdowns, which have no leader of their own. */
  isPart?: boolean
  /** What each case asks, to find variants of one template; default: that of the suites of the given runs. */
  prompts?: Prompts | undefined
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
  /** How far luck lowers the interval. */
  luck: number
  alone: Pick<ReportRow, 'own' | 'isLeftOut'>
  /** The cells of the model. */
  own: readonly number[]
  stats?: MultiRunStats | undefined
  last?: AggregateScore | undefined
  missing?: MissingSummary | undefined
  cached?: CachedAnswers | undefined
  readings?: ReportRow['readings']
}

const lower = (low: number, luck: number) => Math.max(0, low - luck)

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

/** What another reading of the same answers would change, by model. */
function countReadings(table: ScoreTable): Map<string, NonNullable<ReportRow['readings']>> {
  const { cells, modelIds, otherReadings } = table
  const byModel = new Map<number, NonNullable<ReportRow['readings']>>()
  for (const [row, cell] of otherReadings.cell.entries()) {
    const model = cells.model[cell]!
    const counts = byModel.get(model) ?? { scored: 0, passed: 0, looser: 0, stricter: 0 }
    byModel.set(model, counts)
    counts[otherReadings.passes[row] === 1 ? 'looser' : 'stricter']++
  }
  for (const [cell, model] of cells.model.entries()) {
    const counts = byModel.get(model)
    if (!counts || Number.isNaN(cells.score[cell])) continue
    counts.scored++
    if (cells.passed[cell] === 1) counts.passed++
  }
  return new Map(Array.from(byModel, ([model, counts]) => [modelIds[model]!, counts]))
}

/** How many of the cells have each text, the most first. */
function countTexts(column: Uint32Array, texts: readonly string[], own: readonly number[]): CountedText[] {
  const counts = new Map<number, number>()
  for (const cell of own) {
    const index = column[cell]!
    if (index > 0) counts.set(index, (counts.get(index) ?? 0) + 1)
  }
  return Array.from(counts, ([index, count]) => ({ text: texts[index - 1]!, cells: count })).toSorted(
    (a, b) => b.cells - a.cells,
  )
}

function makeRow(modelId: string, statistics: ModelStatistics): ReportRow {
  const { table, own, stats, missing, cached, readings, luck, alone } = statistics
  const cost = costOf(table, own)
  const hosts = countTexts(table.cells.host, table.hosts, own)
  const leftOut = countTexts(table.cells.leftOut, table.leftOut, own)
  const isAnswered = !missing || missing.errors + missing.notRun < missing.cells
  const latency = medianOf('latencyMs', table, own)
  const firstToken = medianOf('firstTokenMs', table, own)
  return {
    modelId,
    ...(hosts.length > 0 && { hosts }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(stats && {
      score: {
        mean: stats.overCases.mean,
        low: lower(stats.overCases.low, luck),
        high: stats.overCases.high,
        method: stats.overCases.method,
        ...findSpread(statistics),
        n: stats.overCases.n,
        clusters: stats.overCases.clusters,
        count: stats.count,
        passed: stats.passed,
        passRate: stats.passRate,
        passRateConfidence95: stats.passRateConfidence95,
      },
    }),
    ...alone,
    unscored: missing?.unscored ?? 0,
    errors: missing?.errors ?? 0,
    notRun: missing?.notRun ?? 0,
    ...(missing && { missing }),
    ...(readings && { readings }),
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

/** How many clusters the cases are in; a case without one is its own. */
export function countClusters({ clusters }: Pick<ScoreTable, 'clusters'>, cases: Iterable<number>): number {
  let own = 0
  const named = new Set<number>()
  for (const index of cases)
    if (clusters[index]! < 0) own += 1
    else named.add(clusters[index]!)
  return own + named.size
}

/** The cases of the suite and those that only occur in results; of part of a suite, those with cells. */
function countCases(
  { cells, clusters }: ScoreTable,
  suite: ScoredRun['suite'],
  given: number | undefined,
): Pick<Standings, 'caseCount' | 'clusterCount'> {
  const cases = new Set(given === undefined ? suite?.cases : [])
  for (const index of cells.case) cases.add(index)
  const caseCount = given ?? cases.size
  return { caseCount, clusterCount: caseCount - cases.size + countClusters({ clusters }, cases) }
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
  const shared = shareScores(table)
  const ordered = orderStats(series, shared)
  const scores = poolScores(table, shared)
  const missing = boundMissing(summariseMissing(table), shared)
  const missingOf = new Map(missing.map((summary) => [summary.modelId, summary]))

  const ranked = ordered.map(({ modelId }) => modelId).filter((modelId) => shared?.ranked.has(modelId) ?? true)
  const leader = options.isPart ? undefined : findLuckyLeader(shared?.table ?? table, ranked)
  const luckOf = (modelId: string) => (leader?.modelId === modelId ? leader.luck : 0)
  const statsOf = new Map(ordered.map((stats) => [stats.modelId, stats]))
  const cached = countCached(table)
  const readings = countReadings(table)
  const cellsOf = Map.groupBy(cells.model.keys(), (cell) => modelIds[cells.model[cell]!]!)
  const models = [
    ...new Set([...ordered.map(({ modelId }) => modelId), ...runs.flatMap((run) => run.models), ...cellsOf.keys()]),
  ]
  const rows = models.map((modelId) =>
    makeRow(modelId, {
      table,
      own: cellsOf.get(modelId) ?? [],
      luck: luckOf(modelId),
      alone: series.has(modelId) ? findOwn(series.get(modelId)!, shared) : {},
      stats: statsOf.get(modelId),
      last: scores.get(modelId),
      missing: missingOf.get(modelId),
      cached: cached.get(modelId),
      readings: readings.get(modelId),
    }),
  )
  const agreement = measureJudgeAgreement(table)
  const suite = runs.findLast((run) => run.suite)?.suite
  const people = estimatePeople(table, models, options)
  const cost = options.cost ?? costOf(table, cells.run.keys())
  return {
    title: suite?.name ?? lastRun.testSuiteName ?? `Run ${lastRun.id}`,
    runIds: runs.map(({ id }) => id),
    ...countCases(table, suite, options.caseCount),
    rows,
    ...(shared && { shared: { cases: shared.cases, of: shared.of, leftOut: shared.leftOut } }),
    ...(leader && { leader }),
    scores,
    series: ordered.map(({ overCases, ...stats }) => {
      const lowered = { ...overCases, low: lower(overCases.low, luckOf(stats.modelId)) }
      return addRepeats({ ...stats, overCases: lowered }, table)
    }),
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
