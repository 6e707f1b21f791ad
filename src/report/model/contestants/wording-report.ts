/** A model's mean in one wording. */
interface WordingMean {
  wording: string
  mean: number
  cases: number
}

/** Two models, with the wordings drawn at random as the cases are. */
export interface WordingPair {
  modelA: string
  modelB: string
  /** A − B over all cases and wordings. */
  mean: number
  /** At the level of all pairs together, over more cases and more wordings like these. */
  low: number
  high: number
  /** After Holm's correction over the pairs. */
  adjustedP: number
  isSignificant: boolean
  /** How far the gap moves from wording to wording: a standard deviation without the noise of cases; null for two. */
  spread: number | null
  /** The share of the variance of the gap's estimate that is wording; null for two wordings. */
  share: number | null
  /** The gap in each wording. */
  gaps: { wording: string; gap: number }[]
}

/** What wording does, if the suite has several for each case. */
export interface WordingReport {
  wordings: string[]
  /** The cases that all wordings and models have a score for. */
  cases: number
  /** In the order of the leaderboard; wordings as the suite has them. */
  models: { modelId: string; means: WordingMean[] }[]
  pairs: WordingPair[]
}
