import type { LiveCell } from '../contract/index.ts'
import {
  aggregate,
  findSharedCases,
  leaderLuck,
  noneMissing,
  type AggregateScore,
  type Interval,
  type ModelScores,
} from '../statistics/index.ts'

/** The scores in tenths, 0 to 10, of answers that failed or passed. */
const FAILED_TENTHS = '0123456789X'
const PASSED_TENTHS = 'ABCDEFGHIJK'

/** A cell as shown on screen. */
export interface ShownCell extends LiveCell {
  /** The score is rounded to one decimal: it was in the short form of the snapshot. */
  isRounded?: true
}

/** Reads the short form of finished cells: one character per cell, row by row. */
export function readFinished(
  finished: string,
  { models, cases }: { models: readonly string[]; cases: readonly unknown[] },
): (ShownCell | undefined)[] {
  return Array.from({ length: models.length * cases.length }, (_, index) => {
    const code = finished[index]
    const place = { case: Math.floor(index / models.length), model: index % models.length }
    if (code === 'u') return { ...place, state: 'unscored' }
    if (code === 'e') return { ...place, state: 'error' }
    const [failed, passed] = code === undefined ? [-1, -1] : [FAILED_TENTHS.indexOf(code), PASSED_TENTHS.indexOf(code)]
    const tenths = Math.max(failed, passed)
    if (tenths < 0) return undefined
    return {
      ...place,
      state: 'scored',
      score: tenths / 10,
      ...(passed >= 0 && { hasPassed: true }),
      isRounded: true,
    }
  })
}

/** One model's result so far: the mean of its scores, with its interval over cases. */
export interface LiveStanding {
  modelId: string
  /** The number of cases that count for it: those that all ranked models have a score for, else its own. */
  n: number
  /** Cells that failed or could not be scored; they are not in the mean. */
  missing: number
  /** 0 to 1, over those cases; absent until a cell is scored. */
  mean?: number
  /** How many of the scored cells passed. */
  passed: number
  /** Some scores are rounded to one decimal. */
  isRounded?: true
  /** Absent with one score, which says nothing about spread. */
  interval?: Interval
  /** Present if not all models have the same cases so far: the mean over its own. */
  own?: { mean: number; lacks: number; of: number }
  /** It lacks too many cases to be ranked so far. */
  isLeftOut?: true
}

interface RunGrid {
  models: readonly string[]
  /** The weight defaults to 1. */
  cases: readonly { id: string; weight?: number; cluster?: string }[]
}

interface LiveModel {
  modelId: string
  /** By row. */
  scored: Map<number, ShownCell>
  missing: number
}

function readModels({ models, cases }: RunGrid, cells: readonly (ShownCell | undefined)[]): LiveModel[] {
  return models.map((modelId, column) => {
    const scored = new Map<number, ShownCell>()
    let missing = 0
    for (let row = 0; row < cases.length; row++) {
      const cell = cells[row * models.length + column]
      if (cell?.state === 'error' || cell?.state === 'unscored') missing++
      if (cell?.state === 'scored' && cell.score !== undefined) scored.set(row, cell)
    }
    return { modelId, scored, missing }
  })
}

/** The same function as for stored results, so that a finished run shows the same numbers on both screens. */
function measure({ scored }: LiveModel, cases: RunGrid['cases'], isCounted: (row: number) => boolean): AggregateScore {
  const scores: ModelScores = {
    testCaseIds: [],
    clusters: [],
    scores: [],
    weights: [],
    passed: [],
    missing: noneMissing(),
  }
  for (const [row, { score = 0, hasPassed }] of scored) {
    if (!isCounted(row)) continue
    const { id, weight = 1, cluster } = cases[row]!
    scores.testCaseIds.push(id)
    scores.clusters.push(cluster)
    scores.scores.push(score)
    scores.weights.push(weight)
    scores.passed.push(hasPassed === true ? 1 : 0)
  }
  return aggregate(scores)
}

/** How far luck lowers the interval of the first of several models. */
function findLuck(ranked: readonly LiveModel[], cases: RunGrid['cases'], shared: ReadonlySet<number>) {
  if (ranked.length < 2) return undefined
  const rows = [...ranked[0]!.scored.keys()].filter((row) => shared.has(row))
  const { leader, luck } = leaderLuck(
    ranked.map(({ scored }) => rows.map((row) => scored.get(row)!.score!)),
    { weights: rows.map((row) => cases[row]!.weight ?? 1), clusters: rows.map((row) => cases[row]!.cluster) },
  )
  return { modelId: ranked[leader]!.modelId, luck }
}

/**
 * Best mean first, then models that are left out, then those without a score, in their given order. `cells` is row by
 * row: cases × models. A model that a run has dropped by decision shrinks nothing.
 */
export function rankStandings(
  { models, cases }: RunGrid,
  cells: readonly (ShownCell | undefined)[],
  dropped: readonly string[] = [],
): LiveStanding[] {
  const all = readModels({ models, cases }, cells)
  const own = new Map(
    all.filter(({ scored }) => scored.size > 0).map((model) => [model, measure(model, cases, () => true)]),
  )
  const bestFirst = [...own]
    .filter(([{ modelId }]) => !dropped.includes(modelId))
    .toSorted(([, a], [, b]) => b.mean - a.mean)
    .map(([model]) => model)
  const scoredBy = new Map(bestFirst.map(({ modelId, scored }) => [modelId, new Set(scored.keys())]))
  const { ranked, leftOut, cases: shared, of } = findSharedCases(scoredBy)
  const isPartial = bestFirst.length > 1 && (leftOut.length > 0 || shared.size < of)
  const given = new Set(bestFirst.flatMap(({ scored }) => [...scored.keys()]))
  const isRanked = new Set(ranked)
  const figuresOf = new Map(
    Array.from(own, ([model, figures]) => [
      model,
      isPartial && isRanked.has(model.modelId) ? measure(model, cases, (row) => shared.has(row)) : figures,
    ]),
  )
  const order = bestFirst
    .filter(({ modelId }) => isRanked.has(modelId))
    .toSorted((a, b) => figuresOf.get(b)!.mean - figuresOf.get(a)!.mean)
  const first = findLuck(order, cases, shared)

  const standings = all.map((model): LiveStanding => {
    const { modelId, scored, missing } = model
    const figures = figuresOf.get(model)
    if (!figures) return { modelId, n: 0, missing, passed: 0 }
    const [low, high] = figures.confidence95
    const luck = first?.modelId === modelId ? first.luck : 0
    const isRounded = [...scored.values()].some((cell) => cell.isRounded)
    return {
      modelId,
      n: figures.count,
      missing,
      mean: figures.mean,
      passed: figures.passed,
      ...(isRounded && { isRounded: true as const }),
      ...(figures.count > 1 && { interval: { low: Math.max(0, low - luck), high, method: figures.method } }),
      ...(isPartial &&
        scoredBy.has(modelId) && {
          own: { mean: own.get(model)!.mean, lacks: given.size - scored.size, of: given.size },
        }),
      ...(isPartial && leftOut.includes(modelId) && { isLeftOut: true as const }),
    }
  })
  const isLast = ({ mean, isLeftOut }: LiveStanding) => (mean === undefined ? 2 : isLeftOut ? 1 : 0)
  return standings.sort((a, b) => isLast(a) - isLast(b) || (b.mean ?? -1) - (a.mean ?? -1))
}
