import type { CaseChange, CaseChanges, ComparedCell, NotCompared } from '../../../comparing/case-changes.ts'
import type { PairedSamples } from '../../../comparing/pair-samples.ts'
import type { SuiteChanges } from '../../../comparing/suite-changes.ts'
import { excerpt, joinWords } from '../../names.ts'
import {
  formatCount,
  formatDifference,
  formatPercent,
  formatScore,
  describeInterval,
  formatPoints,
} from '../../numbers.ts'
import { cellStates } from '../../runs/states.ts'
import { formatPassed } from '../../passed.ts'
import type { ModelComparison } from '../../../../statistics/compare-models.ts'
import type { FlipCount, Flips } from '../../../../statistics/count-flips.ts'
import { describeCases, describePlan } from '../verdicts.ts'

export const NOTHING_COMPARED = 'No case can be compared.'

/** `12 got better, 3 got worse, 85 stayed the same.` For two models: `b is better on 12 cases, worse on 3, the same on 85.` */
export function describeChanges(
  { better, worse, same }: Pick<CaseChanges, 'better' | 'worse' | 'same'>,
  models?: { after: string },
): string {
  if (better + worse + same === 0) return NOTHING_COMPARED
  if (models)
    return `${models.after} is better on ${formatCount(better, 'case')}, worse on ${formatCount(worse)}, the same on ${formatCount(same)}.`
  return `${formatCount(better)} got better, ${formatCount(worse)} got worse, ${formatCount(same)} stayed the same.`
}

/** ` (8.0 %, 95 % CI 2.2 to 19.2)` */
function describeShare({ rate, interval }: FlipCount, { isFirst = false }: { isFirst?: boolean } = {}): string {
  return ` (${formatPercent(rate)}, ${isFirst ? '95 % CI ' : ''}${describeInterval(interval)})`
}

/**
 * `4 cases passed in A and fail in B (8.0 %, 95 % CI 2.2 to 19.2); 9 failed in A and pass in B (18.0 %, 8.6 to 31.4); 13 of
 * 50 changed in all (26.0 %, 14.6 to 40.3).` Undefined if none changed.
 */
export function describePassChanges(
  { lost, gained, flips }: Pick<CaseChanges, 'lost' | 'gained' | 'flips'>,
  sides: readonly [before: string, after: string] = ['in A', 'in B'],
): string | undefined {
  if (flips && lost + gained > 0) return describeFlips(flips, sides)
  const [before, after] = sides
  const parts = [
    lost > 0 &&
      formatCount(lost, `case passed ${before} and fails ${after}`, `cases passed ${before} and fail ${after}`),
    gained > 0 &&
      formatCount(gained, `case failed ${before} and passes ${after}`, `cases failed ${before} and pass ${after}`),
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : `${parts.join('; ')}.`
}

/** What got worse, what got better, and how many cases changed at all; see `describePassChanges`. */
function describeFlips({ harmful, helpful, churn }: Flips, [before, after]: readonly [string, string]): string {
  const cases = Math.round(churn.count / churn.rate)
  return [
    `${formatCount(harmful.count, 'case')} passed ${before} and ${harmful.count === 1 ? 'fails' : 'fail'} ${after}${describeShare(harmful, { isFirst: true })}`,
    `${formatCount(helpful.count)} failed ${before} and ${helpful.count === 1 ? 'passes' : 'pass'} ${after}${describeShare(helpful)}`,
    `${formatCount(churn.count)} of ${formatCount(cases)} changed in all${describeShare(churn)}.`,
  ].join('; ')
}

/** The same for a gate, which names its sides; undefined if no case changed. */
export function describeBaselineFlips({ flips }: Pick<CaseChanges, 'flips'>): string | undefined {
  return flips && flips.churn.count > 0 ? describeFlips(flips, ['in the baseline', 'now']) : undefined
}

const NOT_COMPARED: Record<NotCompared, [one: string, many: string]> = {
  changed: ['changed between the runs', 'changed between the runs'],
  error: ['error', 'errors'],
  unscored: ['unscored', 'unscored'],
  skipped: [cellStates.skipped.word, cellStates.skipped.word],
  'only before': ['only in A', 'only in A'],
  'only after': ['only in B', 'only in B'],
}

/** `Not compared: 2 errors, 5 not run.`; undefined if every case is. */
export function describeNotCompared(
  counts: Record<NotCompared, number>,
  sides: readonly [before: string, after: string] = ['in A', 'in B'],
): string | undefined {
  const words: typeof NOT_COMPARED = {
    ...NOT_COMPARED,
    'only before': [`only ${sides[0]}`, `only ${sides[0]}`],
    'only after': [`only ${sides[1]}`, `only ${sides[1]}`],
  }
  const parts = Object.entries(words).flatMap(([why, [one, many]]) => {
    const count = counts[why as NotCompared]
    return count > 0 ? [formatCount(count, one, many)] : []
  })
  return parts.length === 0 ? undefined : `Not compared: ${parts.join(', ')}.`
}

/** Why one case is not compared: `the prompt changed`, `error in B`. */
function explainNotCompared({ why, before, after, changed = [] }: CaseChange): string {
  if (why === undefined) return ''
  if (why === 'changed') return `${joinWords(changed)} changed`
  if (why === 'only before') return 'only in A'
  if (why === 'only after') return 'only in B'
  const sides = [before?.state === why && 'A', after?.state === why && 'B'].filter((side) => side !== false)
  return `${cellStates[why].word} in ${joinWords(sides)}`
}

/** What there is to say about one case: `passed → failed`, `prompt changed`, or why it is not compared. */
export function describeCaseChange(change: CaseChange): string {
  if (change.kind === 'not compared') return explainNotCompared(change)
  if (change.pass) return change.pass === 'lost' ? 'passed → failed' : 'failed → passed'
  return change.changed ? `${joinWords(change.changed)} changed` : ''
}

/** `85.0 ✓`, over several runs `85.0 2/3`, or why there is no score. */
export function describeCell(cell: ComparedCell | undefined): string {
  if (!cell) return '–'
  if (cell.scored === 0) return cellStates[cell.state].word
  return `${formatScore(cell.score)} ${cell.scored === 1 ? (cell.passed === 1 ? '✓' : '✗') : formatPassed({ passed: cell.passed, count: cell.scored })}`
}

const MAX_NAMED = 5
const MAX_ID_LENGTH = 60

function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => excerpt(name, MAX_ID_LENGTH))
  const left = names.length - shown.length
  return left > 0 ? `${shown.join(', ')} and ${formatCount(left)} more` : joinWords(shown)
}

/** `6 cases changed between the runs (prompt) and are left out of the comparison: …`; empty if none changed. */
export function describeChangedCases(
  changed: SuiteChanges['changed'],
  fate: 'compared all the same' | 'left out of the comparison' = 'left out of the comparison',
): string[] {
  if (changed.size === 0) return []
  const parts = [...new Set([...changed.values()].flat())]
  return [
    `${formatCount(changed.size, 'case')} changed between the runs (${joinWords(parts)}) and ${changed.size === 1 ? 'is' : 'are'} ${fate}: ${nameSome([...changed.keys()])}.`,
  ]
}

/** What differs between the suites of two runs, a sentence each. */
export function describeSuiteChanges(
  { changed, otherMark, renamed, settings, isKnown }: SuiteChanges,
  { isChangedCompared = false }: { isChangedCompared?: boolean } = {},
): string[] {
  return [
    ...describeChangedCases(changed, isChangedCompared ? 'compared all the same' : 'left out of the comparison'),
    ...(renamed.length > 0
      ? [
          `${formatCount(renamed.length, 'case has', 'cases have')} another id in the other run and ${renamed.length === 1 ? 'is' : 'are'} not compared: ${nameSome(renamed.map(({ from, to }) => `${from} → ${to}`))}.`,
        ]
      : []),
    ...(otherMark.size > 0
      ? [
          `${formatCount(otherMark.size, 'case has', 'cases have')} another pass mark in the other run: scores are compared, passes are not.`,
        ]
      : []),
    ...(settings.length > 0 ? [`The runs also differ in ${joinWords(settings)}.`] : []),
    ...(isKnown ? [] : ['One of the runs was stored without its suite, so changed cases cannot be found.']),
  ]
}

/** The answers of two models of imported runs, paired by sample and epoch, in words. */
export function describeSamples(
  { shared, both, onlyBefore, onlyAfter, neither }: PairedSamples,
  [before, after]: readonly [string, string],
): string {
  return `Paired by sample and epoch: ${formatCount(shared)} in both; ${onlyBefore} only ${before} right, ${onlyAfter} only ${after} right, ${both} both, ${neither} neither.`
}

interface SharedModels {
  a: { models: readonly string[] }
  b: { models: readonly string[] }
  pairs: readonly { before: string; after: string }[]
}

/** Models that only one side has, while the shared ones are compared. */
export function describeLeftOutModels({ a, b, pairs }: SharedModels): string[] {
  if (!pairs.every(({ before, after }) => before === after)) return []
  const listOnly = (name: string, own: readonly string[], other: readonly string[]) => {
    const only = own.filter((model) => !other.includes(model))
    return only.length === 0
      ? []
      : [`Only in ${name}: ${joinWords(only)}. Choose a model on each side to compare different ones.`]
  }
  return [...listOnly('A', a.models, b.models), ...listOnly('B', b.models, a.models)]
}

interface ComparedCase {
  change: CaseChange
  index?: number | undefined
  total: number
}

/** A case among those compared: `3 of 12 · worse, −20.0 points · passed → failed` */
export function describeComparedCase({ change, index, total }: ComparedCase): string {
  const place = index === undefined ? '' : `${formatCount(index + 1)} of ${formatCount(total)}`
  const what =
    change.kind === 'not compared'
      ? `not compared: ${describeCaseChange(change)}`
      : change.kind === 'same'
        ? 'the same score'
        : `${change.kind}, ${formatDifference(change.difference)} points`
  const passed = change.pass && (change.pass === 'lost' ? 'passed → failed' : 'failed → passed')
  return [place, what, passed].filter((part) => part !== '' && part !== undefined).join(' · ')
}

/** Whether a change helped, in one sentence: A is after the change, B is before it. */
export function describeChange({ paired }: Pick<ModelComparison, 'paired'>): string {
  if (!paired) return 'No case has a score both before and after the change, so there is nothing to compare.'
  const { n, meanDiff, shownInterval, isSignificant, plan } = paired
  if (n === 1) return 'One case proves nothing: run more cases to learn whether the change helps.'
  const over = `over ${describeCases(paired)}`
  if (isSignificant) {
    const [low, high] = meanDiff > 0 ? shownInterval : [0 - shownInterval[1], 0 - shownInterval[0]]
    const verdict = meanDiff > 0 ? 'Yes, the change helps: it gains' : 'No, the change hurts: it loses'
    return `${verdict} ${formatPoints(meanDiff)} (95 % CI ${describeInterval({ low, high })}) ${over}.`
  }
  if (paired.wins === 0 && paired.losses === 0) return `No difference: every score is the same as before, ${over}.`
  const seen = `${formatDifference(meanDiff)} points (95 % CI ${describeInterval(shownInterval)}) ${over}`
  return `Not clear yet whether the change helps: ${seen}.${plan ? ` ${describePlan(plan)}.` : ''}`
}
