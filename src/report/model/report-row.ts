import type { IntervalMethod, MissingSummary } from '../../statistics/index.ts'

/** Money spent. `unknown` counts answers whose price nobody said; they are not in `total`. */
export interface ReportCost {
  total: number
  unknown: number
}

/** One model of the leaderboard. A model without a single score has no `score`. */
export interface ReportRow {
  modelId: string
  /** 1 + the number of models significantly better. */
  rank?: number
  score?: {
    mean: number
    /** 95 % interval for the mean over more cases like these. */
    low: number
    high: number
    method: IntervalMethod
    /** Over cases for one run, over runs for a series. */
    stdDev: number
    /** Cases with a score. */
    n: number
  }
  unscored: number
  errors: number
  missing?: MissingSummary
  cost: ReportCost
  /** False when nobody said what its answers cost: that is not 0. */
  isCostKnown: boolean
  medianLatencyMs?: number
  medianFirstTokenMs?: number
  /** Answered by the built-in offline provider, not by a real model. */
  isSimulated: boolean
}
