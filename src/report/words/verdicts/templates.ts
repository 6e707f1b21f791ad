import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { describeInterval, formatCount } from '../numbers.ts'
import { BEATS, TOO_CLOSE } from './verdicts.ts'

interface Facts {
  cases: number
  of: number
  templates: number
  verdicts: number
  lost: readonly unknown[]
  scores: readonly { modelId: string; low: number; high: number }[]
}

type Compared = readonly (ModelComparison | undefined)[]

/** `24 of 60 cases look like variants of 6 templates` */
export function describeVariants({ cases, of, templates }: Pick<Facts, 'cases' | 'of' | 'templates'>): string {
  return `${formatCount(cases)} of ${formatCount(of, 'case')} look like variants of ${formatCount(templates, 'template')}`
}

function describeOutcome({ verdicts, lost, scores }: Facts, comparisons: Compared): string {
  const [only, ...others] = comparisons.filter((comparison) => comparison?.paired)
  if (!only?.paired) {
    const [score] = scores
    return score === undefined || scores.length > 1
      ? ''
      : ` Counted by template, the 95 % CI is ${describeInterval(score)}.`
  }
  if (verdicts === 0) return ` Counted by template: still ${TOO_CLOSE}.`
  if (others.length === 0) {
    const { modelA, modelB, paired } = only
    const [better, worse] = paired.meanDiff > 0 ? [modelA, modelB] : [modelB, modelA]
    const verdict = `${better} ${BEATS} ${worse}`
    return lost.length > 0
      ? ` Counted by case: ${verdict}; counted by template: ${TOO_CLOSE}.`
      : ` Counted by template, too, ${verdict}.`
  }
  const all = formatCount(verdicts, 'verdict')
  if (lost.length > 0) return ` Counted by template, ${formatCount(lost.length)} of ${all} would no longer hold.`
  return ` Counted by template: ${verdicts === 1 ? 'the verdict still holds' : 'all verdicts still hold'}.`
}

/**
 * `24 of 60 cases look like variants of 6 templates. Counted by case: A beats B; counted by template: too close to call.`
 * and what to do about it.
 */
export function describeTemplates(facts: Facts, comparisons: Compared): string {
  return `${describeVariants(facts)}.${describeOutcome(facts, comparisons)} If they belong together, check the suite to keep them as groups.`
}
