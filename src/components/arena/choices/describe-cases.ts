import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { formatCount } from '../../../report/words/index.ts'

/**
 * `12 cases: 8 exact-match, 4 llm-judge`, or `12 cases, 14 checks: …` if some cases have several checks: counts that
 * add up to more than the cases look like a mistake.
 */
export function describeCases({ cases, methods }: Pick<SuiteSummary, 'cases' | 'methods'>): string {
  const parts = Object.entries(methods).sort(([, a], [, b]) => b - a)
  const checks = parts.reduce((sum, [, count]) => sum + count, 0)
  const counted =
    checks === cases ? formatCount(cases, 'case') : `${formatCount(cases, 'case')}, ${formatCount(checks, 'check')}`
  const listed = parts.map(([method, count]) => (parts.length === 1 ? method : `${formatCount(count)} ${method}`))
  return `${counted}: ${listed.join(', ')}`
}
