import type { ResultsView } from '../../server/results/results-view.ts'
import { placeGroupBars, type GroupBars } from '../../report/charts/index.ts'
import {
  describeCache,
  describeInterval,
  describeIntervalMethod,
  describeMissing,
  formatCount,
  formatRank,
  formatScore,
} from '../../report/words/index.ts'
import { writeDrawing, type ChartTheme } from '../../report/charts/svg/canvas.ts'
import { drawLeaderboard } from '../../report/charts/svg/report-charts.ts'
import { ChartMenu } from '../ui/charts/ChartMenu.tsx'
import { classes } from '../ui/classes.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { CutName, ModelName } from '../ui/names/ModelName.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { Axis, DataTable } from '../ui/table/DataTable.tsx'
import { leaderboard } from '../../report/tables/leaderboard.ts'
import { columnsFor, type Column } from '../../report/tables/table.ts'
import { ColumnsMenu, useHiddenColumns } from './ColumnsMenu.tsx'
import { chooseColumns } from './hidden-columns.ts'
import { isLive } from './verdicts.ts'
import { GroupWords } from './Verdicts.tsx'
import { describeIntervals } from '../../report/words/method.ts'

type Row = ResultsView['rows'][number]

const LANE_WIDTH = 10

/** Rank and model, which cannot be hidden. */
const NAMES = 2

function drawChart(view: ResultsView, theme: ChartTheme): string | undefined {
  const drawing = drawLeaderboard(view)
  return drawing && writeDrawing(drawing, theme)
}

/** The part of each group's bar in one row: a line along the group, and a dot if the row is a member. */
function GroupMarks({ row, groups: { bars, lanes } }: { row: number; groups: GroupBars }) {
  return (
    <svg width={lanes * LANE_WIDTH} height="100%" className="absolute inset-y-0 left-1" aria-hidden>
      {bars
        .filter(({ first, last }) => row >= first && row <= last)
        .map(({ lane, first, last, members }) => (
          <g key={`${lane}-${first}`} stroke="var(--line-strong)" strokeWidth="2">
            <line
              x1={lane * LANE_WIDTH + 5}
              x2={lane * LANE_WIDTH + 5}
              y1={row === first ? '50%' : '0'}
              y2={row === last ? '50%' : '100%'}
            />
            {members.has(row) && <circle cx={lane * LANE_WIDTH + 5} cy="50%" r="2.5" fill="var(--line-strong)" />}
          </g>
        ))}
    </svg>
  )
}

function intervalText({ score }: Row): string {
  if (!score) return 'no score'
  const { mean, low, high, method, n } = score
  return `${formatScore(mean)}, 95 % CI ${describeInterval({ low, high })} over ${formatCount(n, 'case')}; ${describeIntervalMethod(method)}`
}

function MissingList({ view }: { view: ResultsView }) {
  if (view.missing.length === 0) return null
  return (
    <div>
      <h3 className="text-[13px] font-medium">Cells without a score are not in any mean</h3>
      <ul className="list-disc pl-5 text-[13px]">
        {view.missing.map((missing) => (
          <li key={missing.modelId} className="break-words">
            {missing.modelId}: {describeMissing(missing)}.
          </li>
        ))}
      </ul>
    </div>
  )
}

/** In a narrow window: a name and its score, then the interval, then the other figures. */
function LeaderboardList({ rows, figures }: { rows: Row[]; figures: Column<Row>[] }) {
  return (
    <ol>
      {rows.map((row) => {
        const { modelId, rank, score } = row
        return (
          <li key={modelId} className="flex flex-col gap-1 border-t border-line px-3 py-2 first:border-t-0">
            <div className="flex min-w-0 items-baseline gap-2">
              <span className="text-[13px] text-muted tabular-nums">{formatRank(rank)}</span>
              <CutName name={modelId} className="flex-1 font-medium" />
              <span className="font-semibold tabular-nums">{score ? formatScore(score.mean) : 'no score'}</span>
            </div>
            {score && (
              <IntervalMark
                mean={score.mean}
                low={score.low}
                high={score.high}
                label={`${modelId}: ${intervalText(row)}`}
              />
            )}
            <div className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
              {figures
                .filter(({ role }) => role !== 'main')
                .map(({ key, label, text, isWarning }) => (
                  <span key={key} className={classes('whitespace-nowrap', isWarning?.(row) && 'text-warning')}>
                    {label} {text(row)}
                  </span>
                ))}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** One row per model, on one shared axis. */
export function Leaderboard({ view }: { view: ResultsView }) {
  const groups = placeGroupBars(
    view.rows.map(({ modelId }) => modelId),
    view.groups,
  )
  const isNarrow = useNarrow('many columns')
  const [hidden, changeHidden] = useHiddenColumns('leaderboard')
  const columns = columnsFor(leaderboard({ runCount: view.runs.length, isLive: isLive(view) }), view.rows)
  const [names, allFigures] = [columns.slice(0, NAMES), columns.slice(NAMES)]
  const figures = chooseColumns(allFigures, hidden, ({ label }) => label)
  const labels = (listed: Column<Row>[]) => listed.map(({ label }) => label)
  const withBadge = !view.rows.every(({ isSimulated }) => isSimulated)
  return (
    <Section
      title="Leaderboard"
      id="leaderboard"
      aside={
        <span className="flex flex-wrap items-center gap-x-2">
          Dot: mean. Line: 95 % CI.
          <span className="flex items-center">
            <ColumnsMenu
              label="Columns of the leaderboard"
              columns={labels(allFigures)}
              shown={labels(figures)}
              onChange={changeHidden}
            />
            <ChartMenu name="leaderboard" draw={(theme) => drawChart(view, theme)} />
          </span>
        </span>
      }
    >
      {isNarrow ? (
        <Panel>
          <LeaderboardList rows={view.rows} figures={figures} />
        </Panel>
      ) : (
        <DataTable
          label="Leaderboard"
          columns={[...names, ...figures]}
          rows={view.rows}
          keyOf={({ modelId }) => modelId}
          draw={{ model: ({ modelId }) => <ModelName id={modelId} withBadge={withBadge} /> }}
          margin={{
            // A crowded table would make it narrower, and the marks would cover the ranks.
            width: groups.lanes * LANE_WIDTH + 8,
            draw: (_row, index) => <GroupMarks row={index} groups={groups} />,
          }}
          chart={{
            label: 'Score with its interval, 0 to 100',
            axis: <Axis ticks={['0', '25', '50', '75', '100']} />,
            draw: (row) =>
              row.score && (
                <div title={intervalText(row)}>
                  <IntervalMark {...row.score} label={`${row.modelId}: ${intervalText(row)}`} />
                </div>
              ),
          }}
        />
      )}
      <GroupWords groups={view.groups} />
      <p className="text-xs text-muted">
        “2–3” is 2nd or 3rd: the data cannot say which. Interval: {describeIntervals(view.rows) || 'none yet'}. Passed
        counts the answers that reach the pass mark of their case; the pass rate weighs the cases and has a
        Clopper-Pearson interval. Latency is the median. Unscored: answers without a score. {describeCache(view.rows)}
      </p>
      {!isLive(view) && <MissingList view={view} />}
    </Section>
  )
}
