import { RunnersOnly } from '../access/for-runners.tsx'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { Link } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { formatDifference, formatScore, formatStatistic, joinOr } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { ModelName } from '../ui/names/ModelName.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { TablePanel } from '../ui/Page.tsx'
import { groupCalibrations } from './group-calibrations.ts'

type Rating = Calibration['interpretation']['rating']

const LOOKS: Record<Rating, 'accent' | 'warning' | 'danger' | 'plain'> = {
  excellent: 'accent',
  good: 'accent',
  fair: 'warning',
  poor: 'danger',
  'not calibrated': 'plain',
}

export function RatingBadge({ rating }: { rating: Rating }) {
  return <Badge kind={LOOKS[rating]}>{rating}</Badge>
}

/** The other ratings that so few samples leave open. */
function CouldBe({ result }: Pick<Calibration, 'result'>) {
  const others = result.certainty?.couldBe ?? []
  return others.length === 0 ? null : <span className="text-muted">could be {joinOr(others)}</span>
}

/** A judge that is not calibrated has none: those of the few grades that it gave would mislead. */
function listErrors({ summary, certainty }: Calibration['result']): { name: string; value: string }[] {
  const { meanAbsoluteError, bias, correlation } = summary
  return [
    { name: 'Mean error', value: certainty ? formatScore(meanAbsoluteError) : '–' },
    { name: 'Bias', value: certainty ? formatDifference(bias) : '–' },
    { name: 'Correlation', value: certainty ? formatStatistic(correlation, 2) : '–' },
  ]
}

/** All calibrations by judge and prompt, newest first. Two with the same samples show how consistent it is. */
export function CalibrationHistory({ calibrations }: { calibrations: Calibration[] }) {
  if (calibrations.length === 0)
    return (
      <EmptyState title="No calibrations yet.">
        <RunnersOnly>Click Calibrate above; it takes a few seconds.</RunnersOnly>
      </EmptyState>
    )
  const head = 'px-2 py-2 lg:px-3 font-medium'
  return (
    <TablePanel label="Earlier calibrations">
      <table className="w-full">
        <thead className="text-left text-xs text-muted">
          <tr className="border-b border-line">
            <th className={head}>When</th>
            <th className={head}>Rating</th>
            <th className={`${head} max-lg:hidden`}>Samples</th>
            <th className={`${head} text-right max-sm:hidden`}>Within tolerance</th>
            <th className={`${head} text-right max-sm:hidden`}>Mean error</th>
            <th className={`${head} text-right max-sm:hidden`}>Bias</th>
            <th className={`${head} text-right max-sm:hidden`}>Correlation</th>
          </tr>
        </thead>
        {groupCalibrations(calibrations).map(({ judgeModelId, promptVersion, calibrations: grouped }) => (
          <tbody key={`${judgeModelId} ${promptVersion}`}>
            <tr className="border-b border-line bg-sunken">
              <th scope="rowgroup" colSpan={7} className="px-3 py-1.5 text-left font-medium">
                <ModelName id={judgeModelId} withBadge={false} />{' '}
                <span className="font-normal text-muted">prompt {promptVersion}</span>
              </th>
            </tr>
            {grouped.map(({ id, savedAt, source, setVersion, result, interpretation }) => (
              <tr key={id} className="border-b border-line hover:bg-hover">
                <td className="px-2 py-2 lg:px-3 lg:whitespace-nowrap">
                  <Link
                    to={`/judges/${encodeURIComponent(id)}`}
                    className="font-medium text-accent-ink hover:underline"
                  >
                    {formatLocalTime(savedAt)}
                  </Link>
                </td>
                <td className="min-w-36 px-2 py-2 lg:px-3 lg:whitespace-nowrap">
                  <RatingBadge rating={interpretation.rating} /> <CouldBe result={result} />
                </td>
                <td className="max-w-56 truncate px-2 py-2 lg:px-3 max-lg:hidden" title={source}>
                  {setVersion ?? source}
                </td>
                <td className="px-2 py-2 lg:px-3 text-right whitespace-nowrap max-sm:hidden">
                  {result.summary.passedSamples} of {result.summary.totalSamples}
                </td>
                {listErrors(result).map(({ name, value }) => (
                  <td key={name} className="px-2 py-2 lg:px-3 text-right max-sm:hidden">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </TablePanel>
  )
}
