import { scoreAt, type TrendPoint } from '../../statistics/index.ts'
import { describeInterval, formatScore, formatTime } from '../words/numbers.ts'
import { describeCoverage, describeTrendChange } from '../words/verdicts/trend.ts'
import type { Table } from './table.ts'

/** The runs of a suite with its `cases`, a column per model. */
export function trendTable(models: readonly string[], cases: number): Table<TrendPoint> {
  return [
    {
      key: 'run',
      label: 'Run',
      role: 'name',
      text: ({ label, startedAt }) => label?.name ?? formatTime(startedAt) ?? '–',
    },
    ...models.map((modelId) => ({
      key: `model ${modelId}`,
      label: modelId,
      isModel: true,
      keep: 'always' as const,
      text: (point: TrendPoint) => {
        const score = scoreAt(point, modelId)
        return score ? `${formatScore(score.mean)} (${describeInterval(score)})` : '–'
      },
    })),
    { key: 'cases', label: 'Cases', keep: 'always', text: (point) => describeCoverage(point, cases) },
    {
      key: 'changes',
      label: 'What changed',
      role: 'note',
      keep: 'always',
      text: ({ changes }) => (changes.length === 0 ? '–' : changes.map(describeTrendChange).join('; ')),
    },
  ]
}
