import type { CostReport, ModelComparison } from '../../../../statistics/index.ts'
import { describeInterval, formatCost, formatCount, formatDifference, formatScore } from '../../numbers.ts'
import { formatTimes } from './costs.ts'
import { findPair } from '../first-place.ts'

/** A model with a cost, and what it takes to step up to it from the next cheaper one on the frontier. */
export interface CostStep {
  modelId: string
  /** Of one answer, in US dollars. */
  cost: number
  score: number
  isOnFrontier: boolean
  /** The next cheaper model on the frontier; absent for the cheapest, and off the frontier. */
  from?: { modelId: string; cost: number; gap?: { mean: number; low: number; high: number } }
}

function findGap(
  modelId: string,
  from: string,
  comparisons: readonly ModelComparison[],
): { mean: number; low: number; high: number } | undefined {
  const pair = findPair(modelId, from, comparisons)
  if (!pair?.paired) return undefined
  const {
    meanDiff,
    shownInterval: [low, high],
  } = pair.paired
  return pair.modelA === modelId ? { mean: meanDiff, low, high } : { mean: 0 - meanDiff, low: 0 - high, high: 0 - low }
}

/** The models of the frontier from the best to the cheapest, then those off it. */
export function listSteps(
  { models }: CostReport,
  { frontier, comparisons }: { frontier: ReadonlySet<string>; comparisons: readonly ModelComparison[] },
): CostStep[] {
  const priced = models.flatMap(({ modelId, cost, score }) =>
    cost ? [{ modelId, cost: cost.mean, score, isOnFrontier: frontier.has(modelId) }] : [],
  )
  const onIt = priced.filter(({ isOnFrontier }) => isOnFrontier).toSorted((a, b) => b.cost - a.cost)
  const steps = onIt.map((step, index): CostStep => {
    const next = onIt[index + 1]
    if (!next) return step
    const gap = findGap(step.modelId, next.modelId, comparisons)
    return { ...step, from: { modelId: next.modelId, cost: next.cost, ...(gap && { gap }) } }
  })
  return [...steps, ...priced.filter(({ isOnFrontier }) => !isOnFrontier)]
}

/** `+5.6 points (1.3 to 9.9)` and `6.0 × b`; of the cheapest `cheapest` and its score. */
export function describeStep({ score, isOnFrontier, cost, from }: CostStep): { gain: string; times: string } {
  const own = `${formatScore(score)} points`
  if (!isOnFrontier) return { gain: 'off the frontier', times: own }
  if (!from) return { gain: 'cheapest', times: own }
  const times = from.cost > 0 ? formatTimes(cost / from.cost, from.modelId) : ''
  return { gain: from.gap ? `${formatDifference(from.gap.mean)} points (${describeInterval(from.gap)})` : own, times }
}

/** `At 100,000 answers a month, a costs $1,139 more than b.` Undefined without a step up. */
export function describeVolume([first]: readonly CostStep[], answers: number): string | undefined {
  if (!first?.from) return undefined
  const more = (first.cost - first.from.cost) * answers
  return `At ${formatCount(answers)} answers a month, ${first.modelId} costs ${formatCost(more)} more than ${first.from.modelId}.`
}
