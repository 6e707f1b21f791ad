import { hasPassed, methodPassMarks, type PassMark, type ScoringResult } from '../../contract/index.ts'
import type { PassRate } from '../../statistics/index.ts'
import { describeInterval, formatCount, formatPercent, formatScore } from './numbers.ts'

/** `17/20`: how many of the scored answers passed. */
export function formatPassed({ passed, count }: { passed: number; count: number }): string {
  return `${formatCount(passed)}/${formatCount(count)}`
}

/** The passing score of every scoring method, in points: `95 for exact-match, …, 100 for all others`. */
export function listMethodMarks(): string {
  const marks = Object.entries(methodPassMarks).map(([method, mark]) => `${formatCount(100 * mark)} for ${method}`)
  return [...marks, '100 for all others'].join(', ')
}

/** `85.0 % (62.1 to 96.8)` */
export function formatPassRate({ passRate, passRateConfidence95 }: PassRate): string {
  return `${formatPercent(passRate)} (${describeInterval(passRateConfidence95)})`
}

/** Why an answer failed: `score 66.2 is below 95.0`, or the first check below its mark. */
export function describeShortfall(result: ScoringResult, mark: PassMark): string {
  const { score, checks = [], passed } = result
  const isBelow = passed === undefined && !hasPassed(result, mark)
  if (isBelow && typeof mark === 'number') return `score ${formatScore(score)} is below ${formatScore(mark)}`
  const index =
    isBelow && typeof mark !== 'number' && checks.length === mark.length
      ? checks.findIndex((check, position) => !hasPassed(check, mark[position]!))
      : -1
  if (index < 0 || typeof mark === 'number') return `score ${formatScore(score)} does not pass`
  return `${checks[index]!.scoringMethod} ${formatScore(checks[index]!.score)} is below ${formatScore(mark[index])}`
}

/** What an answer must reach, for a reader of a case: `passes from 95.0`, or each check from its own mark. */
export function describePassing(mark: PassMark): string {
  if (typeof mark === 'number') return `passes from ${formatScore(mark)}`
  const marks = mark.map(formatScore)
  return new Set(marks).size === 1
    ? `passes if every check reaches ${marks[0]}`
    : `passes if its checks reach ${marks.join(' and ')}`
}

/** Why the score of an answer is in doubt. */
export const otherReadings: Record<NonNullable<ScoringResult['otherReading']>, string> = {
  passes: 'The answer contains the expected one: is the scorer too strict?',
  fails: 'The answer may not give the expected one: is the scorer too lenient?',
}
