import type { AttemptEnd, AttemptStart, RunResult, RunState, RunSummary } from '../../contract/index.ts'
import {
  formatCost,
  formatCount,
  formatDuration,
  formatLeastCost,
  formatShortTime,
  formatTime,
} from '../words/numbers.ts'
import { describeParameters } from '../words/method.ts'
import { outcomeWords } from '../words/runs/outcomes.ts'
import { describeRunState } from '../words/runs/states.ts'
import { formatPassed } from '../words/passed.ts'
import { nameWithTags } from '../words/names.ts'
import type { Table } from './table.ts'

/** A run of a list, with the word for its state. */
export interface ListedRow extends Pick<
  RunSummary,
  'id' | 'startedAt' | 'testSuiteName' | 'models' | 'cells' | 'cost' | 'unknownCosts' | 'label'
> {
  stateWord: string
  /** The model that is first, or why none is; not known of every run. */
  first?: string
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
  {
    key: 'first',
    label: 'First',
    cut: 'middle',
    isObvious: true,
    text: ({ first = '' }) => first,
    isIn: (runs) => runs.some(({ first = '' }) => first !== ''),
  },
  { key: 'cost', label: 'Cost', align: 'end', text: ({ cost, unknownCosts }) => formatCost(cost, unknownCosts) },
  { key: 'state', label: 'Status', isObvious: true, text: ({ stateWord }) => stateWord },
]

/** What a terminal shows below a run, if it has that, instead of columns that most runs leave equal. */
const BELOW = new Set(['scored', 'missing', 'notRun', 'state'])

/** In a terminal: a line is enough for each run. */
export function terminalRuns(runs: readonly ListedRow[]): Table<ListedRow> {
  const years = new Set(runs.map(({ startedAt }) => formatTime(startedAt)?.slice(0, 4)))
  return runTable.flatMap((column) => {
    if (BELOW.has(column.key)) return []
    if (column.key === 'suite') return [{ ...column, cut: 'end' as const }]
    if (column.key === 'cost')
      return [{ ...column, text: ({ cost, unknownCosts }) => formatLeastCost(cost, unknownCosts) }]
    if (column.key !== 'started' || years.size > 1) return [column]
    return [{ ...column, text: ({ startedAt }: ListedRow) => formatShortTime(startedAt) ?? '–' }]
  })
}

/** How each run of a result was made. */
type RunSettings = Pick<RunResult, 'id' | 'startedAt' | 'completedAt' | 'parameters' | 'judgeModel' | 'versions'> & {
  state: RunState
  workedOnBy?: unknown
}

export const settingsTable: Table<RunSettings> = [
  { key: 'run', label: 'Run', role: 'name', text: ({ id }) => id },
  { key: 'state', label: 'State', keep: 'always', text: describeRunState },
  {
    key: 'started',
    label: 'Started',
    keep: 'always',
    text: ({ startedAt }) => formatTime(startedAt ?? Number.NaN) ?? '–',
  },
  {
    key: 'ended',
    label: 'Ended',
    keep: 'always',
    text: ({ completedAt }) => formatTime(completedAt ?? Number.NaN) ?? '–',
  },
  {
    key: 'parameters',
    label: 'Parameters',
    keep: 'always',
    text: ({ parameters }) => describeParameters(parameters),
  },
  { key: 'judge', label: 'Judge', keep: 'always', text: ({ judgeModel = 'none' }) => judgeModel },
  {
    key: 'versions',
    label: 'Versions',
    role: 'note',
    keep: 'always',
    text: ({ versions = {} }) =>
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
  },
]

/** The requests that were sent for a cell. */
export const attemptTable: Table<AttemptStart & { end?: AttemptEnd }> = [
  { key: 'purpose', label: 'Purpose', keep: 'always', text: ({ purpose }) => purpose },
  { key: 'model', label: 'Model', role: 'name', text: ({ askedModel }) => askedModel },
  { key: 'sent', label: 'Sent', keep: 'always', text: ({ startedAt }) => formatTime(startedAt) ?? '–' },
  {
    key: 'outcome',
    label: 'Outcome',
    keep: 'always',
    text: ({ end }) => (end ? outcomeWords[end.outcome].short : 'unfinished'),
  },
  { key: 'status', label: 'HTTP', keep: 'always', text: ({ end }) => String(end?.httpStatus ?? '–') },
  { key: 'latency', label: 'Latency', align: 'end', keep: 'always', text: ({ end }) => formatDuration(end?.latencyMs) },
  {
    key: 'cost',
    label: 'Cost',
    align: 'end',
    keep: 'always',
    text: ({ end }) => (end?.cost === undefined ? '–' : formatCost(end.cost)),
  },
  { key: 'error', label: 'Error or note', role: 'note', keep: 'always', text: ({ end }) => end?.error ?? '' },
]
