import type { ResultsView } from '../../server/results/results-view.ts'

export type Grouping = 'category' | 'tag' | 'difficulty'

export const groupingWords: Record<Grouping, { title: string; one: string }> = {
  category: { title: 'Category', one: 'category' },
  tag: { title: 'Tag', one: 'tag' },
  difficulty: { title: 'Difficulty', one: 'difficulty' },
}

/** The groupings that the suite's cases have values for. */
export function listGroupings(suite: ResultsView['suite']): Grouping[] {
  if (!suite) return []
  return [
    ...(suite.categories.length > 0 ? ['category' as const] : []),
    ...(suite.tags.length > 0 ? ['tag' as const] : []),
    ...(suite.difficulties.length > 0 ? ['difficulty' as const] : []),
  ]
}

export function readGrouping(text: string | null, available: readonly Grouping[]): Grouping | undefined {
  return available.find((name) => name === text)
}

/** `category:maths` in the address as a filter of the cases. */
export function groupFilter(text: string | null): Partial<Record<Grouping, string>> {
  const by = (['category', 'tag', 'difficulty'] as const).find((name) => text?.startsWith(`${name}:`))
  return by && text ? { [by]: text.slice(by.length + 1) } : {}
}
