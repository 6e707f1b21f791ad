import { isInProgress } from '../../contract/index.ts'
import type { ResultsView } from '../../server/results/results-view.ts'

type Comparison = ResultsView['comparisons'][number]

const MAX_SHOWN = 3

/** Chooses the verdicts to show first: each model against the next one in rank, best first. The rest are collapsed. */
export function chooseVerdicts(
  comparisons: readonly Comparison[],
  order: readonly string[],
): { first: Comparison[]; rest: Comparison[] } {
  const rankOf = new Map(order.map((id, index) => [id, index]))
  const isNeighbour = ({ comparison: { modelA, modelB } }: Comparison) => {
    const [a, b] = [rankOf.get(modelA), rankOf.get(modelB)]
    return a !== undefined && b !== undefined && Math.abs(a - b) === 1
  }
  const bestRank = ({ comparison: { modelA, modelB } }: Comparison) =>
    Math.min(rankOf.get(modelA) ?? Infinity, rankOf.get(modelB) ?? Infinity)
  const first = comparisons
    .filter(isNeighbour)
    .toSorted((a, b) => bestRank(a) - bestRank(b))
    .slice(0, MAX_SHOWN)
  const shown = new Set(first)
  return { first, rest: comparisons.filter((comparison) => !shown.has(comparison)) }
}

/** True while the server is still comparing models; the other figures are already there. */
export function isComparing(view: ResultsView): boolean {
  return view.pendingComparisons === true
}

/** In this process or another. */
export function isLive(view: Pick<ResultsView, 'runs'>): boolean {
  return view.runs.some(({ state }) => isInProgress(state))
}
