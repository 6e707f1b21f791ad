import { formatCount } from './numbers.ts'

/** With fewer cases an interval spans most of the scale, and ranks hardly ever differ. */
const FEWEST_CASES = 10

export function isSmallGroup(cases: number): boolean {
  return cases < FEWEST_CASES
}

/** `15 of 60 cases`, with a warning if they are few. */
export function describeGroupSize(cases: number, total: number): string {
  const size = `${formatCount(cases)} of ${formatCount(total, 'case')}`
  return isSmallGroup(cases) ? `${size}, a small group: differences are hard to tell from chance` : size
}

/** What cases are grouped by. */
export const groupings = ['category', 'tag', 'difficulty'] as const
export type Grouping = (typeof groupings)[number]

export const groupingWords: Record<Grouping, { title: string; one: string }> = {
  category: { title: 'Category', one: 'category' },
  tag: { title: 'Tag', one: 'tag' },
  difficulty: { title: 'Difficulty', one: 'difficulty' },
}
