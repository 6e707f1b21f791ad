import type { ResultsView } from '../../server/results/results-view.ts'

type Comparison = ResultsView['comparisons'][number]

const MOST_SHOWN = 3

/**
 * What is said first: each model against the next below it, the best first. The rest waits folded. Models without a score are
 * in no comparison.
 */
export function chooseVerdicts(
  comparisons: readonly Comparison[],
  order: readonly string[],
): { first: Comparison[]; rest: Comparison[] } {
  const placeOf = new Map(order.map((id, index) => [id, index]))
  const isNeighbour = ({ comparison: { modelA, modelB } }: Comparison) => {
    const [a, b] = [placeOf.get(modelA), placeOf.get(modelB)]
    return a !== undefined && b !== undefined && Math.abs(a - b) === 1
  }
  const leading = ({ comparison: { modelA, modelB } }: Comparison) =>
    Math.min(placeOf.get(modelA) ?? Infinity, placeOf.get(modelB) ?? Infinity)
  const first = comparisons
    .filter(isNeighbour)
    .toSorted((a, b) => leading(a) - leading(b))
    .slice(0, MOST_SHOWN)
  const shown = new Set(first)
  return { first, rest: comparisons.filter((comparison) => !shown.has(comparison)) }
}

/** The server may still be comparing when the figures are already there. */
export function isComparing(view: ResultsView): boolean {
  return view.pendingComparisons === true
}

export function isLive(view: Pick<ResultsView, 'runs'>): boolean {
  return view.runs.some((run) => run.isLive)
}
