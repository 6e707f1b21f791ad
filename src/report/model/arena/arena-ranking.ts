import { foldText, type ArenaRunResult, type ArenaVote } from '../../../contract/index.ts'
import {
  rateBradleyTerry,
  rateWithStyle,
  type Game,
  type StyledGame,
  type StyleWeight,
} from '../../../statistics/index.ts'
import { sameScoreTolerance } from '../../../statistics/numbers/weighted-moments.ts'
import { winChance } from '../../../statistics/ranking/bradley-terry.ts'
import { leadOf } from '../../../statistics/ranking/style-control.ts'
import { listJudges } from '../verdict/judge-notes.ts'

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

/** The ranking of the runs with one tag: the kind of their task. */
export interface ArenaKind {
  name: string
  games: number
  /** Empty if the games are too few to rank by. */
  models: RankedModel[]
}

/** A model as it is rated, and as it would be if all pages had the same amount of code. */
export interface EqualRating {
  modelId: string
  rating: number
  low: number
  high: number
  voted: { rating: number; low: number; high: number }
}

/** What the length of the code has to do with who wins. */
export type ArenaStyle =
  | { state: 'too-few'; games: number; runs: number; neededGames: number; neededRuns: number }
  | {
      state: 'rated'
      /** Best at equal style first; of the largest group. */
      models: EqualRating[]
      weights: StyleWeight[]
      /** Games that somebody won, with code of different length. */
      decided: number
      longerWon: number
      /** How often code that is `timesAsLong` wins between models of equal rating, 0 to 1. */
      longerWins?: { mean: number; low: number; high: number }
      /** Models that were never compared with these. */
      leftOut: number
      /** How many times as long the longer code of a pair is: the root mean square of the leads. */
      timesAsLong: number
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
  /** By the tags of runs; a run with several tags counts in each. */
  kinds: { votes: ArenaKind[]; judgements: ArenaKind[] }
  /** Absent if there are no games, or all pages have the same amount of code. */
  style: { votes?: ArenaStyle; judgements?: ArenaStyle }
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

type RankedRunResult = Pick<ArenaRunResult, 'id' | 'results'> & Partial<Pick<ArenaRunResult, 'label' | 'code'>>

interface PageGame extends Game {
  runId: string
}

const POINTS: Record<ArenaVote['choice'], number> = { left: 1, right: 0, tie: 0.5, 'both-bad': 0.5 }

function playVote({ runId, left, right, choice }: CastVote): PageGame {
  return { runId, a: left, b: right, scoreA: POINTS[choice] }
}

/** In each run every pair of judged models plays one game, which the higher score wins. */
function playRun({ id: runId, results }: RankedRunResult): PageGame[] {
  const judged = results.flatMap(({ modelId, score }) => (score ? [{ modelId, score: score.score }] : []))
  return judged.flatMap((a, index) =>
    judged.slice(index + 1).map((b) => {
      const lead = a.score - b.score
      return {
        runId,
        a: a.modelId,
        b: b.modelId,
        scoreA: Math.abs(lead) <= sameScoreTolerance ? 0.5 : lead > 0 ? 1 : 0,
      }
    }),
  )
}

/** The games of models that were compared with each other, directly or through others; the group of most games first. */
function groupGames<Played extends Game>(games: readonly Played[]): Played[][] {
  const leaders = new Map<string, string>()
  const leaderOf = (id: string): string => {
    const next = leaders.get(id) ?? id
    return next === id ? id : leaderOf(next)
  }
  for (const { a, b } of games) leaders.set(leaderOf(a), leaderOf(b))
  return [...Map.groupBy(games, ({ a }) => leaderOf(a)).values()].toSorted((a, b) => b.length - a.length)
}

function rank(games: readonly PageGame[]): RankedModel[] {
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
    rateBradleyTerry([...group]).map(({ id, ...rating }) => ({
      modelId: id,
      ...rating,
      ...tally.get(id)!,
      group: index + 1,
    })),
  )
}

/** Fewer say nothing about a kind of task: the intervals would span thousands of points. */
const FEWEST_GAMES = 10

/** The games of each tag, the most first; the first spelling of a tag counts. */
function rankKinds(games: readonly PageGame[], runs: readonly RankedRunResult[]): ArenaKind[] {
  const tagsOf = new Map(runs.map(({ id, label }) => [id, label?.tags ?? []]))
  const kinds = new Map<string, { name: string; games: PageGame[] }>()
  for (const game of games)
    for (const name of tagsOf.get(game.runId) ?? []) {
      const kind = kinds.get(foldText(name)) ?? { name, games: [] }
      kinds.set(foldText(name), kind)
      kind.games.push(game)
    }
  return [...kinds.values()]
    .map(({ name, games: own }) => ({
      name,
      games: own.length,
      models: own.length < FEWEST_GAMES ? [] : rank(own),
    }))
    .toSorted((a, b) => b.games - a.games)
}

/** For each model and each kind of style: with fewer, ratings at equal style are little more than the prior. */
const GAMES_PER_PARAMETER = 10

/** The games of a run share its pages: they are one cluster, and a few clusters show too little variation. */
const FEWEST_RUNS = 10

/** The largest group of games with the amount of code of both pages held equal. */
function controlStyle(games: readonly PageGame[], runs: readonly RankedRunResult[]): ArenaStyle | undefined {
  const codeOf = new Map(runs.map(({ id, code }) => [id, code]))
  const styled = games.flatMap((game): StyledGame[] => {
    const code = codeOf.get(game.runId)
    const [a, b] = [code?.[game.a], code?.[game.b]]
    return a && b ? [{ ...game, cluster: game.runId, lead: leadOf(a, b) }] : []
  })
  const [group = []] = groupGames(styled)
  const controlled = rateWithStyle(group)
  if (!controlled) return undefined
  const { ratings, weights } = controlled
  const needed = { neededGames: GAMES_PER_PARAMETER * (ratings.length + weights.length), neededRuns: FEWEST_RUNS }
  const runCount = new Set(group.map(({ cluster }) => cluster)).size
  if (group.length < needed.neededGames || runCount < needed.neededRuns)
    return { state: 'too-few', games: group.length, runs: runCount, ...needed }
  const voted = new Map(rateBradleyTerry(group.map(({ cluster: _run, ...game }) => game)).map((one) => [one.id, one]))
  const leads = group.map(({ lead: { length = 0 } }) => length)
  const usual = Math.sqrt(leads.reduce((sum, lead) => sum + lead ** 2, 0) / leads.length)
  const decided = group.filter(({ scoreA, lead }) => scoreA !== 0.5 && lead.length !== 0)
  const length = weights.find(({ feature }) => feature === 'length')
  const chanceOf = (points: number) => winChance((points * Math.LN10) / 400)
  return {
    state: 'rated',
    models: ratings.map(({ id, rating, low, high }) => {
      const { rating: before, low: from, high: to } = voted.get(id)!
      return { modelId: id, rating, low, high, voted: { rating: before, low: from, high: to } }
    }),
    weights,
    decided: decided.length,
    longerWon: decided.filter(({ scoreA, lead }) => scoreA > 0.5 === lead.length! > 0).length,
    ...(length && {
      longerWins: { mean: chanceOf(length.points), low: chanceOf(length.low), high: chanceOf(length.high) },
    }),
    leftOut: new Set(games.flatMap(({ a, b }) => [a, b])).size - ratings.length,
    timesAsLong: (1 + usual) / (1 - usual),
  }
}

/** Two separate rankings: by votes of people who see the pages, and by judges with fixed criteria. */
export function rankArena(
  votes: readonly CastVote[],
  runs: readonly RankedRunResult[],
  { counted = 'all' }: { counted?: 'all' | 'blind' } = {},
): ArenaRanking {
  const blind = votes.filter(({ isBlind }) => isBlind !== false)
  const voted = (counted === 'all' ? votes : blind).map(playVote)
  const judged = runs.flatMap(playRun)
  const styles = { votes: controlStyle(voted, runs), judgements: controlStyle(judged, runs) }
  return {
    votes: rank(voted),
    voteCount: voted.length,
    notBlindCount: votes.length - blind.length,
    judgements: rank(judged),
    judgementCount: judged.length,
    kinds: { votes: rankKinds(voted, runs), judgements: rankKinds(judged, runs) },
    style: {
      ...(styles.votes && { votes: styles.votes }),
      ...(styles.judgements && { judgements: styles.judgements }),
    },
  }
}

/** The ranking with the runs behind it, for a file. */
export function buildArenaRanking(
  votes: readonly CastVote[],
  runs: readonly ArenaRunResult[],
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
