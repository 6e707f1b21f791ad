import type { Deciding } from '../../../contract/index.ts'
import type { DroppedModel } from '../../../statistics/index.ts'

/** Two models of a run that decides, by the cases counted in their drawn order. */
export interface ReportDecision {
  modelA: string
  modelB: string
  winner?: string
  /** The difference is known to be within the run's margin. */
  isSame?: true
  /** The number of cases that had been asked when it was decided. */
  at?: number
  /** How many times a stake against "no difference" has grown, at most. */
  evidence: number
  /** 1/evidence after Shaffer's correction over all pairs; right however often one looked. */
  adjustedP: number
  /** Cases that count. */
  n: number
  /** Weighted mean of A − B: likely too large if the run stopped because of it. */
  meanDiff: number
  /**
   * Holds at every look at once: for all pairs together, or for this pair by itself if it was decided on a lower line.
   * Excludes 0 exactly if the pair is decided and the mean has not changed its sign since.
   */
  confidence95: [number, number]
  wins: number
  losses: number
}

/** What a run that decides has decided, and what that saved. */
export interface ReportDecisions {
  question: Deciding['question']
  /** Models within this of each other are practically the same; 0 to 1. */
  sameWithin?: number
  isSettled: boolean
  /** The only model that no other has been found better than. */
  best?: string
  /** Cases counted, of the suite's `caseCount`. */
  cases: number
  caseCount: number
  pairs: ReportDecision[]
  /** Models that were no longer asked, and after how many cases. */
  dropped: DroppedModel[]
  saved: {
    /** Answers that were not requested, of all that a run of the whole suite would have requested. */
    calls: number
    of: number
    /** US dollars, by the mean cost of each model's answers; absent if that is unknown. */
    cost?: number
  }
  /** Of runs that decide which models are good enough: those that are, once that is settled. */
  goodEnough?: readonly string[]
  /** Counted cases that a pair does without, because a model has no score. */
  casesWithoutScore: number
  /** All of that in words. */
  sentences: string[]
}
