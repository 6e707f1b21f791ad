import { clamp, type ScoreTable } from '../contract/index.ts'
import { tQuantile } from './numbers/distributions.ts'

/** What repeats of conversations say about how much of their variation is the simulated user's. */
export type UserShare =
  /** Every repeat of a case scored the same. */
  | { kind: 'no-variation' }
  /** The user said the same in every repeat of a case: all variation is the agent's. */
  | { kind: 'same-words' }
  /** `pairs`: too few repeats in which it said the same, beyond the first of each. */
  | { kind: 'unknown'; pairs: number }
  /** At most this share of the variance between repeats of a case, 0 to 1. */
  | { kind: 'share'; share: number; low: number; high: number }

/** Fewer repeats with the same words say next to nothing about a variance. */
const FEWEST_PAIRS = 10
const FEWEST_UNITS = 3

interface Unit {
  total: number
  totalDegrees: number
  within: number
  withinDegrees: number
}

function sumSquares(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/** Sums of squares of the repeats of each model and case, by cases, or by clusters where cases belong together. */
function listUnits({ cells, userWords, clusters }: ScoreTable): Unit[] {
  const wordsOf = new Map(userWords.cell.map((cell, row) => [cell, userWords.words[row]!]))
  const scored = [...wordsOf.keys()].filter((cell) => !Number.isNaN(cells.score[cell]!))
  const byCase = Map.groupBy(scored, (cell) => {
    const cluster = clusters[cells.case[cell]!]!
    return cluster < 0 ? `case ${cells.case[cell]}` : `cluster ${cluster}`
  })
  const units = Array.from(byCase.values(), (members) => {
    const unit = { total: 0, totalDegrees: 0, within: 0, withinDegrees: 0 }
    for (const repeats of Map.groupBy(members, (cell) => `${cells.model[cell]} ${cells.case[cell]}`).values()) {
      unit.total += sumSquares(repeats.map((cell) => cells.score[cell]!))
      unit.totalDegrees += repeats.length - 1
      for (const same of Map.groupBy(repeats, (cell) => wordsOf.get(cell)).values()) {
        unit.within += sumSquares(same.map((cell) => cells.score[cell]!))
        unit.withinDegrees += same.length - 1
      }
    }
    return unit
  })
  return units.filter(({ totalDegrees }) => totalDegrees > 0)
}

/**
 * How much less repeats of a case vary in which the simulated user said and did the same: 1 − s²(same words) / s²(all). The
 * user's chance reaches the score only through its words, so that this is the user's share if its words do not depend on the
 * agent's chance, and more than its share if they do. Undefined without repeats with a simulated user.
 */
export function estimateUserShare(table: ScoreTable): UserShare | undefined {
  const units = listUnits(table)
  const add = (pick: (unit: Unit) => number) => units.reduce((sum, unit) => sum + pick(unit), 0)
  const total = add((unit) => unit.total)
  const totalDegrees = add((unit) => unit.totalDegrees)
  const within = add((unit) => unit.within)
  const withinDegrees = add((unit) => unit.withinDegrees)
  if (totalDegrees === 0) return undefined
  if (total < 1e-12) return { kind: 'no-variation' }
  if (withinDegrees === totalDegrees) return { kind: 'same-words' }
  if (withinDegrees < FEWEST_PAIRS || units.length < FEWEST_UNITS) return { kind: 'unknown', pairs: withinDegrees }
  if (within < 1e-12) return { kind: 'share', share: 1, low: 0, high: 1 }
  const ratio = within / withinDegrees / (total / totalDegrees)
  // The delta method on a logarithmic scale, over cases: each moves the logarithm of the ratio by this.
  const moves = units.map(
    (unit) =>
      unit.within / within - unit.withinDegrees / withinDegrees - unit.total / total + unit.totalDegrees / totalDegrees,
  )
  const n = units.length
  const stdErr = Math.sqrt((n / (n - 1)) * moves.reduce((sum, move) => sum + move ** 2, 0))
  const factor = Math.exp(tQuantile(0.975, n - 1) * stdErr)
  const shareOf = (quotient: number) => clamp(1 - quotient)
  return { kind: 'share', share: shareOf(ratio), low: shareOf(ratio * factor), high: shareOf(ratio / factor) }
}
