import type { GradedModel, GradeSummary } from '../../scoring/tool-calls/index.ts'
import { formatRank, formatScore } from '../words/numbers.ts'
import { formatWithoutExcused } from '../words/tool-calls/trajectory-faults.ts'
import { describeBehind, formatCalls, formatPassed } from '../words/tool-calls/trajectory-grades.ts'
import type { Table } from './table.ts'

/** Models by their grades. */
export function gradedTable(summary: GradeSummary): Table<GradedModel> {
  return [
    { key: 'rank', label: 'Rank', align: 'end', text: ({ rank }) => formatRank(rank) },
    {
      key: 'model',
      label: 'Model',
      role: 'name',
      isModel: true,
      cut: 'middle',
      keep: 'always',
      text: ({ model }) => model,
    },
    {
      key: 'score',
      label: 'Score',
      role: 'main',
      align: 'end',
      keep: 'always',
      text: ({ score }) => formatScore(score),
    },
    { key: 'passed', label: 'Passed', align: 'end', keep: 'always', text: formatPassed },
    { key: 'excused', label: 'Without excused', align: 'end', text: formatWithoutExcused },
    {
      key: 'behind',
      label: 'Behind by',
      role: 'interval',
      isIn: (rows) => rows.length > 1,
      text: ({ model }) => describeBehind(summary, model),
    },
    { key: 'calls', label: 'Calls', align: 'end', text: ({ calls }) => formatCalls(calls) },
    {
      key: 'unscored',
      label: 'Unscored',
      align: 'end',
      isIn: (rows) => rows.some(({ unscored }) => unscored > 0),
      text: ({ unscored }) => String(unscored),
    },
  ]
}
