import type { ScoreTable } from './score-table.ts'

/** The difference that does not matter, 0 to 1: what the runs were started with, else what their suite says. */
export function marginOf({ runs }: ScoreTable): number | undefined {
  const points =
    runs.find(({ request }) => request?.sameWithin !== undefined)?.request?.sameWithin ??
    runs.find(({ suite }) => suite?.smallestDifference !== undefined)?.suite?.smallestDifference
  return points === undefined ? undefined : points / 100
}
