import { randomBytes, randomInt } from 'node:crypto'
import { listOpenPairs, undoVote, voteOnPair } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound, Refusal } from '../http/refusal.ts'

/** GET /api/pairwise/:runId/pair?voter=: two anonymous answers, sides shuffled; absent if none is left. */
export interface AnswerPairView {
  pair?: { pairId: string; testCaseId: string; prompt: string; left: string; right: string }
  /** Pairs without a vote of this person, this one included, of all. */
  remaining: number
  total: number
}

/** POST /api/pairwise/votes: what was behind the two sides. */
interface PairVoteResult {
  left: string
  right: string
}

interface ShownPair {
  runId: string
  testCaseId: string
  left: string
  right: string
  voter: string
}

/** Pairs shown but not voted on; beyond this many, the oldest are dropped. */
const MAX_PAIRS = 1000

const POINTS_OF_LEFT = { left: 1, tie: 0.5, right: 0 } as const

export function createAnswerPairs(context: ServerContext) {
  const shown = new Map<string, ShownPair>()
  const remember = (pair: ShownPair): string => {
    const pairId = randomBytes(16).toString('hex')
    shown.set(pairId, pair)
    if (shown.size > MAX_PAIRS) shown.delete(shown.keys().next().value!)
    return pairId
  }
  const find = (pairId: string): ShownPair => {
    const pair = shown.get(pairId)
    if (!pair) throw new Refusal(404, 'no-pair', 'This pair has expired; request another.')
    return pair
  }

  return {
    async draw(runId: string, voter: string): Promise<AnswerPairView> {
      if (!(await context.storage.findRuns(runId)).includes(runId)) throw notFound(`Run ${runId.slice(0, 50)}`)
      const { open, total } = await listOpenPairs(runId, voter, context.runTools())
      const drawn = open[randomInt(Math.max(1, open.length))]
      if (!drawn) return { remaining: 0, total }
      const { testCaseId, prompt } = drawn
      const [left, right] = randomInt(2) === 0 ? [drawn.a, drawn.b] : [drawn.b, drawn.a]
      const pairId = remember({ runId, testCaseId, left: left.modelId, right: right.modelId, voter })
      return {
        pair: { pairId, testCaseId, prompt, left: left.response, right: right.response },
        remaining: open.length,
        total,
      }
    },

    async vote(pairId: string, choice: keyof typeof POINTS_OF_LEFT): Promise<PairVoteResult> {
      const { runId, testCaseId, left, right, voter } = find(pairId)
      const scoreA = POINTS_OF_LEFT[choice]
      await voteOnPair({ runId, testCaseId, modelA: left, modelB: right, scoreA, voter }, context.runTools())
      return { left, right }
    },

    async undo(pairId: string): Promise<void> {
      const { runId, testCaseId, left, right, voter } = find(pairId)
      const vote = { runId, testCaseId, modelA: left, modelB: right, voter }
      if (!(await undoVote(vote, context.runTools())))
        throw new Refusal(404, 'no-vote', 'There is no vote on this pair to undo.')
    },
  }
}
