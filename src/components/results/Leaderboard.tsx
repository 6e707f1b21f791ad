import { useState } from 'react'
import type { ResultsView } from '../../server/results/results-view.ts'
import { placeGroupBars, type GroupBars } from '../../report/charts/index.ts'
import { describeInterval, describeIntervalMethod, formatRank, formatScore } from '../../report/words/index.ts'
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
import { describeCases } from '../../report/words/verdicts/verdicts.ts'

type Row = ResultsView['rows'][number]

const LANE_WIDTH = 10

/** Shown if a reader asks for them: the verdict rests on the others. */
const HIDDEN_AT_FIRST = ['Own mean', 'If missing 0 or 100', 'Pass rate', 'SD', 'SD of runs', 'n', 'From cache']

/** Rank and model, which cannot be hidden. */
const NAMES = 2

function drawChart(view: ResultsView, theme: ChartTheme): string | undefined {
  const drawing = drawLeaderboard(view)
  return drawing && writeDrawing(drawing, theme)
}

/** The part of each group's bracket in one row; a member in the middle of it is where the bracket touches the row. */
function GroupMarks({ row, groups: { bars, lanes } }: { row: number; groups: GroupBars }) {
  return (
    <svg width={lanes * LANE_WIDTH} height="100%" className="absolute inset-y-0 left-1.5" aria-hidden>
      {bars
        .filter(({ first, last }) => row >= first && row <= last)
        .map(({ lane, first, last, members }) => {
          const x = lane * LANE_WIDTH + 2
          return (
            <g key={`${lane}-${first}`} stroke="var(--line-strong)" strokeWidth="1.5" fill="none">
              <line x1={x} x2={x} y1={row === first ? '50%' : '0'} y2={row === last ? '50%' : '100%'} />
              {members.has(row) && <line x1={x} x2={x + 6} y1="50%" y2="50%" />}
            </g>
          )
        })}
    </svg>
  )
}

function intervalText({ score }: Row): string {
  if (!score) return 'no score'
  const { mean, low, high, method } = score
  return `${formatScore(mean)}, 95 % CI ${describeInterval({ low, high })} over ${describeCases(score)}; ${describeIntervalMethod(method)}`
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

function listColumns(view: ResultsView): Column<Row>[] {
  return columnsFor(leaderboard({ runCount: view.runs.length, isLive: isLive(view) }), view.rows)
}

/** One row per model, on one shared axis. A result that says nothing about the models has no ranks. */
export function Board({ view, hidden }: { view: ResultsView; hidden: readonly string[] }) {
  const isBroken = view.verdictCard.state === 'broken'
  const groups = placeGroupBars(
    view.rows.map(({ modelId }) => modelId),
    isBroken ? [] : view.groups,
  )
  const isNarrow = useNarrow('many columns')
  const columns = listColumns(view)
  const figures = chooseColumns(columns.slice(NAMES), hidden, ({ label }) => label)
  const withBadge = !view.rows.every(({ isSimulated }) => isSimulated)
  if (isNarrow)
    return (
      <Panel>
        <LeaderboardList rows={view.rows} figures={figures} />
      </Panel>
    )
  return (
    <DataTable
      label="Leaderboard"
      isRoomy
      columns={[...columns.slice(0, NAMES), ...figures]}
      rows={view.rows}
      keyOf={({ modelId }) => modelId}
      draw={{
        model: ({ modelId }) => <ModelName id={modelId} withBadge={withBadge} />,
        ...(isBroken && { rank: () => '–' }),
      }}
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
            <div title={intervalText(row)} className={isBroken ? 'opacity-40' : undefined}>
              <IntervalMark {...row.score} isTall label={`${row.modelId}: ${intervalText(row)}`} />
            </div>
          ),
      }}
    />
  )
}

/** While a run goes on, its rows keep the places in which they came: they move when it ends. */
function useSteadyRows(view: ResultsView): ResultsView {
  const [order] = useState(() => view.rows.map(({ modelId }) => modelId))
  if (!isLive(view)) return view
  const placeOf = ({ modelId }: Row) => (order.includes(modelId) ? order.indexOf(modelId) : order.length)
  return { ...view, rows: view.rows.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

/** The figures that the verdict rests on; the others can be added, and all are under Statistics. */
export function Leaderboard({ view: given }: { view: ResultsView }) {
  const view = useSteadyRows(given)
  const [hidden, changeHidden] = useHiddenColumns('leaderboard', HIDDEN_AT_FIRST)
  const isScored = view.rows.every(({ unscored, errors }) => unscored + errors === 0)
  const labels = listColumns(view)
    .slice(NAMES)
    .flatMap(({ key, label }) => (key === 'missing' && isScored ? [] : [label]))
  const shown = chooseColumns(labels, hidden, (label) => label)
  const note = view.verdictCard.state === 'broken' ? 'No ranks: nothing passed.' : 'Dot: mean. Line: 95 % CI.'
  return (
    <Section
      title="Leaderboard"
      id="leaderboard"
      aside={<span className="text-xs">{isLive(view) ? 'so far' : note}</span>}
      end={
        <span className="flex items-center">
          <ColumnsMenu
            label="Columns of the leaderboard"
            isSmall
            columns={labels}
            shown={shown}
            onChange={changeHidden}
          />
          <ChartMenu name="leaderboard" draw={(theme) => drawChart(view, theme)} />
        </span>
      }
    >
      <Board view={view} hidden={isScored ? [...hidden, 'Unscored'] : hidden} />
    </Section>
  )
}
