import { joinWords } from './names.ts'
import { formatCount } from './numbers.ts'

/**
 * `12 cases: 8 exact-match, 4 llm-judge`, or `12 cases, 14 checks: …` if some cases have several checks: counts that
 * add up to more than the cases look like a mistake.
 */
export function describeCases({
  cases,
  methods,
}: {
  cases: number
  methods: Readonly<Record<string, number>>
}): string {
  const parts = Object.entries(methods).sort(([, a], [, b]) => b - a)
  const checks = parts.reduce((sum, [, count]) => sum + count, 0)
  const counted =
    checks === cases ? formatCount(cases, 'case') : `${formatCount(cases, 'case')}, ${formatCount(checks, 'check')}`
  const listed = parts.map(([method, count]) => (parts.length === 1 ? method : `${formatCount(count)} ${method}`))
  return `${counted}: ${listed.join(', ')}`
}

/** `24 cases`, or `20 to 24 cases` if models have scores for different ones. */
export function describeCaseRange(counts: readonly number[]): string {
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  return fewest === most ? formatCount(most, 'case') : `${formatCount(fewest)} to ${formatCount(most, 'case')}`
}

/** `60 cases`, or what the filters leave out: `40 of 100 cases: 60 hidden by score < 50`. */
export function describeShown(shown: number, all: number, filters: readonly string[]): string {
  if (filters.length === 0) return formatCount(shown, 'case')
  const size = `${formatCount(shown)} of ${formatCount(all, 'case')}`
  return shown >= all ? `${size}: none hidden` : `${size}: ${formatCount(all - shown)} hidden by ${joinWords(filters)}`
}
