import type { Calibration } from '../../server/judges/calibrations.ts'
import { Link } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { formatDifference, formatScore, formatStatistic } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { ModelName } from '../ui/ModelName.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { TablePanel } from '../ui/Page.tsx'

export function RatingBadge({ rating }: { rating: Calibration['interpretation']['rating'] }) {
  return <Badge kind={rating === 'poor' ? 'danger' : rating === 'fair' ? 'warning' : 'accent'}>{rating}</Badge>
}

/** All calibrations, newest first. Two of the same judge show how consistent it is. */
export function CalibrationHistory({ calibrations }: { calibrations: Calibration[] }) {
  if (calibrations.length === 0)
    return <EmptyState title="No calibrations yet.">Click Calibrate above; it takes a few seconds.</EmptyState>
  const head = 'px-3 py-2 font-medium'
  return (
    <TablePanel label="Earlier calibrations">
      <table className="w-full">
        <thead className="text-left text-xs text-muted">
          <tr className="border-b border-line">
            <th className={head}>Judge</th>
            <th className={head}>Rating</th>
            <th className={`${head} text-right`}>Within tolerance</th>
            <th className={`${head} text-right`}>Mean error</th>
            <th className={`${head} text-right`}>Bias</th>
            <th className={`${head} text-right`}>Correlation</th>
            <th className={head}>Samples</th>
            <th className={head}>When</th>
          </tr>
        </thead>
        <tbody>
          {calibrations.map(({ id, savedAt, source, result, interpretation }) => (
            <tr key={id} className="border-b border-line last:border-0 hover:bg-hover">
              <td className="max-w-72 px-3 py-2">
                <Link to={`/judges/${encodeURIComponent(id)}`} className="font-medium text-accent-ink hover:underline">
                  <ModelName id={result.judgeModelId} withBadge={false} />
                </Link>
              </td>
              <td className="px-3 py-2">
                <RatingBadge rating={interpretation.rating} />
              </td>
              <td className="px-3 py-2 text-right">
                {result.summary.passedSamples} of {result.summary.totalSamples}
              </td>
              <td className="px-3 py-2 text-right">{formatScore(result.summary.meanAbsoluteError)}</td>
              <td className="px-3 py-2 text-right">{formatDifference(result.summary.bias)}</td>
              <td className="px-3 py-2 text-right">{formatStatistic(result.summary.correlation, 3)}</td>
              <td className="max-w-56 truncate px-3 py-2" title={source}>
                {source}
              </td>
              <td className="px-3 py-2 whitespace-nowrap">{formatLocalTime(savedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  )
}
