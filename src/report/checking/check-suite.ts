import type { RunResult, Suite } from '../../contract/index.ts'
import { formatCount } from '../words/numbers.ts'
import { gatherEvidence } from './case-evidence.ts'
import type { Finding } from './finding.ts'
import { findJudgeSplits } from './judge-splits.ts'
import { findLevels } from './levels.ts'
import { findMismatches } from './method-fit.ts'
import { findDisputedKeys, findFailedByAll, findFallingCases } from './model-patterns.ts'
import { findNearDuplicates } from './near-duplicates.ts'

export type { Finding } from './finding.ts'

/** What is wrong with a suite, and what it was looked for in. */
export interface SuiteFindings {
  findings: Finding[]
  cases: number
  runs: number
  models: number
  /** Answers with a score, to cases that are still the same. */
  answers: number
  /** What could not be checked, and what it would take. */
  notes: string[]
}

function describeLimits(models: number, answers: number): string[] {
  if (answers === 0) return ['No runs of these cases: only the suite itself was checked, not how models do on it.']
  if (models < 2) return ['Only one model: wrong keys, ceilings and floors show when several models are compared.']
  if (models < 4)
    return [
      `Only ${formatCount(models, 'model')}: wrong keys, and cases on which better models do worse, show more surely with four or more.`,
    ]
  return []
}

/** Checks a suite by itself and by the answers of runs. Says only what chance does not explain. */
export function checkSuite(suite: Suite, runs: readonly RunResult[]): SuiteFindings {
  const evidence = gatherEvidence(suite, runs)
  // One case, one verdict: the most precise one counts.
  const mismatches = findMismatches(evidence)
  const isMismatched = new Set(mismatches.flatMap(({ caseIds }) => caseIds))
  const disputed = findDisputedKeys(evidence, isMismatched)
  const isExplained = new Set([...isMismatched, ...disputed.flatMap(({ caseIds }) => caseIds)])
  const failed = findFailedByAll(evidence, isExplained)
  const falling = findFallingCases(evidence, isExplained)
  const findings = [
    ...findLevels(evidence),
    ...disputed,
    ...falling,
    ...failed,
    ...findJudgeSplits(evidence),
    ...mismatches,
    ...findNearDuplicates(suite),
  ]
  return {
    findings,
    cases: suite.testCases.length,
    runs: runs.length,
    models: evidence.models.length,
    answers: evidence.answers,
    notes: describeLimits(evidence.models.length, evidence.answers),
  }
}
