import type { ModelComparison } from './compare-models.ts'
import type { PairedComparison } from './paired-comparison.ts'

/**
 * The levels of a gate that compares every commit with the same baseline. Chance in the baseline's own answers returns
 * with each comparison, so a first p < .05 is only a reason to run both again.
 */
export const gateLevels = {
  /** Of the first comparison: both are run again. */
  alarm: 0.05,
  /** Of the fresh runs alone: the gate fails. */
  fresh: 0.02,
  /** Of the first comparison if the baseline cannot be run again: 5 % over 20 commits. */
  alone: 0.05 / 20,
} as const

/** How often candidate and baseline are run again. */
export const FRESH_RUNS = 2

/** Worse than before, but by less than the difference that does not matter: no reason to fail. */
export const isWithinMargin = ({ equivalence }: Pick<PairedComparison, 'equivalence'>): boolean =>
  equivalence?.verdict === 'worse, by less than the margin'

/** The models that are worse now at this level, after the correction that the comparisons have; see `compareWithEarlier`. */
export function findWorse(
  comparisons: ReadonlyMap<string, ModelComparison>,
  level: number,
): Map<string, PairedComparison> {
  return new Map(
    [...comparisons].flatMap(([modelId, { paired }]) =>
      paired?.isSignificant && paired.meanDiff < 0 && paired.adjustedP < level && !isWithinMargin(paired)
        ? [[modelId, paired]]
        : [],
    ),
  )
}
