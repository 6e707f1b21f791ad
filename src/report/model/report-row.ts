import type { IntervalMethod, MissingSummary, PassRate, RankRange } from '../../statistics/index.ts'

/** Money spent. `unknown` counts answers without a known cost, which are not in `total`. */
export interface ReportCost {
  total: number
  unknown: number
}

/** One model of the leaderboard. `score` is absent if the model has no scores. */
export interface ReportRow {
  modelId: string
  rank?: RankRange
  score?: PassRate & {
    mean: number
    /** 95 % interval of the mean over more cases like these. */
    low: number
    high: number
    method: IntervalMethod
    /** Over cases for one run, over runs for a series; absent for a model that ran once in a series. */
    stdDev?: number
    /** Cases with a score. */
    n: number
    /** Answers with a score, over all runs. */
    count: number
  }
  unscored: number
  errors: number
  /** The run ended before it asked them. */
  notAsked: number
  missing?: MissingSummary
  cost: ReportCost
  /** False if no answer has a known cost: that is not 0. */
  isCostKnown: boolean
  medianLatencyMs?: number
  medianFirstTokenMs?: number
  /** Answered by the built-in offline provider, not by a real model. */
  isSimulated: boolean
}
