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

/** The ranking of the Code Arena, with everything that a file about it shows. */
export interface ArenaRankingReport {
  votes: RankedModel[]
  voteCount: number
  /** Cast by people who had seen the names. */
  notBlindCount: number
  /** Whether those are counted. */
  counted: 'all' | 'blind'
  judgements: RankedModel[]
  judgementCount: number
  /** Newest first. */
  runs: RankedRun[]
  /** Of the program. */
  version?: string
}
