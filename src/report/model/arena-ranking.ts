import type { ArenaVote, RunResult } from '../../contract/index.ts'
import { rateBradleyTerry, type Game } from '../../statistics/index.ts'
import { sameScoreTolerance } from '../../statistics/numbers/weighted-moments.ts'
import { listJudges } from './judge-notes.ts'

/** A model's rating from votes or judgements. */
export interface RankedModel {
  modelId: string
  /** Around 1000, as in chess. */
  rating: number
  low: number
  high: number
  games: number
  wins: number
  ties: number
  losses: number
  /** From 1: models of different groups were never compared, not even through others, so their ratings say nothing of each other. */
  group: number
}

/** A Code Arena run that the ranking counts. */
interface RankedRun {
  id: string
  startedAt?: number
  prompt: string
  models: string[]
  judges: string[]
  judgePrompt?: string
  votes: number
}

/** The models of the Code Arena, by the votes of people and by the scores of judges. */
export interface ArenaRanking {
  votes: RankedModel[]
  voteCount: number
  /** Cast by people who had seen the names, whether counted here or not. */
  notBlindCount: number
  judgements: RankedModel[]
  judgementCount: number
}

/** The ranking of the Code Arena, with everything that a file about it shows. */
export interface ArenaRankingReport extends ArenaRanking {
  /** Whether votes of people who had seen the names are counted. */
  counted: 'all' | 'blind'
  /** Newest first. */
  runs: RankedRun[]
  /** Of the program. */
  version?: string
}

/** A vote as it is stored. */
interface CastVote extends ArenaVote {
  runId: string
  isBlind?: boolean | undefined
}

const POINTS: Record<ArenaVote['choice'], number> = { left: 1, right: 0, tie: 0.5, 'both-bad': 0.5 }

function playVote({ left, right, choice }: ArenaVote): Game {
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

/** The games of models that were compared with each other, directly or through others; the group of most games first. */
function groupGames(games: Game[]): Game[][] {
  const leaders = new Map<string, string>()
  const leaderOf = (id: string): string => {
    const next = leaders.get(id) ?? id
    return next === id ? id : leaderOf(next)
  }
  for (const { a, b } of games) leaders.set(leaderOf(a), leaderOf(b))
  return [...Map.groupBy(games, ({ a }) => leaderOf(a)).values()].toSorted((a, b) => b.length - a.length)
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
  return groupGames(games).flatMap((group, index) =>
    rateBradleyTerry(group).map(({ id, ...rating }) => ({
      modelId: id,
      ...rating,
      ...tally.get(id)!,
      group: index + 1,
    })),
  )
}

/** Two separate rankings: by votes of people who see the pages, and by judges with fixed criteria. */
export function rankArena(
  votes: readonly CastVote[],
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

/** The ranking with the runs behind it, for a file. */
export function buildArenaRanking(
  votes: readonly CastVote[],
  runs: readonly RunResult[],
  counted: 'all' | 'blind',
): ArenaRankingReport {
  const version = runs.find(({ versions }) => versions?.['benchmaker'] !== undefined)?.versions?.['benchmaker']
  return {
    ...rankArena(votes, runs, { counted }),
    counted,
    runs: runs.map((run) => {
      const { id, startedAt, models, versions, testSuiteSnapshot } = run
      const judgePrompt = versions?.['judgePrompt']
      return {
        id,
        ...(startedAt !== undefined && { startedAt }),
        prompt: testSuiteSnapshot?.testCases[0]?.prompt ?? '',
        models,
        judges: listJudges([run]),
        ...(judgePrompt !== undefined && { judgePrompt }),
        votes: votes.filter(({ runId }) => runId === id).length,
      }
    }),
    ...(version !== undefined && { version }),
  }
}
