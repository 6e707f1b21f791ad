import { z } from 'zod'
import { groupings, type Grouping } from '../../../report/words/index.ts'

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
