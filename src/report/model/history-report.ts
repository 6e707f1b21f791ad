import type { ScoreByHistory } from '../../statistics/index.ts'

/** A model's score of the whole suite, from some of its cases and what other models scored on all. */
export interface EstimatedScore extends ScoreByHistory {
  modelId: string
  /** The cases with a score. */
  asked: number
}

/** What a run that asked only some cases says about all of them. */
export interface HistoryReport {
  /** The cases of the suite. */
  cases: number
  /** Those drawn. */
  drawn: number
  /** How many other models have scores of every case. */
  otherModels: number
  /** In the order of the leaderboard. */
  models: EstimatedScore[]
}
