import type { UnscoredCode } from './errors.ts'

/** The score of one answer. */
export interface ScoringResult {
  /** 0 to 1; shown as 0 to 100. */
  score: number
  /** Only if the pass mark of the case does not decide: a custom scorer has its own, and so may an imported result. */
  passed?: boolean
  /** 0 to 1: how sure the scorer is. */
  confidence?: number
  /** Explains the score to a reader. */
  notes?: string
  /** The score on the scorer's own scale, 0 to `maxScore`. */
  rawScore?: number
  maxScore?: number
  /** For a judged answer: each judge's verdict. */
  judges?: JudgeVerdict[]
  /** For a case with several checks: the result of each. */
  checks?: CheckResult[]
}

export interface CheckResult extends ScoringResult {
  /** What it measures, if the suite says so. */
  name?: string
  scoringMethod: string
  weight: number
}

export interface JudgeVerdict {
  judgeModelId: string
  /** 0 to 1. */
  score: number
  reasoning: string
}

/** Why a cell has no score. Never a number. */
export interface Unscored {
  code: UnscoredCode | (string & {})
  message: string
}

/** The code of cells that have no score because their suite says so: `scoringMethod: none`. */
export const NO_SCORING = 'no-scoring'

/** True if the cell has a score, or is not meant to have one. */
export function isSettled({ score, unscored }: { score?: ScoringResult; unscored?: Unscored }): boolean {
  return score !== undefined || unscored?.code === NO_SCORING
}

/** True if only a request to a judge or an embedding model failed, so that a resume can still score the answer. */
export function awaitsGrade({ unscored }: { unscored?: Unscored }): boolean {
  return unscored?.code === 'judge-failed' || unscored?.code === 'embedding-failed'
}
