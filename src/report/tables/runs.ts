import type { RunSummary } from '../../contract/index.ts'
import { formatCost, formatCount, formatTime } from '../words/numbers.ts'
import { formatPassed } from '../words/passed.ts'
import { nameWithTags } from '../words/runs/labels.ts'
import type { Table } from './table.ts'

/** A run of a list, with the word for its state. */
export interface ListedRow extends Pick<
  RunSummary,
  'id' | 'startedAt' | 'testSuiteName' | 'models' | 'cells' | 'cost' | 'unknownCosts' | 'label'
> {
  stateWord: string
}

export const runTable: Table<ListedRow> = [
  { key: 'run', label: 'Run', role: 'name', text: ({ id }) => id },
  { key: 'started', label: 'Started', isObvious: true, text: ({ startedAt }) => formatTime(startedAt) ?? '–' },
  {
    key: 'name',
    label: 'Name',
    cut: 'middle',
    isObvious: true,
    text: ({ label }) => nameWithTags(label),
    isIn: (runs) => runs.some(({ label }) => (label?.name ?? label?.tags) !== undefined),
  },
  { key: 'suite', label: 'Suite', cut: 'middle', isObvious: true, text: ({ testSuiteName = '' }) => testSuiteName },
  { key: 'models', label: 'Models', align: 'end', text: ({ models }) => formatCount(models.length) },
  {
    key: 'scored',
    label: 'Scored',
    align: 'end',
    text: ({ cells }) => formatPassed({ passed: cells.scored, count: cells.total }),
  },
  {
    key: 'missing',
    label: 'Unscored',
    align: 'end',
    text: ({ cells }) => formatCount(cells.unscored + cells.errors),
  },
  {
    key: 'notRun',
    label: 'Not run',
    align: 'end',
    text: ({ cells }) => formatCount(cells.pending),
    isIn: (runs) => runs.some(({ cells }) => cells.pending > 0),
  },
  { key: 'cost', label: 'Cost', align: 'end', text: ({ cost, unknownCosts }) => formatCost(cost, unknownCosts) },
  { key: 'state', label: 'Status', isObvious: true, text: ({ stateWord }) => stateWord },
]
