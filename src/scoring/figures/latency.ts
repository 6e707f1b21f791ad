import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'

/** Says whether the answer came in time. */
export const latency = defineScorer({
  name: 'latency',
  summary: 'The whole answer arrived within maxMs milliseconds',
  expectedOutput: 'unused',
  options: z.object({ maxMs: z.number().positive().describe('Milliseconds from the request to the last token') }),
  score({ latencyMs }, { maxMs }) {
    if (latencyMs === undefined)
      throw new ScoringError('scoring-failed', 'latency: how long the answer took is unknown')
    return { score: latencyMs <= maxMs ? 1 : 0, notes: `${Math.round(latencyMs)} ms; at most ${maxMs} ms` }
  },
})
