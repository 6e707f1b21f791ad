import { z } from 'zod'
import { ScoringError } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

/** The method that scores the transformed output; its options are written next to these fields. */
export const innerCheckSchema = z.looseObject({ scoringMethod: z.string(), expectedOutput: z.string().optional() })

/**
 * Runs the suite's own code, so it is only there where the user allows that (`--allow-code`). The code runs in a
 * thread, in an engine of its own: `src/runner/isolate.ts`.
 */
export const javascript = defineScorer({
  name: 'javascript',
  summary:
    'Runs JavaScript on the answer, which returns true, false, a number or { score, reason }; needs --allow-code',
  expectedOutput: 'optional',
  options: z.object({
    code: z
      .string()
      .min(1)
      .optional()
      .describe(
        'An expression, a function body of several lines, or a module that exports a function; it has output and context',
      ),
    transform: z
      .array(z.string().min(1))
      .optional()
      .describe('Expressions that replace output one after another before it is scored'),
    check: innerCheckSchema.optional().describe('Another scoring method for the transformed output, instead of code'),
    functionName: z.string().optional().describe('Which export of the module to call'),
    negate: z.boolean().default(false).describe('1 becomes 0 and 0 becomes 1'),
    config: z.record(z.string(), z.unknown()).optional().describe('Handed to the code as context.config'),
    deadlineMs: z.int().min(1).max(60_000).default(1000).describe('Stops the code after this many milliseconds'),
  }),
  validate(_expected, { code, check }) {
    if ((code === undefined) === (check === undefined))
      throw new ScoringError('invalid-options', 'javascript needs either code or a check')
  },
  isSlow: () => true,
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  timeoutCode: 'scoring-timeout',
  score: () => {
    throw new ScoringError('scoring-failed', 'javascript runs only where there are threads')
  },
})
