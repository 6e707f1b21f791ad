import { clopperPearsonInterval } from './intervals/clopper-pearson.ts'
import { clusteredMoments, type Clusters } from './clusters/clustered-moments.ts'
import { effectiveTrials } from './intervals/case-interval.ts'

/** How many answers passed. */
export interface PassRate {
  /** Scored answers that reached the pass mark of their case, over all runs. */
  passed: number
  /** The weighted share of cases that passed, each averaged over its runs first; 0 to 1. */
  passRate: number
  /** 95 % interval of the pass rate over more cases like these. */
  passRateConfidence95: [number, number]
}

/** Columns with one entry per case. */
export interface CasePasses {
  /** How many of the case's scored answers passed. */
  passes: readonly number[]
  /** How many scored answers it has; default 1 each. */
  answers?: readonly number[]
  weights?: readonly number[]
  /** The name of each case's cluster; undefined for a case that is its own. */
  clusters?: Clusters
}

/**
 * The pass rate with its Clopper-Pearson interval at the effective number of cases (Korn & Graubard, Survey Methodology
 * 24, 1998). The repeats of a case are one observation, its share of passes: they tell nothing about other cases. A
 * share varies less than a single pass or fail, so with repeats the interval is rather too wide than too narrow.
 */
export function estimatePassRate({ passes, answers, weights, clusters }: CasePasses): PassRate {
  const shares = answers ? passes.map((count, index) => count / answers[index]!) : passes
  const moments = clusteredMoments(shares, weights, clusters)
  const { mean } = moments
  const size = effectiveTrials(moments)
  const { low, high } = clopperPearsonInterval(mean * size, size)
  return {
    passed: passes.reduce((sum, count) => sum + count, 0),
    passRate: mean,
    passRateConfidence95: [low, high],
  }
}
