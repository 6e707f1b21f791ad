import { countNoun, ScoringError, type CheckResult } from '../contract/index.ts'
import { readConversation } from './agents/end-state.ts'
import { summariseChecks, tryTests, weigh } from './page-tests.ts'
import { defineScorer } from './scorer.ts'

/**
 * A project in dependent steps: after each turn, the page as it then stood is tested, and the step counts if all of its tests
 * pass.
 */
export const pageSteps = defineScorer({
  name: 'page-steps',
  summary: 'Tries a page that is written in steps after each of them: the share of the steps whose tests all pass',
  expectedOutput: 'unused',
  opensPages: true,
  async score({ conversation }, _options, { pages }) {
    const { turns = [], said } = readConversation(conversation, 'page-steps')
    const answers = turns.map((_turn, index) =>
      said.flatMap(({ text, turn }) => (turn === index ? [text] : [])).join('\n\n'),
    )
    const checks: CheckResult[] = []
    for (const [index, { pageTests: tests }] of turns.entries()) {
      if (!tests) continue
      const response = answers[index]!
      const earlier = answers.slice(0, index).filter((answer) => answer.trim() !== '')
      const tried = response.trim() === '' ? [] : await tryTests(response, tests, { pages, earlier })
      checks.push({
        name: `Step ${index + 1}`,
        scoringMethod: 'page-step',
        weight: 1,
        score: tried.length > 0 && tried.every(({ score }) => score === 1) ? 1 : 0,
        notes: tried.length === 0 ? 'no answer' : summariseChecks(tried, ['test', 'tests']),
      })
    }
    if (checks.length === 0)
      throw new ScoringError('invalid-options', 'None of the turns has tests (pageTests), so nothing is scored.')
    const first = checks.findIndex(({ score }) => score < 1)
    const untested = turns.length - checks.length
    return {
      score: weigh(checks),
      notes: [
        summariseChecks(checks, ['step', 'steps']),
        ...(first > 0 ? [`In a row from the first: ${first}`] : []),
        ...(untested > 0 ? [`Without tests, and not in the score: ${countNoun(untested, 'step')}`] : []),
      ].join('\n'),
      checks,
    }
  },
})
