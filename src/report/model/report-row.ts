import type { IntervalMethod, MissingSummary, PassRate, RankRange } from '../../statistics/index.ts'

/** Money spent. `unknown` counts answers without a known cost, which are not in `total`. */
export interface ReportCost {
  total: number
  unknown: number
}

/** Answers that were not asked for in this run but reused from earlier ones. */
export interface CachedAnswers {
  count: number
  /** Answers in all, cached or not. */
  of: number
  /** Of the oldest one when its run started, in milliseconds. */
  maxAgeMs: number
}

/** One model of the leaderboard. `score` is absent if the model has no scores. */
export interface ReportRow {
  modelId: string
  rank?: RankRange
  score?: PassRate & {
    mean: number
    /** 95 % CI of the mean over more cases like these. */
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
  /** Requests that failed. */
  errors: number
  /** Cells that a stopped run never reached: neither errors nor answers. */
  notRun: number
  missing?: MissingSummary
  cost: ReportCost
  /** False if no answer has a known cost: that is not 0. */
  isCostKnown: boolean
  /** Absent if no model of the leaderboard has any, or this one has no answers. */
  cached?: CachedAnswers
  /** Over the answers asked for in these runs: those from the cache were not timed. */
  medianLatencyMs?: number
  medianFirstTokenMs?: number
  /** Answered by the built-in offline provider, not by a real model. */
  isSimulated: boolean
}
