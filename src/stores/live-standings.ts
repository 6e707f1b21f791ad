import type { LiveCell } from '../contract/index.ts'
import { aggregate, noneMissing, type Interval, type ModelScores } from '../statistics/index.ts'

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
  /** The number of cells with a score. */
  n: number
  /** Cells that failed or could not be scored; they are not in the mean. */
  missing: number
  /** 0 to 1; absent until a cell is scored. */
  mean?: number
  /** How many of the scored cells passed. */
  passed: number
  /** Some scores are rounded to one decimal. */
  isRounded?: true
  /** Absent with one score, which says nothing about spread. */
  interval?: Interval
}

interface RunGrid {
  models: readonly string[]
  /** The weight defaults to 1. */
  cases: readonly { id: string; weight?: number; cluster?: string }[]
}

/** Best mean first; models without a score last, in their given order. `cells` is row by row: cases × models. */
export function rankStandings({ models, cases }: RunGrid, cells: readonly (ShownCell | undefined)[]): LiveStanding[] {
  const standings = models.map((modelId, column): LiveStanding => {
    const scored: ModelScores = {
      testCaseIds: [],
      clusters: [],
      scores: [],
      weights: [],
      passed: [],
      missing: noneMissing(),
    }
    let rounded = 0
    cases.forEach(({ id, weight = 1, cluster }, row) => {
      const cell = cells[row * models.length + column]
      if (cell?.state === 'error') scored.missing.errors++
      if (cell?.state === 'unscored') scored.missing.unscored++
      if (cell?.state !== 'scored' || cell.score === undefined) return
      if (cell.isRounded) rounded++
      scored.testCaseIds.push(id)
      scored.clusters.push(cluster)
      scored.scores.push(cell.score)
      scored.weights.push(weight)
      scored.passed.push(cell.hasPassed === true ? 1 : 0)
    })
    const missing = scored.missing.unscored + scored.missing.errors
    // The same function as for stored results, so that a finished run shows the same numbers on both screens.
    if (scored.scores.length === 0) return { modelId, n: 0, missing, passed: 0 }
    const figures = aggregate(scored)
    const [low, high] = figures.confidence95
    return {
      modelId,
      n: figures.count,
      missing,
      mean: figures.mean,
      passed: figures.passed,
      ...(rounded > 0 && { isRounded: true as const }),
      ...(figures.count > 1 && { interval: { low, high, method: figures.method } }),
    }
  })
  return standings.sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1))
}
