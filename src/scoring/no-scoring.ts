import { NO_SCORING, ScoringError } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

/** For answers that people rate, or that a judge grades later: `rescore` with a suite that has another method. */
export const noScoring = defineScorer({
  name: 'none',
  summary: 'Collects the answers without scoring them: rate them yourself, or rescore them later with a judge',
  expectedOutput: 'optional',
  score: () => {
    throw new ScoringError(
      NO_SCORING,
      'The suite collects this answer without scoring it. Rate it, or rescore the run with a judge.',
    )
  },
})
