import type { RunResult } from '../../contract/index.ts'
import type { RankedModel } from '../../report/model/arena-ranking.ts'
import { rateBradleyTerry, type Game } from '../../statistics/index.ts'
import { sameScoreTolerance } from '../../statistics/numbers/tolerance.ts'
import type { Vote } from '../../services/index.ts'

/** GET /api/code-arena/ranking?votes=all|blind */
export interface ArenaRanking {
  votes: RankedModel[]
  voteCount: number
  /** Cast by people who had seen the names, whether counted here or not. */
  notBlindCount: number
  judgements: RankedModel[]
  judgementCount: number
}

const POINTS: Record<Vote['choice'], number> = { left: 1, right: 0, tie: 0.5, 'both-bad': 0.5 }

function playVote({ left, right, choice }: Vote): Game {
  return { a: left, b: right, scoreA: POINTS[choice] }
}

/** In each run every pair of judged models plays one game, which the higher score wins. */
function playRun({ results }: Pick<RunResult, 'results'>): Game[] {
  const judged = results.flatMap(({ modelId, score }) => (score ? [{ modelId, score: score.score }] : []))
  return judged.flatMap((a, index) =>
    judged.slice(index + 1).map((b) => {
      const lead = a.score - b.score
      return { a: a.modelId, b: b.modelId, scoreA: Math.abs(lead) <= sameScoreTolerance ? 0.5 : lead > 0 ? 1 : 0 }
    }),
  )
}

function rank(games: Game[]): RankedModel[] {
  const tally = new Map<string, { wins: number; ties: number; losses: number }>()
  const count = (id: string, points: number) => {
    const counts = tally.get(id) ?? { wins: 0, ties: 0, losses: 0 }
    counts[points === 0.5 ? 'ties' : points > 0.5 ? 'wins' : 'losses']++
    tally.set(id, counts)
  }
  for (const { a, b, scoreA } of games) {
    count(a, scoreA)
    count(b, 1 - scoreA)
  }
  return rateBradleyTerry(games).map(({ id, ...rating }) => ({ modelId: id, ...rating, ...tally.get(id)! }))
}

/** Two separate rankings: by votes of people who see the pages, and by judges with fixed criteria. */
export function rankArena(
  votes: readonly Vote[],
  runs: readonly Pick<RunResult, 'results'>[],
  { counted = 'all' }: { counted?: 'all' | 'blind' } = {},
): ArenaRanking {
  const blind = votes.filter(({ isBlind }) => isBlind !== false)
  const voted = (counted === 'all' ? votes : blind).map(playVote)
  const judged = runs.flatMap(playRun)
  return {
    votes: rank(voted),
    voteCount: voted.length,
    notBlindCount: votes.length - blind.length,
    judgements: rank(judged),
    judgementCount: judged.length,
  }
}
