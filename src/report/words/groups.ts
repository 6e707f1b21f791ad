import { formatCount } from './numbers.ts'

/** With fewer cases an interval spans most of the scale, and ranks hardly ever differ. */
const FEWEST_CASES = 10

export function isSmallGroup({ clusters }: { clusters: number }): boolean {
  return clusters < FEWEST_CASES
}

/** `15 of 60 cases`, or `15 of 60 cases in 3 groups` if they are in clusters; with a warning if they are few. */
export function describeGroupSize(
  { caseCount, clusterCount }: { caseCount: number; clusterCount: number },
  total: number,
): string {
  const inGroups = clusterCount === caseCount ? '' : ` in ${formatCount(clusterCount, 'group')}`
  const size = `${formatCount(caseCount)} of ${formatCount(total, 'case')}${inGroups}`
  return isSmallGroup({ clusters: clusterCount })
    ? `${size}, a small group: differences are hard to tell from chance`
    : size
}

/** What cases are grouped by. */
export const groupings = ['category', 'tag', 'difficulty'] as const
export type Grouping = (typeof groupings)[number]

export const groupingWords: Record<Grouping, { title: string; one: string }> = {
  category: { title: 'Category', one: 'category' },
  tag: { title: 'Tag', one: 'tag' },
  difficulty: { title: 'Difficulty', one: 'difficulty' },
}
