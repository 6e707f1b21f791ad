import {
  InputError,
  selectCells,
  toScoreTable,
  type Scores,
  type ScoreTable,
  type WeightedCase,
} from '../contract/index.ts'
import { adjustHolm } from './tests/holm.ts'
import { describeEffectSize, type EffectSizeWord } from './tests/effect-size.ts'
import { multiRunStats, type MultiRunStats } from './multi-run-stats.ts'
import {
  adjustComparisons,
  comparePaired,
  isRealDifference,
  type ComparisonOptions,
  type PairedComparison,
  type UnadjustedComparison,
} from './paired-comparison.ts'
import { pooledTTest } from './tests/pooled-t-test.ts'
import { comparePanelGrades, readPanelGrades, type PanelGrades } from './judging/panel-grades.ts'
import { rankBySignificance, type RankRange } from './ranking/ranks.ts'
import { combineRepeats, scoresOfModel, type RepeatsByCase } from './run-scores.ts'
import { planWorst, readGaps, type GapsByCase } from './worst-case.ts'
import { listDecidedOrders, type CaseOrder } from './sequential/drawn-order.ts'
import { welchTTest } from './tests/welch-t-test.ts'

/** Compares two models over runs and, in `paired`, over test cases. */
export interface ModelComparison extends RunComparison {
  modelA: string
  modelB: string
  meanA: number
  meanB: number
  /** meanA − meanB. */
  scoreDiff: number
  /** Undefined if the two models share no scored case. */
  paired?: PairedComparison
  /** Explains a figure above that a reader may not expect. */
  note?: string
}

/** Two-sample comparison of run scores. All NaN (`null` in JSON) if it is not meaningful. */
interface RunComparison {
  /** What these figures are: no verdict, which is in `paired`. */
  test: 'pooled t-test over runs'
  pooledStdErr: number
  tStatistic: number
  /** Two-tailed, from Student's t with nA + nB − 2 degrees of freedom. */
  pValue: number
  isSignificant: boolean
  /** Cohen's d. */
  effectSize: number
  effectSizeWord?: EffectSizeWord
  welch: { tStatistic: number; df: number; pValue: number; stdErr: number; confidence95: [number, number] }
}

const NO_RUN_COMPARISON: RunComparison = {
  test: 'pooled t-test over runs',
  pooledStdErr: Number.NaN,
  tStatistic: Number.NaN,
  pValue: Number.NaN,
  isSignificant: false,
  effectSize: Number.NaN,
  welch: {
    tStatistic: Number.NaN,
    df: Number.NaN,
    pValue: Number.NaN,
    stdErr: Number.NaN,
    confidence95: [Number.NaN, Number.NaN],
  },
}

function compareRunScores(a: number[], b: number[]): RunComparison {
  const pooled = pooledTTest(a, b)
  const { tStatistic, degreesOfFreedom, pValue, stdErr, confidence95 } = welchTTest(a, b)
  const effectSizeWord = describeEffectSize(pooled.effectSize)
  return {
    test: 'pooled t-test over runs',
    pooledStdErr: pooled.stdErr,
    tStatistic: pooled.tStatistic,
    pValue: pooled.pValue,
    isSignificant: pooled.pValue < 0.05,
    effectSize: pooled.effectSize,
    ...(effectSizeWord && { effectSizeWord }),
    welch: { tStatistic, df: degreesOfFreedom, pValue, stdErr, confidence95 },
  }
}

/** The data for comparisons, collected once for any number of pairs. */
export interface Series {
  stats: Map<string, MultiRunStats>
  /** Empty if there are fewer than two models to compare. */
  repeats: Map<string, RepeatsByCase>
  gaps: Map<string, GapsByCase>
  /** Undefined if no judge graded anything. */
  grades: Map<string, PanelGrades> | undefined
}

export function readSeries(table: ScoreTable): Series {
  const stats = multiRunStats(table)
  const compared = stats.size > 1 ? [...stats.keys()] : []
  const gradesOf = readPanelGrades(table)
  return {
    stats,
    grades: gradesOf && new Map(compared.map((modelId) => [modelId, gradesOf(modelId)])),
    repeats: new Map(compared.map((modelId) => [modelId, combineRepeats(scoresOfModel(table, modelId))])),
    gaps: compared.length > 0 ? readGaps(table) : new Map(),
  }
}

function explainNoTTest(hasRuns: boolean, tStatistic: number): string | undefined {
  if (!hasRuns) return 'fewer than 2 runs of each model: use the paired comparison over test cases'
  if (!Number.isNaN(tStatistic)) return undefined
  return 'neither model varies between runs, so runs cannot be compared: use the paired comparison over test cases'
}

interface PairInSeries {
  comparison: Omit<ModelComparison, 'paired'>
  unadjusted: UnadjustedComparison | undefined
  /** What it would be at worst for the better model; only if one of the two lacks scores. */
  findWorst?: (() => UnadjustedComparison | undefined) | undefined
}

/** A model with its figures, ready to be compared. */
interface Side {
  name: string
  stats: MultiRunStats
  repeats: RepeatsByCase
  gaps: GapsByCase
  grades: PanelGrades | undefined
}

function compareSides(a: Side, b: Side, options: ComparisonOptions): PairInSeries {
  const hasRuns = a.stats.scores.length >= 2 && b.stats.scores.length >= 2
  const overRuns = hasRuns ? compareRunScores(a.stats.scores, b.stats.scores) : NO_RUN_COMPARISON
  const note = explainNoTTest(hasRuns, overRuns.tStatistic)
  const pairOptions = { ...options, judging: comparePanelGrades(a.grades, b.grades) }
  const unadjusted = comparePaired(a.repeats, b.repeats, pairOptions)
  return {
    comparison: {
      modelA: a.name,
      modelB: b.name,
      meanA: a.stats.mean,
      meanB: b.stats.mean,
      scoreDiff: a.stats.mean - b.stats.mean,
      ...overRuns,
      ...(note !== undefined && { note }),
    },
    unadjusted,
    findWorst: planWorst([a, b], unadjusted, pairOptions),
  }
}

function findSide({ stats, repeats, gaps, grades }: Series, modelId: string): Side | undefined {
  const [own, cases] = [stats.get(modelId), repeats.get(modelId)]
  return (
    own &&
    cases && {
      name: modelId,
      stats: own,
      repeats: cases,
      gaps: gaps.get(modelId) ?? new Map(),
      grades: grades?.get(modelId),
    }
  )
}

export function compareInSeries(
  series: Series,
  [modelA, modelB]: [string, string],
  options: ComparisonOptions,
): PairInSeries | undefined {
  if (modelA === modelB) throw new InputError(`model ${modelA} cannot be compared with itself`)
  const [a, b] = [findSide(series, modelA), findSide(series, modelB)]
  return a && b && compareSides(a, b, options)
}

/** Whether the verdict of this pair stands if everything missing counts against the better model, all others as they are. */
function holdsAtWorst(pairs: readonly PairInSeries[], index: number): boolean {
  const { unadjusted, findWorst } = pairs[index]!
  const worst = findWorst?.()
  if (!worst || !unadjusted || worst.meanDiff * unadjusted.meanDiff <= 0) return false
  const ps = pairs.map((pair, other) => (other === index ? worst.verdictP : (pair.unadjusted?.verdictP ?? Number.NaN)))
  return isRealDifference(worst, adjustHolm(ps)[index]!)
}

/** Holm's correction over all given pairs; a single pair keeps its p. */
function adjustPairs(pairs: PairInSeries[], options: Pick<PairsOptions, 'sameWithin'> = {}): ModelComparison[] {
  const adjusted = adjustComparisons(
    pairs.map(({ unadjusted }) => unadjusted),
    options,
  )
  return pairs.map(({ comparison, findWorst }, index) => {
    const paired = adjusted[index]
    if (!paired) return comparison
    const isInDoubt = paired.isSignificant && findWorst
    return {
      ...comparison,
      paired: { ...paired, ...(isInDoubt && { evenIfMissing: holdsAtWorst(pairs, index) }) },
    }
  })
}

/** Compares two models; `null` unless each has at least 2 runs. */
export function compareModels(
  given: Scores,
  modelA: string,
  modelB: string,
  testCases?: readonly WeightedCase[],
): ModelComparison | null {
  const table = toScoreTable(given, testCases)
  const series = readSeries(table)
  const runCounts = [modelA, modelB].map((model) => series.stats.get(model)?.scores.length ?? 0)
  if (Math.min(...runCounts) < 2) return null
  const pair = compareInSeries(series, [modelA, modelB], { orders: listDecidedOrders(table) })
  return pair ? adjustPairs([pair])[0]! : null
}

/** A share, not points: 5 would plan for a difference of 500 points. */
function checkDifference(name: string, difference: number | undefined): void {
  if (difference === undefined || (difference > 0 && difference <= 1)) return
  throw new InputError(`${name} is ${difference}; it must be more than 0 and at most 1 (5 points are 0.05)`)
}

/** The ids of the cases that count for a pair of models; undefined if all do that both have a score for. */
export type FindCountedCases = (modelA: string, modelB: string) => ReadonlySet<string> | undefined

interface PairsOptions extends Pick<ComparisonOptions, 'smallestDifference'> {
  /** A difference of at most this, 0 to 1, does not matter: pairs within it are practically the same. */
  sameWithin?: number | undefined
  findCountedCases?: FindCountedCases | undefined
  /** Of runs that may have stopped because of what they saw; default: as they are drawn from the clusters of the table. */
  orders?: readonly CaseOrder[] | undefined
}

/** Compares every pair of models with a score, the better one first, with Holm's correction. One run is enough. */
export function compareAllModels(
  given: Scores,
  testCases?: readonly WeightedCase[],
  { smallestDifference, sameWithin, findCountedCases, orders }: PairsOptions = {},
): ModelComparison[] {
  checkDifference('smallestDifference', smallestDifference)
  checkDifference('sameWithin', sameWithin)
  const table = toScoreTable(given, testCases)
  const series = readSeries(table)
  const ordered = [...series.stats.values()].toSorted((a, b) => b.mean - a.mean).map(({ modelId }) => modelId)
  const names = ordered.flatMap((modelA, index) =>
    ordered.slice(index + 1).map((modelB): [string, string] => [modelA, modelB]),
  )
  const options = {
    comparisons: names.length,
    smallestDifference,
    sameWithin,
    orders: orders ?? listDecidedOrders(table),
    withFlips: sameWithin !== undefined,
  }
  return adjustPairs(
    names.flatMap((pair) => {
      const countedCases = findCountedCases?.(...pair)
      return compareInSeries(series, pair, { ...options, countedCases }) ?? []
    }),
    { sameWithin },
  )
}

/** A model of some runs; the same model in other runs is another column. */
export interface ModelColumn {
  scores: ScoreTable
  modelId: string
}

/** Reads each column once, however many pairs it is in. */
function createSides(leaveOut: ReadonlySet<string>): (column: ModelColumn) => Side | undefined {
  const sidesOf = new Map<ScoreTable, Map<string, Side | undefined>>()
  const read = ({ scores, modelId }: ModelColumn): Side | undefined => {
    const model = scores.modelIds.indexOf(modelId)
    const isLeftOut = scores.caseIds.map((id) => leaveOut.has(id))
    const own = selectCells(
      scores,
      (cell) => scores.cells.model[cell] === model && !isLeftOut[scores.cells.case[cell]!],
    )
    const stats = multiRunStats(own).get(modelId)
    return (
      stats && {
        name: modelId,
        stats,
        repeats: combineRepeats(scoresOfModel(own, modelId)),
        gaps: readGaps(own).get(modelId) ?? new Map(),
        grades: readPanelGrades(own)?.(modelId),
      }
    )
  }
  return (column) => {
    const sides = sidesOf.get(column.scores) ?? new Map<string, Side | undefined>()
    sidesOf.set(column.scores, sides)
    if (!sides.has(column.modelId)) sides.set(column.modelId, read(column))
    return sides.get(column.modelId)
  }
}

export interface ColumnOptions extends PairsOptions {
  /** Cases that are not the same on both sides. */
  leaveOut?: ReadonlySet<string>
  /** Also counts the cases that only one of the two passes; only right if a case has one pass mark for both. */
  withFlips?: boolean
}

/**
 * Compares models of any runs, pair by pair, with Holm's correction over all pairs. A pair is undefined if one of its
 * sides has no score.
 */
export function compareColumns(
  pairs: readonly (readonly [ModelColumn, ModelColumn])[],
  {
    smallestDifference,
    sameWithin,
    leaveOut = new Set(),
    findCountedCases,
    orders: given,
    withFlips = false,
  }: ColumnOptions = {},
): (ModelComparison | undefined)[] {
  checkDifference('smallestDifference', smallestDifference)
  checkDifference('sameWithin', sameWithin)
  const sideOf = createSides(leaveOut)
  const compared = pairs.map(([a, b]) => {
    const [first, second] = [sideOf(a), sideOf(b)]
    const orders = given ?? listDecidedOrders(a.scores, b.scores)
    const countedCases = findCountedCases?.(a.modelId, b.modelId)
    const options = { comparisons: pairs.length, smallestDifference, sameWithin, orders, countedCases, withFlips }
    return first && second && compareSides(first, second, options)
  })
  const adjusted = adjustPairs(
    compared.filter((pair) => pair !== undefined),
    { sameWithin },
  ).values()
  return compared.map((pair) => pair && adjusted.next().value)
}

/**
 * Each of the models against itself in earlier runs, with Holm's correction over the models. A is now and B is earlier,
 * so a positive difference is an improvement. A model without a score on one of the two sides is left out, and so are the
 * cases in `leaveOut` and those whose answers were compared in pairs: such a score only says how an answer did among
 * those of its own run.
 */
export function compareWithEarlier(
  given: Scores,
  before: Scores,
  models: readonly string[],
  { leaveOut = new Set(), ...options }: ColumnOptions = {},
): Map<string, ModelComparison> {
  const [now, earlier] = [toScoreTable(given), toScoreTable(before)]
  const pairs = models.map(
    (modelId) =>
      [
        { scores: now, modelId },
        { scores: earlier, modelId },
      ] as const,
  )
  const left = new Set([...leaveOut, ...[now, earlier].flatMap(listComparedCases)])
  return new Map(
    compareColumns(pairs, { ...options, leaveOut: left }).flatMap((comparison, index) =>
      comparison ? [[models[index]!, { ...comparison, modelA: 'now', modelB: 'earlier' }]] : [],
    ),
  )
}

/** The cases whose answers were compared in pairs. */
function listComparedCases({ cells, caseIds }: ScoreTable): string[] {
  const compared = new Set(cells.case.filter((_, cell) => cells.compared[cell] === 1))
  return Array.from(compared, (index) => caseIds[index]!)
}

/** The ranks that each model may have, given which are significantly better or worse than it (paired, corrected). */
export function rankModels(models: string[], comparisons: readonly ModelComparison[]): Map<string, RankRange> {
  const beats = new Set(
    comparisons.flatMap(({ modelA, modelB, paired }) => {
      if (!paired?.isSignificant) return []
      return [JSON.stringify(paired.meanDiff > 0 ? [modelA, modelB] : [modelB, modelA])]
    }),
  )
  return rankBySignificance(models, (a, b) => beats.has(JSON.stringify([a, b])))
}
