import type { LiveCell } from '../contract/index.ts'
import { aggregateCollected, type Interval, type ModelScores } from '../statistics/index.ts'

/** A cell as a screen shows it. */
export interface ShownCell extends LiveCell {
  /** The score is known to the nearest tenth only: it was there, with thousands of others, when the page was opened. */
  isRounded?: true
}

/** Reads the short form of many finished cells: one character a cell, row by row. */
export function readFinished(
  finished: string,
  { models, cases }: { models: readonly string[]; cases: readonly unknown[] },
): (ShownCell | undefined)[] {
  return Array.from({ length: models.length * cases.length }, (_, index) => {
    const mark = finished[index]
    const place = { case: Math.floor(index / models.length), model: index % models.length }
    if (mark === 'u') return { ...place, state: 'unscored' }
    if (mark === 'e') return { ...place, state: 'error' }
    const tenths = mark === undefined ? -1 : '0123456789X'.indexOf(mark)
    return tenths < 0 ? undefined : { ...place, state: 'scored', score: tenths / 10, isRounded: true }
  })
}

/** A model so far: the mean of what has a score, with its interval over cases. */
export interface LiveStanding {
  modelId: string
  /** How many cells have a score. */
  n: number
  /** Ended in error or could not be scored: in no mean. */
  missing: number
  /** 0 to 1; absent while nothing is scored. */
  mean?: number
  /** Some of the scores are known to the nearest tenth only. */
  isRounded?: true
  /** From the second score on: one score says nothing about spread. */
  interval?: Interval
}

interface Facts {
  models: readonly string[]
  /** Without a weight a case counts 1. */
  cases: readonly { id: string; weight?: number }[]
}

/** Best mean first; models without a score last, in their order. `cells` goes row by row: cases × models. */
export function rankStandings({ models, cases }: Facts, cells: readonly (ShownCell | undefined)[]): LiveStanding[] {
  const standings = models.map((modelId, column): LiveStanding => {
    const scored: ModelScores = {
      testCaseIds: [],
      scores: [],
      weights: [],
      missing: { unscored: 0, errors: 0, weight: 0, reasons: {} },
    }
    let rounded = 0
    cases.forEach(({ id, weight = 1 }, row) => {
      const cell = cells[row * models.length + column]
      if (cell?.state === 'error') scored.missing.errors++
      if (cell?.state === 'unscored') scored.missing.unscored++
      if (cell?.state !== 'scored' || cell.score === undefined) return
      if (cell.isRounded) rounded++
      scored.testCaseIds.push(id)
      scored.scores.push(cell.score)
      scored.weights.push(weight)
    })
    const missing = scored.missing.unscored + scored.missing.errors
    // The same function as for stored results: a finished run reads alike here and there.
    const figures = aggregateCollected(new Map([[modelId, scored]])).get(modelId)
    if (!figures) return { modelId, n: 0, missing }
    const [low, high] = figures.confidence95
    return {
      modelId,
      n: figures.count,
      missing,
      mean: figures.mean,
      ...(rounded > 0 && { isRounded: true as const }),
      ...(figures.count > 1 && { interval: { low, high, method: figures.method } }),
    }
  })
  return standings.sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1))
}
