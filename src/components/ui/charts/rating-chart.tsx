import type { RatingAxis } from '../../../report/charts/rating-axis.ts'
import { formatRating, formatRatingInterval } from '../../../report/words/index.ts'
import { Axis, type Drawing } from '../table/DataTable.tsx'
import { IntervalMark } from './IntervalMark.tsx'

/** Ratings with their intervals, as a column of a table. */
export function ratingChart(axis: RatingAxis): Drawing<{ rating: number; low: number; high: number }> {
  return {
    label: 'Rating with its 95 % CI',
    axis: <Axis ticks={axis.ticks.map(formatRating)} />,
    draw: ({ rating, low, high }) => (
      <IntervalMark
        mean={rating}
        low={low}
        high={high}
        domain={axis.domain}
        label={formatRatingInterval({ rating, low, high })}
      />
    ),
  }
}
