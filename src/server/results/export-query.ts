import { z } from 'zod'
import { findFormat, formats } from '../../report/index.ts'
import { smallestDifferenceSchema } from './smallest-difference.ts'

/** Of a file that is passed on. */
const flag = z
  .enum(['yes', 'no'])
  .default('no')
  .transform((value) => value === 'yes')

/** What to write, and what to leave out: the same for results and comparisons. */
export const exportFields = {
  smallestDifference: smallestDifferenceSchema,
  format: z
    .string()
    .default('json')
    .transform((name, context) => {
      const format = findFormat(name)
      if (format && !format.writeFiles) return format
      context.addIssue(
        `must be one of ${formats
          .filter(({ writeFiles }) => !writeFiles)
          .map(({ name: known }) => known)
          .join(', ')}`,
      )
      return z.NEVER
    }),
  /** `Model A`, `Model B`, … instead of names. */
  anonymous: flag,
  /** Without prompts, answers and explanations. */
  withoutTexts: flag,
}
