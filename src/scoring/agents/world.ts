import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'

/** The expressions run in a thread, in an engine of its own: `src/runner/isolate.ts`. */
export const world = defineScorer({
  name: 'world',
  summary: 'Checks the world at the end with JavaScript expressions; the score is the share that holds',
  expectedOutput: 'unused',
  options: z.object({
    holds: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .describe('Expressions of world that must be true, such as world.orders.W1.status === "returned"'),
  }),
  isSlow: () => true,
  deadlineMs: () => 1000,
  timeoutCode: 'scoring-timeout',
  score: () => {
    throw new ScoringError('scoring-failed', 'world runs only where there are threads')
  },
})
