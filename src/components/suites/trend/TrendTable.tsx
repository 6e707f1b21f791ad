import type { SuiteTrend } from '../../../server/suites/suite-trend.ts'
import { describeCoverage, describeInterval, formatPassed, formatScore } from '../../../report/words/index.ts'
import { scoreAt, type TrendPoint } from '../../../statistics/index.ts'
import { resultsAddress } from '../../results/addresses.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { CutName } from '../../ui/ModelName.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { numberChanges } from './changes.ts'

const head = 'px-3 py-2 font-medium'
const cell = 'px-3 py-1.5 align-top'

function Score({ point, model }: { point: TrendPoint; model: string }) {
  const score = scoreAt(point, model)
  if (!score) return <span className="text-muted">–</span>
  const asked = point.covered + point.removed
  return (
    <>
      <span className="font-medium">{formatScore(score.mean)}</span>{' '}
      <span className="text-muted">({describeInterval(score)})</span>
      <div className="text-xs text-muted">
        {formatPassed(score)} passed{score.n < asked && `, ${score.n} of ${asked} cases scored`}
      </div>
    </>
  )
}

/** Every figure of the chart, newest first. */
export function TrendTable({ trend, models }: { trend: SuiteTrend; models: string[] }) {
  const changes = new Map(numberChanges(trend.points).map((change) => [change.index, change]))
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-surface"
      tabIndex={0}
      role="region"
      aria-label="Runs of this suite over time"
    >
      <table className="w-full text-left">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            <th scope="col" className={head}>
              Run
            </th>
            {models.map((model) => (
              <th key={model} scope="col" className={`${head} max-w-56 min-w-40`}>
                <CutName name={model} />
              </th>
            ))}
            <th scope="col" className={head}>
              Cases
            </th>
            <th scope="col" className={`${head} min-w-48`}>
              What changed
            </th>
          </tr>
        </thead>
        <tbody>
          {trend.points.toReversed().map((point, position) => {
            const change = changes.get(trend.points.length - 1 - position)
            return (
              <tr key={point.selection} className="border-b border-line last:border-0">
                <th
                  scope="row"
                  className={`${cell} font-normal ${point.label?.name === undefined ? 'whitespace-nowrap' : 'min-w-44'}`}
                >
                  <Link
                    to={resultsAddress(point.selection)}
                    className="inline-block max-w-72 leading-6 break-words underline decoration-dotted"
                  >
                    <bdi>{point.label?.name ?? formatLocalTime(point.startedAt)}</bdi>
                  </Link>
                  {point.label?.name !== undefined && (
                    <div className="text-xs text-muted">{formatLocalTime(point.startedAt)}</div>
                  )}
                  {point.state !== 'completed' && (
                    <Badge kind={point.state === 'failed' ? 'danger' : 'warning'}>{point.state}</Badge>
                  )}
                </th>
                {models.map((model) => (
                  <td key={model} className={`${cell} tabular-nums`}>
                    <Score point={point} model={model} />
                  </td>
                ))}
                <td className={`${cell} whitespace-nowrap`}>{describeCoverage(point, trend.cases)}</td>
                <td className={`${cell} break-words`}>
                  {change ? (
                    <>
                      <span className="mr-1 inline-flex min-w-5 justify-center rounded-full border border-line-strong px-1 text-xs leading-4 font-medium">
                        {change.number}
                      </span>
                      {change.text}
                    </>
                  ) : (
                    <span className="text-muted">–</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
