import { checkNumbers } from '../numbers/check-arguments.ts'
import { tInterval } from '../intervals/t-interval.ts'
import { twoSidedTPValue } from '../numbers/distributions.ts'
import { meanOf } from '../numbers/weighted-moments.ts'
import { gradeStep } from './score-change.ts'

/** An answer whose quality is known, from people or by design. */
export interface ScoredAnswer {
  /** The score that it deserves, 0 to 1. */
  quality: number
  /** The score that the judge gave. */
  score: number
}

export interface SelfPreference {
  /** Answers of each side that have an answer of equal quality on the other. */
  own: number
  others: number
  /** How much higher the judge scores its own answers than others' of equal quality, with the 95 % interval. */
  difference: number
  low: number
  high: number
  pValue: number
  isReal: boolean
}

/** Qualities in the same tenth are equal. */
const stratumOf = ({ quality }: ScoredAnswer) => Math.round(quality * 10)

const meanScore = (answers: readonly ScoredAnswer[]) => meanOf(answers.map(({ score }) => score))

function squaresOf(answers: readonly ScoredAnswer[]): number {
  const mean = meanScore(answers)
  return answers.reduce((sum, { score }) => sum + (score - mean) ** 2, 0)
}

/**
 * A judge's own answers against others' of equal quality: the difference of scores within each quality, weighted by
 * n₁n₂/(n₁+n₂), with the spread pooled over all groups. This is the least-squares coefficient of "own" with an intercept
 * for each quality. `undefined` if no quality has answers of both sides, or too few to know the spread.
 */
export function measureSelfPreference(
  own: readonly ScoredAnswer[],
  others: readonly ScoredAnswer[],
): SelfPreference | undefined {
  const ownByQuality = Map.groupBy(own, stratumOf)
  const strata = [...Map.groupBy(others, stratumOf)].flatMap(([quality, matching]) => {
    const mine = ownByQuality.get(quality)
    return mine ? [{ mine, matching, weight: (mine.length * matching.length) / (mine.length + matching.length) }] : []
  })
  const count = (side: 'mine' | 'matching') => strata.reduce((sum, stratum) => sum + stratum[side].length, 0)
  const [ownCount, othersCount] = [count('mine'), count('matching')]
  const degreesOfFreedom = ownCount + othersCount - strata.length - 1
  if (strata.length === 0 || degreesOfFreedom < 1) return undefined
  checkNumbers(
    strata.flatMap(({ mine, matching }) => [...mine, ...matching].map(({ score }) => score)),
    'the scores',
  )

  const weight = strata.reduce((sum, stratum) => sum + stratum.weight, 0)
  const differenceIn = ({ mine, matching }: (typeof strata)[number]) => meanScore(mine) - meanScore(matching)
  const difference = strata.reduce((sum, stratum) => sum + stratum.weight * differenceIn(stratum), 0) / weight
  const residual = strata.reduce(
    (sum, stratum) =>
      sum +
      squaresOf(stratum.mine) +
      squaresOf(stratum.matching) +
      stratum.weight * (differenceIn(stratum) - difference) ** 2,
    0,
  )
  // Whole grades are rounded: equal scores do not mean that there is no spread.
  const variance = Math.max(residual / degreesOfFreedom, gradeStep ** 2 / 12)
  const stdErr = Math.sqrt(variance / weight)
  const { low, high } = tInterval({ mean: difference, stdErr, degreesOfFreedom })
  const pValue = twoSidedTPValue(difference / stdErr, degreesOfFreedom)
  return { own: ownCount, others: othersCount, difference, low, high, pValue, isReal: pValue < 0.05 }
}
