import type { FileComparison } from '../../scoring/tool-calls/comparison.ts'
import type { Credit } from '../../scoring/tool-calls/credit.ts'
import type { ToolCallSummary } from '../../scoring/tool-calls/summary.ts'
import type { Interval } from '../../statistics/index.ts'
import {
  describeInterval,
  formatCount,
  formatDifference,
  formatP,
  formatScore,
  formatStatistic,
  formatTime,
} from '../words/numbers.ts'
import { describeReward } from '../words/tool-calls/trajectory-words.ts'
import { formatBytes } from '../../contract/index.ts'
import type { Column, Table } from './table.ts'

type Paired = NonNullable<FileComparison['paired']>

const paired = (key: string, label: string, text: (found: Paired) => string): Column<FileComparison> => ({
  key,
  label,
  align: 'end',
  keep: 'always',
  text: (comparison) => (comparison.paired ? text(comparison.paired) : '–'),
})

/** Two files, task by task. */
export const fileComparisonTable: Table<FileComparison> = [
  { key: 'measure', label: 'Measure', role: 'name', text: ({ measure }) => measure },
  paired('tasks', 'Tasks', ({ n }) => formatCount(n)),
  { ...paired('difference', 'Difference', ({ meanDiff }) => formatDifference(meanDiff)), role: 'main' },
  paired('interval', '95 % CI', ({ shownInterval }) => describeInterval(shownInterval)),
  paired('test', 'Permutation test', ({ adjustedP }) => formatP(adjustedP)),
  paired(
    'counts',
    'Better · equal · worse',
    ({ wins, ties, losses }) => `${formatCount(wins)} · ${formatCount(ties)} · ${formatCount(losses)}`,
  ),
]

type ToolRow = ToolCallSummary['tools'][number]

const count = (
  key: 'expected' | 'exact' | 'argumentsDiffer' | 'missing' | 'extra',
  label: string,
): Column<ToolRow> => ({
  key,
  label,
  align: 'end',
  keep: 'always',
  text: (row) => formatCount(row[key]),
})

/** The mistakes in the calls of each tool. */
export const toolTable: Table<ToolRow> = [
  { key: 'tool', label: 'Tool', role: 'name', text: ({ tool }) => tool },
  count('expected', 'Expected'),
  count('exact', 'Exact'),
  count('argumentsDiffer', 'Differs'),
  count('missing', 'Missing'),
  count('extra', 'Extra'),
]

/** The mistakes in each argument. */
export const argumentTable: Table<ToolCallSummary['arguments'][number]> = [
  { key: 'argument', label: 'Argument', role: 'name', text: ({ argument }) => argument },
  { key: 'tool', label: 'Tool', role: 'note', keep: 'always', text: ({ tool }) => tool },
  {
    key: 'wrong',
    label: 'Wrong',
    align: 'end',
    keep: 'always',
    text: ({ wrong, of }) => `${formatCount(wrong)} of ${formatCount(of)}`,
  },
]

/** One figure of a file of tool calls. */
interface ToolFigure {
  name: string
  value: string
  note: string
  interval?: Interval & { mean: number }
}

export function listToolFigures({
  credit: chosen,
  binary,
  partial,
  toolSelection,
  argumentPrecision,
  passHatK,
  auc,
}: ToolCallSummary): ToolFigure[] {
  const figures: (ToolFigure | false | null)[] = [
    binary && { name: 'Success rate', value: formatScore(binary.average), note: 'reward above 0.9' },
    partial && {
      name: 'Mean partial score',
      value: formatScore(partial.average),
      note: `95 % CI over ${formatCount(partial.tasks, 'task')}`,
      interval: { mean: partial.average, ...partial.interval },
    },
    toolSelection &&
      toolSelection.of > 0 && {
        name: 'Tool selection',
        value: formatScore(toolSelection.right / toolSelection.of),
        note: `${formatCount(toolSelection.right)} of ${formatCount(toolSelection.of, 'expected call was', 'expected calls were')} made`,
      },
    argumentPrecision && {
      name: 'Argument precision',
      value: formatScore(argumentPrecision.mean),
      note: `over ${formatCount(argumentPrecision.of, 'call')} of the right tool`,
    },
    ...passHatK.map(({ k, ...interval }) => ({
      name: `pass^${k}`,
      value: formatScore(interval.mean),
      note: k === 1 ? 'a single trial succeeds' : `all ${k} trials succeed`,
      interval,
    })),
    auc && {
      name: 'AUC against the reward',
      value: formatStatistic(auc[chosen], 3),
      note: `0.5 is chance; effects ${formatStatistic(auc.effects, 3)}, calls made ${formatStatistic(auc.calls, 3)}`,
    },
  ]
  return figures.filter((figure) => figure !== false && figure !== null)
}

export const toolFigures: Table<ToolFigure> = [
  { key: 'figure', label: 'Figure', role: 'name', text: ({ name }) => name },
  { key: 'value', label: 'Value', align: 'end', role: 'main', text: ({ value }) => value },
  { key: 'note', label: 'Basis', role: 'note', text: ({ note }) => note },
]

/** A file that was added. */
export const fileTable: Table<{ name: string; format: string; size: number; addedAt: number }> = [
  { key: 'file', label: 'File', role: 'name', text: ({ name }) => name },
  { key: 'format', label: 'Format', text: ({ format }) => format },
  { key: 'size', label: 'Size', align: 'end', keep: 'always', text: ({ size }) => formatBytes(size) },
  { key: 'added', label: 'Added', keep: 'wide', text: ({ addedAt }) => formatTime(addedAt) ?? '–' },
]

/** One trial of a task. */
interface ScoredRecord {
  taskId: string
  trial: number
  reward?: number
  scores: Record<Credit, number> | null
  range: string | null
  problems: string[]
}

const credit = (key: Credit, label: string): Column<ScoredRecord> => ({
  key,
  label,
  align: 'end',
  keep: 'always',
  text: ({ scores }) => formatScore(scores?.[key]),
})

/** Effects credit leads, whichever a page shows. */
export const recordTable: Table<ScoredRecord> = [
  { key: 'task', label: 'Task', role: 'name', text: ({ taskId }) => taskId },
  { key: 'trial', label: 'Trial', align: 'end', keep: 'always', text: ({ trial }) => formatCount(trial) },
  { key: 'reward', label: 'Reward', keep: 'always', text: ({ reward }) => describeReward(reward) },
  credit('effects', 'Effects'),
  credit('calls', 'Calls'),
  { key: 'rating', label: 'Rating', text: ({ range, problems }) => range ?? problems[0] ?? '' },
]
