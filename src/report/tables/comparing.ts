import type { CellState } from '../../contract/index.ts'
import type { ModelComparison } from '../../statistics/index.ts'
import type { CaseChange, CaseChanges } from '../comparing/case-changes.ts'
import { describeInterval, formatCount, formatDifference, formatP, formatScore } from '../words/numbers.ts'
import { describeScore } from '../words/runs/outcomes.ts'
import { describeCaseChange, describeCell } from '../words/verdicts/pairs/changes.ts'
import { intervalOf } from '../words/verdicts/pairs/gap.ts'
import { describeVerdictShortly } from '../words/verdicts/verdicts.ts'
import type { Table } from './table.ts'

/** Two models, or one before and after. */
export interface PairRow {
  before: string
  after: string
  /** What tells them apart if both sides have the same name. */
  labels?: readonly [before: string, after: string]
  means?: { a: number; b: number }
  comparison?: ModelComparison
  changes: Pick<CaseChanges, 'better' | 'worse' | 'same' | 'lost'>
}

/** `a`, or `a → b` for two models. */
export function namePair({
  before,
  after,
  labels = [before, after],
}: Pick<PairRow, 'before' | 'after' | 'labels'>): string {
  return before === after ? after : labels.join(' → ')
}

/** What changed from A to B, one row a pair. */
export const pairTable: Table<PairRow> = [
  { key: 'model', label: 'Model', role: 'name', text: namePair },
  { key: 'a', label: 'A', align: 'end', keep: 'always', text: ({ means }) => formatScore(means?.a) },
  { key: 'b', label: 'B', align: 'end', keep: 'always', text: ({ means }) => formatScore(means?.b) },
  {
    key: 'change',
    label: 'Change',
    align: 'end',
    role: 'main',
    text: ({ comparison }) => formatDifference(comparison?.paired?.meanDiff),
  },
  {
    key: 'interval',
    label: '95 % CI',
    align: 'end',
    role: 'interval',
    text: ({ comparison }) => (comparison?.paired ? describeInterval(intervalOf(comparison.paired)) : '–'),
  },
  {
    key: 'p',
    label: 'p',
    align: 'end',
    text: ({ comparison }) =>
      comparison?.paired ? formatP(comparison.paired.adjustedP).replace(/^p (?:= )?/, '') : '–',
  },
  {
    key: 'verdict',
    label: 'Verdict',
    keep: 'wide',
    text: ({ comparison }) => describeVerdictShortly(comparison),
  },
  { key: 'better', label: 'Better', align: 'end', keep: 'wide', text: ({ changes }) => formatCount(changes.better) },
  { key: 'worse', label: 'Worse', align: 'end', keep: 'wide', text: ({ changes }) => formatCount(changes.worse) },
  { key: 'same', label: 'Same', align: 'end', keep: 'wide', text: ({ changes }) => formatCount(changes.same) },
  { key: 'lost', label: 'Newly failing', align: 'end', keep: 'wide', text: ({ changes }) => formatCount(changes.lost) },
]

/** What changed from A to B, one row a case. */
export const changeTable: Table<CaseChange> = [
  { key: 'case', label: 'Case', role: 'name', text: ({ id }) => id },
  { key: 'a', label: 'A', align: 'end', keep: 'always', text: ({ before }) => describeCell(before) },
  { key: 'b', label: 'B', align: 'end', keep: 'always', text: ({ after }) => describeCell(after) },
  {
    key: 'change',
    label: 'Change',
    align: 'end',
    role: 'main',
    text: ({ difference }) => formatDifference(difference),
  },
  { key: 'kind', label: 'Kind', keep: 'wide', text: ({ kind }) => kind },
  { key: 'note', label: 'Note', role: 'note', text: describeCaseChange },
]

/** One answer before and after a change of the question. */
interface AnsweredSide {
  state: CellState
  score?: number
  passed?: boolean
}

interface AnsweredCase {
  testCaseId: string
  before: AnsweredSide
  after: AnsweredSide
  difference?: number
}

/** What an edited question changed, one row a case. */
export const answeredTable: Table<AnsweredCase> = [
  { key: 'case', label: 'Case', role: 'name', text: ({ testCaseId }) => testCaseId },
  { key: 'before', label: 'Before', align: 'end', keep: 'always', text: ({ before }) => describeScore(before) },
  {
    key: 'after',
    label: 'After',
    align: 'end',
    keep: 'always',
    text: ({ after }) => (after.state === 'pending' ? '…' : describeScore(after)),
  },
  {
    key: 'change',
    label: 'Change',
    align: 'end',
    keep: 'always',
    text: ({ difference }) => formatDifference(difference),
  },
]
