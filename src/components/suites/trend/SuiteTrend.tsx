import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { SuiteTrend, SuiteTrend as Trend } from '../../../server/suites/suite-trend.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, type ScreenProps, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { describeDrift, describeNoDrift, DRIFT_NOTE, formatCount, formatPassed } from '../../../report/words/index.ts'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Page, Panel, Section } from '../../ui/Page.tsx'
import { writeDrawing } from '../../../report/charts/svg/canvas.ts'
import { drawTrend } from '../../../report/charts/svg/trend-chart.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { disambiguateTimes } from '../../code-arena/history/tell-runs-apart.ts'
import { TrendChart } from './TrendChart.tsx'
import { scoreAt, type TrendPoint } from '../../../statistics/index.ts'
import { resultsAddress } from '../../results/addresses.ts'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { trendTable } from '../../../report/tables/trend.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { numberChanges } from './changes.ts'

/** How many of the cases of a run have a score, and what passed. */
function ScoreNote({ point, model }: { point: TrendPoint; model: string }) {
  const score = scoreAt(point, model)
  if (!score) return null
  const sent = point.covered + point.removed
  return (
    <div className="text-xs text-muted">
      {formatPassed(score)} passed{score.n < sent && `, ${score.n} of ${sent} cases scored`}
    </div>
  )
}

/** Every figure of the chart, newest first. */
function TrendTable({ trend, models }: { trend: SuiteTrend; models: string[] }) {
  const changes = new Map(numberChanges(trend.points).map((change) => [trend.points[change.index]!, change]))
  const runs = trend.points.map(({ selection, startedAt }) => ({ runId: selection, startedAt }))
  const times = disambiguateTimes(runs, () => '')
  return (
    <DataTable
      label="Runs of this suite over time"
      columns={trendTable(models, trend.cases)}
      rows={trend.points.toReversed()}
      keyOf={({ selection }) => selection}
      models={{
        draw: (point, model, text) => (
          <>
            {text}
            <ScoreNote point={point} model={model} />
          </>
        ),
      }}
      draw={{
        run: (point) => (
          <>
            <Link
              to={resultsAddress(point.selection)}
              className="inline-block max-w-full font-normal break-words underline decoration-dotted"
            >
              <bdi>{point.label?.name ?? times.get(point.selection)}</bdi>
            </Link>
            {point.label?.name !== undefined && (
              <div className="text-xs font-normal text-muted">{formatLocalTime(point.startedAt)}</div>
            )}
            {point.state !== 'done' && <RunStateBadge run={point} />}
          </>
        ),
        changes(point) {
          const change = changes.get(point)
          return (
            change && (
              <>
                <span className="mr-1 inline-flex min-w-5 justify-center rounded-full border border-line-strong px-1 text-xs leading-4 font-medium">
                  {change.number}
                </span>
                {change.text}
              </>
            )
          )
        },
      }}
    />
  )
}

/** More rows than this are shown on request. */
const MAX_MODELS = 8

/** Whether the models themselves changed. */
function Drift({ trend: { drift } }: { trend: Trend }) {
  if (drift.length === 0) return null
  const [drifted, steady] = [drift.filter(({ isDrift }) => isDrift), drift.filter(({ isDrift }) => !isDrift)]
  return (
    <Section title="Drift" id="drift">
      {drifted.map((found) => (
        <p key={found.modelId} className="font-medium break-words text-warning">
          {describeDrift(found)}
        </p>
      ))}
      {drifted.length === 0 && <p>{describeNoDrift(drift.length)}</p>}
      <details className="text-[13px] text-muted">
        <summary className="w-fit">How this was tested</summary>
        <ul className="mt-1 flex flex-col gap-1">
          {[...steady.map(describeDrift), DRIFT_NOTE].map((text) => (
            <li key={text} className="break-words">
              {text}
            </li>
          ))}
        </ul>
      </details>
    </Section>
  )
}

function TrendView({ trend }: { trend: Trend }) {
  const [address, setAddress] = useAddress()
  const isWhole = address.get('models') === 'all'
  const models = isWhole ? trend.models : trend.models.slice(0, MAX_MODELS)
  const others = trend.models.length - models.length
  return (
    <>
      {trend.points.length === 1 ? (
        <Notice>No trend yet: the suite has one run. The next one will show what changed.</Notice>
      ) : (
        <Panel className="flex flex-col p-4">
          <span className="self-end">
            <ChartMenu
              name="trend"
              draw={(theme) => {
                const drawing = drawTrend({ ...trend, models }, trend.name)
                return drawing && writeDrawing(drawing, theme)
              }}
            />
          </span>
          <TrendChart trend={trend} models={models} />
        </Panel>
      )}
      <Drift trend={trend} />
      {others > 0 && (
        <Button className="self-start" onClick={() => setAddress({ models: 'all' })}>
          Show {formatCount(others, 'more model')}
        </Button>
      )}
      <TrendTable trend={trend} models={models} />
      {trend.leftOut > 0 && (
        <p className="text-muted">{formatCount(trend.leftOut, 'older run')} not shown; the list of results has all.</p>
      )}
    </>
  )
}

/** `/suites/:id/trend`: the scores of each model over the runs of the suite. */
export function SuiteTrend({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const trend = useQuery({
    queryKey: ['runs', 'trend', id],
    queryFn: () => readReply(api.suites[':id'].trend.$get({ param: { id } })),
  })
  const run = (
    <Link to={`/arena?suite=${encodeURIComponent(id)}`} className={buttonClass('primary')}>
      Run it
    </Link>
  )
  return (
    <Page
      title={trend.data ? `Trend of ${trend.data.name}` : 'Trend'}
      subtitle={
        trend.data &&
        trend.data.points.length > 0 &&
        `${formatCount(trend.data.points.length, 'run')} with ${formatCount(trend.data.models.length, 'model')}; a series counts as one.`
      }
      actions={
        <>
          <Link to={`/suites/${encodeURIComponent(id)}`} className={buttonClass()}>
            Suite
          </Link>
          {trend.data && trend.data.points.length > 0 && run}
        </>
      }
    >
      <Loaded
        query={trend}
        what="the trend"
        rows={8}
        isEmpty={({ points }) => points.length === 0}
        empty={<EmptyState title="No trend yet: this suite has not been run." action={run} />}
      >
        {(loaded) => <TrendView trend={loaded} />}
      </Loaded>
    </Page>
  )
}
