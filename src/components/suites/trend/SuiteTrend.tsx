import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { SuiteTrend as Trend } from '../../../server/suites/suite-trend.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { describeDrift, DRIFT_NOTE, formatCount } from '../../../report/words/index.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Page, Panel, Section } from '../../ui/Page.tsx'
import { writeDrawing } from '../../../report/charts/svg/canvas.ts'
import { drawTrend } from '../../../report/charts/svg/trend-chart.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { TrendChart } from './TrendChart.tsx'
import { TrendTable } from './TrendTable.tsx'

/** More rows than this are shown on request. */
const MAX_MODELS = 8

/** Whether the models themselves changed; those that did come first. */
function Drift({ trend: { drift } }: { trend: Trend }) {
  if (drift.length === 0) return null
  const ordered = drift.toSorted((a, b) => Number(b.isDrift) - Number(a.isDrift))
  return (
    <Section title="Drift" id="drift">
      <ul className="flex flex-col gap-1">
        {ordered.map((found) => (
          <li key={found.modelId} className={classes('break-words', found.isDrift && 'font-medium text-warning')}>
            {describeDrift(found)}
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">{DRIFT_NOTE}</p>
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
