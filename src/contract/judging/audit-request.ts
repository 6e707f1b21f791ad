import { z } from 'zod'
import { maxCostSchema, modelIdSchema } from '../runs/run-options.ts'

/** What a judge can be audited for, in the order in which it is. */
export const auditNames = ['test-retest', 'position', 'verbosity', 'self-preference', 'canaries'] as const

export type AuditName = (typeof auditNames)[number]

/** Each answer takes several requests. */
const maxAuditLimit = 500

/** What to audit a judge for, and with what; the same in the terminal and the web app. */
export const auditRequestSchema = z.strictObject({
  judgeModelId: modelIdSchema,
  /** With the stored answers of this run, instead of the built-in ones. */
  runId: z.string().min(1).max(200).optional(),
  only: z
    .array(z.enum(auditNames, `must be among ${auditNames.join(', ')}`))
    .min(1, 'names no audit')
    .optional(),
  /** At most this many answers, pairs or questions for each audit. */
  limit: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(maxAuditLimit, `must be at most ${maxAuditLimit}`)
    .optional(),
  /** US dollars. */
  maxCost: maxCostSchema.optional(),
})

export type AuditRequest = z.output<typeof auditRequestSchema>
