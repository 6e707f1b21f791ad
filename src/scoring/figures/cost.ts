import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'

/** Says whether the answer was cheap enough. */
export const cost = defineScorer({
  name: 'cost',
  summary: 'The answer cost at most maxDollars; unscored if its price is unknown',
  expectedOutput: 'unused',
  options: z.object({ maxDollars: z.number().positive().describe('US dollars for this answer') }),
  score({ cost: spent }, { maxDollars }) {
    if (spent === undefined) throw new ScoringError('scoring-failed', 'cost: what the answer cost is unknown')
    return { score: spent <= maxDollars ? 1 : 0, notes: `$${spent}; at most $${maxDollars}` }
  },
})
