import { z } from 'zod'
import { ScoringError, type ScoredConversation } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'
import { creditEndState } from './state-credit.ts'

const MAX_DIFFERENCES_SHOWN = 4
const MAX_VALUE_LENGTH = 60

export function readConversation(conversation: ScoredConversation | undefined, method: string): ScoredConversation {
  if (conversation) return conversation
  throw new ScoringError(
    'invalid-options',
    `${method} scores conversations with tools; the case has no agent, world, tools or user`,
  )
}

function showValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

export const endState = defineScorer({
  name: 'end-state',
  summary: 'Compares the world at the end with that after the reference, or with the part that the case names',
  expectedOutput: 'unused',
  options: z.object({
    match: z
      .enum(['whole', 'part'])
      .optional()
      .describe('part: only what is expected counts (default for endState); whole: nothing else may change'),
    ignore: z.array(z.string()).optional().describe('Paths that do not count, such as orders.*.returnedAt'),
    unordered: z.array(z.string()).optional().describe('Lists whose order does not count'),
  }),
  score({ conversation }, { match, ignore, unordered }) {
    const { before, world, expected, endState: part, as } = readConversation(conversation, 'end-state')
    const hasPart = part !== undefined
    // Without a reference and without a part, nothing should change.
    const wanted = hasPart ? { part } : { world: expected === undefined ? before : expected }
    const { score, differences } = creditEndState(
      { before, expected: wanted, actual: world },
      { match: match ?? (hasPart ? 'part' : 'whole'), ignore, unordered },
    )
    const shown = differences
      .slice(0, MAX_DIFFERENCES_SHOWN)
      .map((one) => `${one.path} is ${showValue(one.actual)}, not ${showValue(one.expected)}`)
    const rest = differences.length - shown.length
    return {
      score: as === 'tau2' && differences.length > 0 ? 0 : score,
      notes:
        differences.length === 0
          ? 'the world is as it should be'
          : `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`,
    }
  },
})
