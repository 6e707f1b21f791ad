import type { ReportRow } from '../../../model/standings/report-row.ts'
import { formatCount } from '../../numbers.ts'

type Scored = Pick<ReportRow, 'score' | 'own'>
type Counted = Scored & Pick<ReportRow, 'errors' | 'unscored' | 'notRun'>

/** `Everything fails: all 36 answers scored 0.`; undefined if any answer scored more, or none has a score. */
export function describeEverythingFailed(rows: readonly Scored[]): string | undefined {
  const scored = rows.flatMap(({ own, score }) => own ?? score ?? [])
  const count = scored.reduce((sum, score) => sum + score.count, 0)
  if (count === 0 || scored.some(({ mean }) => mean !== 0)) return undefined
  const answers = count === 1 ? 'the only answer' : `all ${formatCount(count, 'answer')}`
  return `Everything fails: ${answers} scored 0.`
}

/** With what to check, where no next step is beside it. */
export function describeEverythingFails(rows: readonly Scored[]): string | undefined {
  const failed = describeEverythingFailed(rows)
  return failed && `${failed} Check the expected outputs or the scorer before the models.`
}

/** If no request got an answer. */
export function describeEverythingErrors(errors: number): string {
  const requests = errors === 1 ? 'The only request' : `All ${formatCount(errors, 'request')}`
  return `${requests} failed: this run says nothing about the models.`
}

/** Whether no answer scored anything, or no request got an answer. */
export function isBroken(rows: readonly Counted[]): boolean {
  return describeEverythingFailed(rows) !== undefined || countOnlyErrors(rows) > 0
}

/** How many requests failed, if that is all there is. */
export function countOnlyErrors(rows: readonly Counted[]): number {
  const isOnly = rows.every(({ score, unscored, notRun }) => !score && unscored + notRun === 0)
  return isOnly ? rows.reduce((sum, { errors }) => sum + errors, 0) : 0
}

/** Of a run in progress. */
export function describeSoFar(done: number, cells: number): string {
  return `Too early to call: ${formatCount(done)} of ${formatCount(cells, 'answer')}.`
}

/** After it: no number of cases would tell models apart whose right answers are not recognised. */
export const MEND_THE_SUITE = 'Next: mend the expected outputs or the scoring method, then rescore.'
