import { countWithoutScore } from '../../../statistics/index.ts'
import type { RunGroup } from './run-groups.ts'

export const runSorts = ['newest', 'oldest', 'suite', 'score', 'cost', 'problems'] as const

export type RunSort = (typeof runSorts)[number]

export const sortNames: Record<RunSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  suite: 'By suite',
  score: 'Best score first',
  cost: 'Highest cost first',
  problems: 'Most unscored first',
}

export function readRunSort(text: string | null): RunSort {
  return runSorts.find((name) => name === text) ?? 'newest'
}

const bestOf = ({ means }: RunGroup) => Math.max(-1, ...means.values())

const orders: Record<RunSort, (a: RunGroup, b: RunGroup) => number> = {
  newest: () => 0,
  oldest: () => 0,
  suite: (a, b) => a.suiteName.localeCompare(b.suiteName, 'en', { numeric: true }),
  score: (a, b) => bestOf(b) - bestOf(a),
  cost: (a, b) => b.cost - a.cost,
  problems: (a, b) => countWithoutScore(b) - countWithoutScore(a),
}

/** From the order in which they were stored, the newest first; that also decides between equals. */
export function sortRuns(groups: readonly RunGroup[], sort: RunSort): RunGroup[] {
  return sort === 'oldest' ? groups.toReversed() : groups.toSorted(orders[sort])
}
