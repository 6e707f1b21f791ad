import type {
  IntervalMethod,
  LuckyLeader,
  MissingSummary,
  OwnCases,
  PassRate,
  RankRange,
} from '../../../statistics/index.ts'

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

/** What requests to a model had in common, and how many cells it holds for. */
export interface CountedText {
  text: string
  cells: number
}

/** One model of the leaderboard. `score` is absent if the model has no scores. */
export interface ReportRow {
  modelId: string
  rank?: RankRange
  /** Over the cases that all ranked models have a score for; of a model that is left out, over its own. */
  score?: PassRate & {
    mean: number
    /** 95 % CI of the mean over more cases like these; of the first of several models, `low` includes what luck may explain. */
    low: number
    high: number
    method: IntervalMethod
    /** Over cases for one run, over runs for a series; absent for a model that ran once in a series. */
    stdDev?: number
    /** Cases with a score. */
    n: number
    /** How many clusters they are in: what counts as independent. */
    clusters: number
    /** Answers with a score, over all runs. */
    count: number
  }
  /** Present if not all models have the same cases: this one by itself. */
  own?: OwnCases & { mean: number; count: number }
  /** It lacks too many cases to be ranked. */
  isLeftOut?: true
  /** How far the first is ahead of it, with the interval that holds for all pairs together; absent for the first. */
  behind?: { mean: number; low: number; high: number }
  unscored: number
  /** Requests that failed. */
  errors: number
  /** Cells that a stopped run never reached: neither errors nor answers. */
  notRun: number
  missing?: MissingSummary
  /** If another reading of its answers would change some scores: how many failures would pass, and passes fail. */
  readings?: { scored: number; passed: number; looser: number; stricter: number }
  cost: ReportCost
  /** False if no answer has a known cost: that is not 0. */
  isCostKnown: boolean
  /** Absent if no model of the leaderboard has any, or this one has no answers. */
  cached?: CachedAnswers
  /** The hosts to which a router sent its requests, the most first. */
  hosts?: CountedText[]
  /** What its requests lacked, because it does not support it. */
  leftOut?: CountedText[]
  /** Over the answers asked for in these runs: those from the cache were not timed. */
  medianLatencyMs?: number
  medianFirstTokenMs?: number
  /** Answered by the built-in offline provider, not by a real model. */
  isSimulated: boolean
}

/** What the ranking of a leaderboard rests on. */
export interface LeaderboardBasis {
  /** Present if not all models have the same cases: those that all ranked ones have, of those that any of them has. */
  shared?: { cases: number; of: number; leftOut: string[] }
  /** The first of several models, and what it may owe to luck. */
  leader?: LuckyLeader
}
