import type { RankedModel } from '../../statistics/index.ts'
import { ratingTable } from '../../report/tables/rankings.ts'
import { formatRatingInterval } from '../../report/words/index.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { ModelName } from '../ui/names/ModelName.tsx'

/** Ratings with their intervals on one shared axis. */
export function RatingTable({ models }: { models: readonly RankedModel[] }) {
  const lowest = Math.min(...models.map(({ low }) => low))
  const highest = Math.max(lowest + 1, ...models.map(({ high }) => high))
  return (
    <DataTable
      label="Ratings"
      columns={ratingTable}
      rows={models}
      keyOf={({ modelId }) => modelId}
      draw={{ model: ({ modelId }) => <ModelName id={modelId} withBadge={false} /> }}
      chart={{
        label: 'Rating with its interval',
        className: 'w-[40%] min-w-40 max-lg:hidden',
        draw: (model) => (
          <IntervalMark
            mean={model.rating}
            low={model.low}
            high={model.high}
            domain={[lowest, highest]}
            label={`${model.modelId}: ${formatRatingInterval(model)}`}
          />
        ),
      }}
    />
  )
}
