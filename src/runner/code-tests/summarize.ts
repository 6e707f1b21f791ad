import { countNoun, type ScoringResult } from '../../contract/index.ts'

export interface TestOutcome {
  passed: boolean
  /** Why it failed. */
  reason?: string
}

const LONGEST_REASON = 300

/** The share of tests that pass, and why the first that fails does. */
export function summarize(outcomes: readonly TestOutcome[]): ScoringResult {
  const passed = outcomes.filter((outcome) => outcome.passed).length
  const failed = outcomes.findIndex((outcome) => !outcome.passed)
  const counted = `${passed} of ${countNoun(outcomes.length, 'test')} passed`
  const reason = outcomes[failed]?.reason?.slice(0, LONGEST_REASON)
  const which = outcomes.length > 1 ? `test ${failed + 1}: ` : ''
  return {
    score: passed / outcomes.length,
    notes: failed < 0 ? counted : `${counted}; ${which}${reason ?? 'it failed'}`,
  }
}
