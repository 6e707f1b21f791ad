import { twoSidedTPValue } from '../numbers/distributions.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { panelP } from '../judging/compare-panel.ts'
import { unseenMassP, type DifferenceMoments, type DifferenceSample, type JudgeSpread } from './difference-interval.ts'
import { mcnemarMidP } from './mcnemar-mid-p.ts'
import { signFlipTest } from './sign-flip-test.ts'

/** Nobody should decide on fewer cases, or clusters of them, even if five passes to none are significant. */
export const FEWEST_UNITS = 6

export interface VerdictP {
  /** The largest of the mid-p of sign flips, t's p (with judges drawn at random too), and the p of the unseen mass. */
  verdictP: number
  verdictTest: 'mcnemar-mid-p' | 'sign-flips'
  /** Of sign flips, ties counted in full. */
  permutationP: number
}

/**
 * The p of a verdict. Sign flips alone call skewed differences real too often, t alone is wrong for few of them, and
 * both miss what has not been seen yet: their largest p is below .05 exactly if 0 is outside every interval. For 0/1
 * scores of equal weight the mid-p is McNemar's.
 */
export function findVerdictP(
  { differences, weights, clusters, isPassFail = false }: DifferenceSample,
  moments: DifferenceMoments,
  panel?: JudgeSpread,
): VerdictP {
  const { pValue: permutationP, midP } = signFlipTest(differences, { ...(weights && { weights }), clusters })
  const isMcNemar = isPassFail && !moments.isClustered && moments.effectiveSize === moments.n
  const count = (sign: number) => differences.filter((difference) => sign * difference > sameScoreTolerance).length
  const flipsP = isMcNemar ? mcnemarMidP(count(1), count(-1)) : midP
  const tP = panel ? panelP(moments, panel) : moments.isConstant ? 0 : studentP(moments)
  return {
    verdictP: Math.max(flipsP, tP, unseenMassP(moments)),
    verdictTest: isMcNemar ? 'mcnemar-mid-p' : 'sign-flips',
    permutationP,
  }
}

function studentP({ mean, stdErr, degreesOfFreedom }: DifferenceMoments): number {
  return twoSidedTPValue(mean / stdErr, degreesOfFreedom)
}
