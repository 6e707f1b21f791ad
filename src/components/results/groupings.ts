import { groupings, type Grouping } from '../../report/words/index.ts'
import type { ResultsView } from '../../server/results/results-view.ts'

/** The groupings that the suite's cases have values for. */
export function listGroupings(suite: ResultsView['suite']): Grouping[] {
  if (!suite) return []
  const values = { category: suite.categories, tag: suite.tags, difficulty: suite.difficulties }
  return groupings.filter((by) => values[by].length > 0)
}

export function readGrouping(text: string | null, available: readonly Grouping[]): Grouping | undefined {
  return available.find((name) => name === text)
}

/** `category:maths` in the address as a filter of the cases. */
export function groupFilter(text: string | null): Partial<Record<Grouping, string>> {
  const by = groupings.find((name) => text?.startsWith(`${name}:`))
  return by && text ? { [by]: text.slice(by.length + 1) } : {}
}
