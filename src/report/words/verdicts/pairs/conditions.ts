import type { ModelComparison } from '../../../../statistics/index.ts'
import { capitalise } from '../../names.ts'
import { formatCount, formatMargin } from '../../numbers.ts'
import { describeJudged, describeRareFailures } from './pair-verdict.ts'
import { describeJudges, describeRunCounts, seeFromAhead } from '../verdicts.ts'

/** What a verdict rests on, a sentence each; nothing if it holds as it is. */
export function listConditions(pair: ModelComparison | undefined): string[] {
  if (!pair?.paired) return []
  const { paired } = pair
  const { better, low } = seeFromAhead({ ...pair, paired })
  const { isSignificant, evenIfMissing = false, equivalence } = paired
  const judged = isSignificant ? describeJudged(paired, { better, low }) : describeJudges(paired)
  const size = isSignificant ? /by (more|less) than the margin$/.exec(equivalence?.verdict ?? '')?.[1] : undefined
  return [
    ...(judged === '' ? [] : [`${capitalise(judged.trim())}.`]),
    ...(size === undefined ? [] : [`${capitalise(size)} than the ${formatMargin(equivalence!.margin)} that matter.`]),
    ...(evenIfMissing ? [`Holds even if all missing answers count against ${better}.`] : []),
    ...(isSignificant ? [describeRareFailures(paired, better).trim()].filter((text) => text !== '') : []),
  ]
}

interface Repeated {
  modelId: string
  scores: readonly number[]
  repeats: { flaky: readonly string[] }
}

/** `Flaky in 3 runs: a 2 cases, b 7.` Undefined if no case is. */
export function describeFlakyModels(models: readonly Repeated[]): string | undefined {
  const flaky = models.filter(({ repeats }) => repeats.flaky.length > 0)
  if (flaky.length === 0) return undefined
  const counts = flaky.map(
    ({ modelId, repeats }, index) =>
      `${modelId} ${index === 0 ? formatCount(repeats.flaky.length, 'case') : formatCount(repeats.flaky.length)}`,
  )
  return `Flaky in ${describeRunCounts(models)}: ${counts.join(', ')}.`
}
