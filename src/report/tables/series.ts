import type { SeriesStats } from '../model/standings/standings.ts'
import { describeInterval, formatPercent, formatScore } from '../words/numbers.ts'
import { formatPassed, formatPassRate } from '../words/passed.ts'
import { hasOtherRunMean } from '../words/verdicts/verdicts.ts'
import type { Table } from './table.ts'

/** Models over the runs of a series. */
export const seriesTable: Table<SeriesStats> = [
  { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
  { key: 'mean', label: 'Mean', align: 'end', role: 'main', text: ({ overCases }) => formatScore(overCases.mean) },
  {
    key: 'runMean',
    label: 'Mean of run scores',
    align: 'end',
    keep: 'always',
    text: ({ mean }) => formatScore(mean),
    isIn: (rows) => rows.some(hasOtherRunMean),
  },
  {
    key: 'stdDev',
    label: 'SD',
    align: 'end',
    keep: 'always',
    text: ({ stdDev, scores }) => formatScore(scores.length > 1 ? stdDev : undefined),
  },
  { key: 'min', label: 'Min', align: 'end', text: ({ min }) => formatScore(min) },
  { key: 'max', label: 'Max', align: 'end', text: ({ max }) => formatScore(max) },
  {
    key: 'overRuns',
    label: '95 % CI over runs',
    align: 'end',
    keep: 'always',
    text: ({ confidence95, scores }) => (scores.length > 1 ? describeInterval(confidence95) : formatScore(undefined)),
  },
  {
    key: 'overCases',
    label: '95 % CI over cases',
    align: 'end',
    keep: 'always',
    text: ({ overCases }) => describeInterval(overCases),
  },
  { key: 'passed', label: 'Passed', align: 'end', keep: 'always', text: formatPassed },
  { key: 'passRate', label: 'Pass rate', align: 'end', keep: 'always', text: formatPassRate },
]

/** One figure of a model that ran several times; index 0 is k = 1. */
interface PassRow {
  modelId: string
  figure: 'pass@k' | 'pass^k'
  values: readonly number[]
}

export function listPassRows(series: readonly SeriesStats[]): PassRow[] {
  return series.flatMap(({ modelId, repeats }): PassRow[] =>
    repeats
      ? [
          { modelId, figure: 'pass@k', values: repeats.passAtK },
          { modelId, figure: 'pass^k', values: repeats.passHatK },
        ]
      : [],
  )
}

/** All values of k up to 6; with more, the first 5 and the last. */
export function passTable(rows: readonly PassRow[]): Table<PassRow> {
  const most = Math.max(0, ...rows.map(({ values }) => values.length))
  const all = Array.from({ length: most }, (_, index) => index + 1)
  return [
    { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
    { key: 'figure', label: 'Figure', keep: 'always', text: ({ figure }) => figure },
    ...(most <= 6 ? all : [...all.slice(0, 5), most]).map((k) => ({
      key: String(k),
      label: `k = ${k}`,
      align: 'end' as const,
      keep: 'always' as const,
      text: ({ values }: PassRow) => formatPercent(values[k - 1]),
    })),
  ]
}
