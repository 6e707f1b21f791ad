import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'
import { findOutputs } from '../tool-calls/credit/said-outputs.ts'
import { gradeCalls } from '../tool-calls/trajectories/grade-calls.ts'
import { readConversation } from './end-state.ts'
import { readExpected } from './expected-calls.ts'

export const turns = defineScorer({
  name: 'turns',
  summary: 'Credit for each scripted turn: the calls and the words that it expects',
  expectedOutput: 'unused',
  options: z.object({}),
  score({ conversation }) {
    const { turns: scripted = [], calls, said } = readConversation(conversation, 'turns')
    const expecting = scripted.flatMap(({ expectedCalls, said: texts }, turn) =>
      expectedCalls || texts ? [{ turn, expectedCalls, texts }] : [],
    )
    if (expecting.length === 0)
      throw new ScoringError('invalid-options', 'turns needs turns with expectedCalls or said')
    const scores = expecting.map(({ turn, expectedCalls, texts }) => {
      const made = calls.filter((call) => call.by === 'agent' && call.turn === turn)
      const heard = said.filter((one) => one.turn === turn).map(({ text }) => text)
      // A turn that did not come about, or in which the agent did nothing, has nothing right in it.
      if (made.length === 0 && heard.length === 0) return { turn, score: 0 }
      const parts = [
        ...(expectedCalls ? [gradeTurn(expectedCalls, made)] : []),
        ...(texts ? [share(findOutputs(texts, heard))] : []),
      ]
      return { turn, score: parts.reduce((sum, part) => sum + part, 0) / parts.length }
    })
    const lost = scores.filter(({ score }) => score < 1)
    return {
      score: scores.reduce((sum, { score }) => sum + score, 0) / scores.length,
      notes:
        lost.length === 0 ? 'every turn was right' : `turn ${lost.map(({ turn }) => turn + 1).join(', ')} lost credit`,
    }
  },
})

const share = (found: readonly boolean[]): number =>
  found.length === 0 ? 1 : found.filter(Boolean).length / found.length

/** No calls expected: each one that was made is wrong. */
function gradeTurn(expected: Parameters<typeof readExpected>[0], made: Parameters<typeof readExpected>[1]): number {
  const { calls, actual } = readExpected(expected, made)
  const extra = calls.length === 0 ? ('cost' as const) : ('free' as const)
  return gradeCalls(calls, actual, { args: 'similar', align: 'one-to-one', extra, scope: 'all' }).score
}
