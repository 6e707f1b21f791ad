import type { UnscoredCode } from './errors.ts'

/** What a scorer says of one answer. */
export interface ScoringResult {
  /** 0 to 1; shown times 100. */
  score: number
  /** 0 to 1: how sure the scorer is of its own reading. */
  confidence?: number
  /** How the score came about, for a person. */
  notes?: string
  /** The score on the scorer's own scale, 0 to `maxScore`. */
  rawScore?: number
  maxScore?: number
  /** For a judged answer: what each judge said. */
  judges?: JudgeVerdict[]
  /** For a case with several checks: what each of them said. */
  checks?: CheckResult[]
}

export interface CheckResult extends ScoringResult {
  scoringMethod: string
  weight: number
}

export interface JudgeVerdict {
  judgeModelId: string
  /** 0 to 1. */
  score: number
  reasoning: string
}

/** A cell without a score: a kind of its own, never a number. */
export interface Unscored {
  code: UnscoredCode | (string & {})
  message: string
}
