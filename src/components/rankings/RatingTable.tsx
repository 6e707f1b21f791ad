import type { RankedModel } from '../../statistics/index.ts'
import { formatCount, formatRank, formatRating, formatRatingBounds } from '../../report/words/index.ts'
import { ModelName } from '../ui/names/ModelName.tsx'
import { TableHead } from '../ui/TableHead.tsx'

/** Ratings with their intervals on one shared axis. */
export function RatingTable({ models }: { models: readonly RankedModel[] }) {
  const lowest = Math.min(...models.map(({ low }) => low))
  const highest = Math.max(...models.map(({ high }) => high))
  const place = (rating: number) => `${(100 * (rating - lowest)) / Math.max(1, highest - lowest)}%`
  return (
    <div className="scroll-cue overflow-x-auto" tabIndex={0} role="region" aria-label="Ratings, scrolls sideways">
      <table className="w-full text-[13px]">
        <TableHead
          columns={[
            { title: 'Rank', className: 'px-3 py-1.5 text-right' },
            { title: 'Model', className: 'px-2 text-left' },
            {
              key: 'rating-with-its-interval',
              title: <span className="sr-only">Rating with its interval</span>,
              className: 'w-[40%] min-w-40 px-4 max-lg:hidden',
            },
            { title: 'Rating (95 % interval)', className: 'px-2 text-right sm:whitespace-nowrap' },
            { title: 'Cases', className: 'px-3 text-right max-sm:hidden' },
          ]}
        />
        <tbody>
          {models.map((model) => (
            <tr key={model.modelId} className="border-t border-line hover:bg-hover">
              <td className="px-3 py-1.5 text-right whitespace-nowrap text-muted tabular-nums">
                {formatRank(model.rank)}
              </td>
              <th scope="row" className="max-w-0 px-2 text-left font-medium max-sm:w-full sm:max-w-56 lg:max-w-72">
                <ModelName id={model.modelId} withBadge={false} />
              </th>
              <td className="px-4 max-lg:hidden">
                <svg className="block w-full overflow-visible" height="16" aria-hidden>
                  <line
                    x1={place(model.low)}
                    x2={place(model.high)}
                    y1="8"
                    y2="8"
                    stroke="var(--accent)"
                    strokeWidth="2"
                    strokeOpacity="0.5"
                  />
                  <circle cx={place(model.rating)} cy="8" r="4" fill="var(--accent)" />
                </svg>
              </td>
              <td className="px-2 py-1.5 text-right whitespace-nowrap tabular-nums">
                {formatRating(model.rating)}{' '}
                <span className="max-sm:block max-sm:text-xs max-sm:text-muted">{formatRatingBounds(model)}</span>
              </td>
              <td className="px-3 text-right tabular-nums max-sm:hidden">{formatCount(model.cases)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
