import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'

/** Not a method of its own: compiling a case resolves the checks of a group, so it is in no list of scorers. */
export const checkGroup = defineScorer({
  name: 'group',
  summary: 'Several checks that count as one: their weighted mean, with one pass mark',
  expectedOutput: 'unused',
  score: () => {
    throw new ScoringError('invalid-options', 'group is scored by its checks')
  },
})
