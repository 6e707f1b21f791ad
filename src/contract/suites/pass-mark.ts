import type { ScoringResult } from '../scores/score.ts'

/**
 * The pass marks of the built-in scoring methods, where they are not 1. They are here and not with the scorers because
 * statistics read stored runs without any scorer.
 */
export const methodPassMarks: Readonly<Record<string, number>> = {
  'exact-match': 0.95,
  'llm-judge': 0.8,
  'code-arena': 0.8,
  'page-similarity': 0.9,
  similar: 0.75,
  // Wins at least as often as it loses.
  pairwise: 0.5,
}

/** A score that misses the mark only by rounding passes. */
const ROUNDING = 1e-9

/** The score, 0 to 1, from which an answer passes, unless its case or suite sets another. */
export function passMarkOfMethod(scoringMethod: string): number {
  return Object.hasOwn(methodPassMarks, scoringMethod) ? methodPassMarks[scoringMethod]! : 1
}

/** What an answer must reach to pass: a score or, as a list, a score in each check of the case. */
export type PassMark = number | readonly number[]

/** The fields of a test case that decide which answers pass. */
export interface PassFields {
  passAt?: number | undefined
  scoringMethod?: string | undefined
  checks?: readonly { scoringMethod: string; passAt?: number | undefined }[] | undefined
}

/** The mark of the case, else of the suite, else of its scoring method; with checks, each must reach its own. */
export function readPassMark(
  { passAt, scoringMethod, checks }: PassFields,
  suitePassAt?: number,
  markOf: (scoringMethod: string) => number = passMarkOfMethod,
): PassMark {
  const mark = passAt ?? suitePassAt
  if (mark !== undefined) return mark
  if (checks) return checks.map((check) => check.passAt ?? markOf(check.scoringMethod))
  return scoringMethod === undefined ? 1 : markOf(scoringMethod)
}

/** Whether the answer with this score passed. */
export function hasPassed({ score, checks, passed }: ScoringResult, mark: PassMark): boolean {
  if (passed !== undefined) return passed
  if (typeof mark === 'number') return score >= mark - ROUNDING
  // An imported score may lack its checks: then the mean must reach the highest of their marks.
  if (checks?.length !== mark.length) return score >= Math.max(...mark) - ROUNDING
  return checks.every((check, index) => hasPassed(check, mark[index]!))
}

/** The pass mark of each case of a suite, by id; 1 for a case that it does not have. */
export function readPassMarks(
  suite: { passAt?: number | undefined; testCases: readonly (PassFields & { id: string })[] } | undefined,
): (testCaseId: string) => PassMark {
  const marks = new Map(suite?.testCases.map((testCase) => [testCase.id, readPassMark(testCase, suite.passAt)]))
  return (testCaseId) => marks.get(testCaseId) ?? 1
}
