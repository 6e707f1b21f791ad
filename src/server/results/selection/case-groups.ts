import { z } from 'zod'
import type { CaseFacts } from '../cases/case-facts.ts'

export const groupings = ['category', 'tag', 'difficulty'] as const
export type Grouping = (typeof groupings)[number]

/** Some of the cases: those of one category, with one tag or of one difficulty. */
export interface CaseGroup {
  by: Grouping
  value: string
}

/** `?group=category:maths`; empty means all cases. */
export const groupSchema = z
  .string()
  .max(500)
  .optional()
  .transform((text, context): CaseGroup | undefined => {
    if (text === undefined || text === '') return undefined
    const by = groupings.find((name) => text.startsWith(`${name}:`))
    if (by) return { by, value: text.slice(by.length + 1) }
    context.addIssue(`must be ${groupings.map((name) => `${name}:NAME`).join(', ')}`)
    return z.NEVER
  })

/** The groups that a case is in. */
function valuesOf({ category, tags, difficulty }: CaseFacts, by: Grouping): string[] {
  if (by === 'tag') return tags
  const value = by === 'category' ? category : difficulty
  return value === undefined ? [] : [value]
}

/** The cases of each group, as indices in `caseIds`, in the order of the suite. */
export function listGroups(facts: readonly CaseFacts[], by: Grouping): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, fact] of facts.entries())
    for (const value of new Set(valuesOf(fact, by))) {
      const cases = groups.get(value) ?? []
      groups.set(value, cases)
      cases.push(index)
    }
  return groups
}
