import type { SuiteTrend } from '../../../server/suites/suite-trend.ts'
import { describeCoverage, describeInterval, formatPassed, formatScore } from '../../../report/words/index.ts'
import { scoreAt, type TrendPoint } from '../../../statistics/index.ts'
import { resultsAddress } from '../../results/addresses.ts'
import { Link } from '../../router.tsx'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { numberChanges } from './changes.ts'
import { TablePanel } from '../../ui/Page.tsx'
import { TableHead } from '../../ui/TableHead.tsx'

const head = 'px-3 py-2'
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
    <TablePanel label="Runs of this suite over time">
      <table className="w-full text-left">
        <TableHead
          isRuled
          columns={[
            { title: 'Run', className: head },
            ...models.map((model) => ({
              key: model,
              title: <CutName name={model} />,
              className: `${head} max-w-56 min-w-40`,
            })),
            { title: 'Cases', className: head },
            { title: 'What changed', className: `${head} min-w-48` },
          ]}
        />
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
                  {point.state !== 'done' && <RunStateBadge run={point} />}
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
    </TablePanel>
  )
}
