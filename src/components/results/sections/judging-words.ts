import type { ResultsView } from '../../../server/results/results-view.ts'
import { formatCount, formatPercent } from '../../../report/words/index.ts'
import type { OrderEffect, StyleFeature } from '../../../statistics/index.ts'

const FEATURES: Record<StyleFeature, string> = {
  length: 'Length',
  headers: 'Headers',
  listItems: 'Lists',
  bold: 'Bold text',
  codeBlocks: 'Code blocks',
}

export function describeFeature(feature: StyleFeature): string {
  return FEATURES[feature]
}

/** How often the result depended on which answer came first; empty if no judge compared any. */
export function describeOrderEffect({ judged, inconsistent }: OrderEffect): string {
  if (judged === 0) return ''
  return `${formatCount(inconsistent)} of ${formatCount(judged, 'verdict')} (${formatPercent(inconsistent / judged, 0)}) changed with the order of the answers and count as ties.`
}

/** One axis for all ratings, with 1000, the average, on it. */
export function spanOf(ratings: readonly { low: number; high: number }[]): [number, number] {
  const low = Math.min(1000, ...ratings.map((rating) => rating.low))
  const high = Math.max(1000, ...ratings.map((rating) => rating.high))
  const margin = Math.max(10, (high - low) * 0.05)
  return [low - margin, high + margin]
}

const JUDGED_METHODS = new Set(['rubric', 'pairwise'])

/** True if there may be comparisons, criteria or judges that split. */
export function hasJudging({ suite, agreement }: Pick<ResultsView, 'suite' | 'agreement'>): boolean {
  return agreement !== undefined || (suite?.methods.some((method) => JUDGED_METHODS.has(method)) ?? false)
}

/** What a verdict on a criterion looks like, besides its words. */
export function describeMark(mean: number | undefined): { mark: string; word: string } {
  if (mean === undefined) return { mark: '–', word: 'no verdict' }
  if (mean === 1) return { mark: '✓', word: 'met' }
  if (mean === 0) return { mark: '✗', word: 'not met' }
  return { mark: '◐', word: `${formatPercent(mean, 0)} met` }
}
