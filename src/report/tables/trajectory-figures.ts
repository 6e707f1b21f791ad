import type { ModelFigures, TrajectoryMeasure } from '../../scoring/tool-calls/index.ts'
import { formatFigure, labelMeasure } from '../words/tool-calls/trajectory-comparison.ts'
import type { Table } from './table.ts'

/** What describes the runs, a row per figure and a column per model. */
export function trajectoryFigureTable(models: readonly ModelFigures[]): Table<TrajectoryMeasure> {
  return [
    { key: 'figure', label: 'Per run', role: 'name', keep: 'always', text: labelMeasure },
    ...models.map(({ model, means }) => ({
      key: `model ${model}`,
      label: model,
      isModel: true,
      align: 'end' as const,
      keep: 'always' as const,
      text: (measure: TrajectoryMeasure) => formatFigure(measure, means[measure]),
    })),
  ]
}
