import type { UnscoredCode } from '../errors.ts'

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
  /** Judges of the panel that gave no verdict on this answer; the others gave the score. */
  missingJudges?: MissingJudge[]
  /** For an answer compared with those of other models: the result of each comparison. */
  comparisons?: PairwiseComparison[]
  /** For an answer compared with others: how it is written, for style control. */
  style?: AnswerStyle
  /** For a conversation with a simulated user: a number that is the same where the user said and did the same. */
  userWords?: number
  /** For a case with several checks: the result of each. */
  checks?: CheckResult[]
  /** What another reading of the same answer would make of it, if not the same: a looser one of a failure, a stricter one of a pass. */
  otherReading?: 'passes' | 'fails'
}

export interface CheckResult extends ScoringResult {
  /** For a criterion of a rubric: its id in the suite. */
  id?: string
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

export interface MissingJudge {
  judgeModelId: string
  reason: string
}

/** An answer against another model's answer to the same case, seen from this answer. */
export interface PairwiseComparison {
  opponentId: string
  /** 1 if this answer won, 0.5 for a tie, 0 if it lost; the mean or median over the judges. */
  score: number
  /** Absent if no judge was needed: the answers are the same, or one of them is empty. */
  judges?: PairJudgement[]
  missingJudges?: MissingJudge[]
  /** Why no judge was needed, or that its verdict is from the cache. */
  notes?: string
}

/** What one judge said about a pair, seen from this answer: it read the pair in both orders. */
export interface PairJudgement {
  judgeModelId: string
  /** 1, 0.5 or 0; 0.5 too if the two orders gave different results. */
  score: number
  /** False if the result depended on which answer came first. */
  isConsistent: boolean
  /** The reason given in each order of the answers, one per line. */
  reasoning: string
}

/** What a judge may take for quality: the length and the formatting of an answer. */
export interface AnswerStyle {
  /** Characters. */
  length: number
  headers: number
  listItems: number
  bold: number
  codeBlocks: number
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

const AWAITING_CODES = new Set([
  'judge-failed',
  'embedding-failed',
  'not-compared',
  'user-error',
  'environment-error',
  'browser-failed',
])

/**
 * True if a resume can still score the answer: only a request to a judge or an embedding model failed, the answers to
 * compare it with were not there, or the browser ended.
 */
export function awaitsGrade({ unscored }: { unscored?: Unscored }): boolean {
  return unscored !== undefined && AWAITING_CODES.has(unscored.code)
}
