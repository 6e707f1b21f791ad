import { argumentSimilarity } from './argument-similarity.ts'
import type { ActualCall, ExpectedCall } from '../calls.ts'
import type { Match } from '../reasons.ts'

export const NAME_WEIGHT = 0.4
export const ARGUMENT_WEIGHT = 0.6

interface CreditResult {
  score: number
  matches: Match[]
}

/**
 * Matches each expected action with its best-scoring call; one call may match several actions. The right tool earns 0.4
 * and its arguments up to 0.6; the score is the mean. With no expected actions it is 1 without calls, else 0.
 */
export function giveCallsCredit(expected: readonly ExpectedCall[], calls: readonly ActualCall[]): CreditResult {
  if (expected.length === 0) return { score: calls.length === 0 ? 1 : 0, matches: [] }
  const matches = expected.map((action, expectedIndex) => findBestCall(action, { expectedIndex, calls }))
  // Summed in order and divided once, to equal the reference implementation to the last bit.
  return { score: matches.reduce((sum, { score }) => sum + score, 0) / expected.length, matches }
}

function findBestCall(
  action: ExpectedCall,
  { expectedIndex, calls }: { expectedIndex: number; calls: readonly ActualCall[] },
): Match {
  let best: Match = { expectedIndex, actualIndex: null, score: 0, argumentScore: null }
  for (const [actualIndex, call] of calls.entries()) {
    if (call.name !== action.name) continue
    const argumentScore = argumentSimilarity(action.arguments, call.arguments)
    const score = NAME_WEIGHT + ARGUMENT_WEIGHT * argumentScore
    if (score > best.score) best = { expectedIndex, actualIndex, score, argumentScore }
    if (argumentScore === 1) break
  }
  return best
}
