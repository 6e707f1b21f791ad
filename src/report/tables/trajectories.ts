import type { TrajectoryCounts } from '../../scoring/tool-calls/index.ts'
import { formatCount, formatKnownCount } from '../words/numbers.ts'
import { formatTurns, nameTrajectory, shortenModel } from '../words/tool-calls/trajectory-words.ts'
import type { Table } from './table.ts'

export interface TrajectoryRow extends TrajectoryCounts {
  /** 0 for what was read, 1 for an agent that it started, and so on. */
  depth: number
}

/** Trajectories with their sub-agents below them, those with most calls first. */
export function listTrajectoryRows(trajectories: readonly TrajectoryCounts[], depth = 0): TrajectoryRow[] {
  return trajectories
    .toSorted((a, b) => b.calls - a.calls || (b.usage.outputTokens ?? 0) - (a.usage.outputTokens ?? 0))
    .flatMap((trajectory) => [{ ...trajectory, depth }, ...listTrajectoryRows(trajectory.subagents, depth + 1)])
}

/** Recorded runs, one a row. */
export function trajectoryTable(name: string): Table<TrajectoryRow> {
  return [
    {
      key: 'trajectory',
      label: name,
      role: 'name',
      cut: 'end',
      keep: 'always',
      text: (row) => `${row.depth === 0 ? '' : `${'  '.repeat(row.depth)}└ `}${nameTrajectory(row)}`,
    },
    { key: 'model', label: 'Model', isModel: true, cut: 'middle', text: ({ model }) => shortenModel(model) },
    { key: 'turns', label: 'Turns', align: 'end', text: formatTurns },
    { key: 'calls', label: 'Calls', align: 'end', keep: 'always', text: ({ calls }) => formatCount(calls) },
    { key: 'errors', label: 'Errors', align: 'end', text: ({ errors }) => formatKnownCount(errors) },
    { key: 'tokens', label: 'Tokens out', align: 'end', text: ({ usage }) => formatKnownCount(usage.outputTokens) },
  ]
}
