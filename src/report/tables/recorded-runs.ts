import type { FaultCause, TrajectoryCounts } from '../../scoring/tool-calls/index.ts'
import { formatCost, formatCount, formatKnownCount, formatDuration, formatScore } from '../words/numbers.ts'
import { nameCause } from '../words/tool-calls/trajectory-faults.ts'
import { formatTurns, nameTrajectory, shortenModel } from '../words/tool-calls/trajectory-words.ts'
import { describePassed } from '../words/tool-calls/trajectory-grades.ts'
import type { Table } from './table.ts'

interface RecordedRow extends Omit<TrajectoryCounts, 'subagents'> {
  index: number
  title: string
  score: number | null
  passed: boolean | null
  unscored: string | null
  cause: FaultCause | null
  excused: boolean
}

/** Recorded runs for a page, each with its grade if it has one. */
export const recordedRunTable: Table<RecordedRow> = [
  { key: 'run', label: 'Task', role: 'name', cut: 'end', keep: 'always', text: nameTrajectory },
  { key: 'title', label: 'Asked', role: 'note', keep: 'wide', text: ({ title }) => title },
  {
    key: 'model',
    label: 'Model',
    cut: 'middle',
    isIn: (rows) => rows.some(({ model }) => model !== null),
    text: ({ model }) => shortenModel(model),
  },
  {
    key: 'score',
    label: 'Score',
    role: 'main',
    align: 'end',
    keep: 'always',
    isIn: (rows) => rows.some(({ score, unscored }) => score !== null || unscored !== null),
    text: ({ score }) => formatScore(score),
  },
  {
    key: 'passed',
    label: 'Result',
    isIn: (rows) => rows.some(({ passed, unscored }) => passed !== null || unscored !== null),
    text: describePassed,
    isWarning: ({ passed }) => passed === false,
  },
  {
    key: 'cause',
    label: 'Caused by',
    isIn: (rows) => rows.some(({ passed, excused }) => passed === false || excused),
    text: ({ cause, passed, excused }) => (cause !== null && (passed === false || excused) ? nameCause(cause) : ''),
  },
  { key: 'turns', label: 'Turns', align: 'end', text: formatTurns },
  { key: 'calls', label: 'Calls', align: 'end', keep: 'always', text: ({ calls }) => formatCount(calls) },
  {
    key: 'errors',
    label: 'Errors',
    align: 'end',
    isIn: (rows) => rows.some(({ errors }) => errors !== null),
    text: ({ errors }) => formatKnownCount(errors),
  },
  {
    key: 'tokens',
    label: 'Tokens out',
    align: 'end',
    keep: 'wide',
    text: ({ usage }) => formatKnownCount(usage.outputTokens),
  },
  {
    key: 'cost',
    label: 'Cost',
    align: 'end',
    keep: 'wide',
    isIn: (rows) => rows.some(({ cost }) => cost !== null),
    text: ({ cost }) => (cost === null ? '–' : formatCost(cost)),
  },
  {
    key: 'time',
    isIn: (rows) => rows.some(({ seconds }) => seconds !== null),
    label: 'Time',
    align: 'end',
    keep: 'wide',
    text: ({ seconds }) => (seconds === null ? '–' : formatDuration(seconds * 1000)),
  },
]
