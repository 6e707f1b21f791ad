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
  joinWords,
  listLeaderboardColumns,
  type LeaderboardColumn,
} from '../../report/words/index.ts'
import { writeDrawing, type ChartTheme } from '../../report/charts/svg/canvas.ts'
import { drawLeaderboard } from '../../report/charts/svg/report-charts.ts'
import { ChartMenu } from '../ui/charts/ChartMenu.tsx'
import { classes } from '../ui/classes.ts'
import { IntervalMark } from '../ui/charts/IntervalMark.tsx'
import { CutName, ModelName } from '../ui/names/ModelName.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { ColumnsMenu, useHiddenColumns } from './ColumnsMenu.tsx'
import { chooseColumns } from './hidden-columns.ts'
import { isLive } from './verdicts.ts'
import { GroupWords } from './Verdicts.tsx'

type Row = ResultsView['rows'][number]

const LANE_WIDTH = 10

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

function Axis() {
  return (
    <span className="relative block h-4 font-normal" aria-hidden>
      {[0, 25, 50, 75, 100].map((tick) => (
        <span key={tick} className="absolute -translate-x-1/2" style={{ left: `${tick}%` }}>
          {tick}
        </span>
      ))}
    </span>
  )
}

function intervalText({ score }: Row): string {
  if (!score) return 'no score'
  const { mean, low, high, method, n } = score
  return `${formatScore(mean)}, 95 % interval ${describeInterval({ low, high })} over ${formatCount(n, 'case')}; ${describeIntervalMethod(method)}`
}

interface RowProps {
  row: Row
  index: number
  groups: GroupBars
  figures: LeaderboardColumn[]
  /** Unless all models are simulated: the page says that once. */
  withBadge: boolean
}

function LeaderboardRow({ row, index, groups, figures, withBadge }: RowProps) {
  const { modelId, rank, score } = row
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td
        className="relative p-0"
        // A crowded table would make it narrower, and the marks would cover the ranks.
        style={{ width: groups.lanes * LANE_WIDTH + 8, minWidth: groups.lanes * LANE_WIDTH + 8 }}
      >
        <GroupMarks row={index} groups={groups} />
      </td>
      <td className="px-2 py-1.5 text-right text-muted">{formatRank(rank)}</td>
      <th scope="row" className="sticky left-0 z-1 max-w-36 bg-surface px-2 text-left font-medium sm:max-w-64">
        <ModelName id={modelId} withBadge={withBadge} />
      </th>
      <td className="min-w-32 px-3 min-[1400px]:px-4" title={intervalText(row)}>
        {score && (
          <IntervalMark
            mean={score.mean}
            low={score.low}
            high={score.high}
            label={`${modelId}: ${intervalText(row)}`}
          />
        )}
      </td>
      {figures.map(({ title, describe, isMain = false, isWarning }) => (
        <td
          key={title}
          className={classes(
            'px-1 text-right whitespace-nowrap last:pr-3 min-[1400px]:px-2',
            isMain && 'font-semibold',
            isWarning?.(row) && 'text-warning',
          )}
        >
          {describe(row)}
        </td>
      ))}
    </tr>
  )
}

/** The interval methods in use; with several, each names its models. */
function describeIntervals(rows: Row[]): string {
  const byMethod = Map.groupBy(
    rows.filter(({ score }) => score),
    ({ score }) => score!.method,
  )
  const parts = [...byMethod].map(([method, members]) =>
    byMethod.size === 1
      ? describeIntervalMethod(method)
      : `${describeIntervalMethod(method)} (${joinWords(members.map(({ modelId }) => modelId))})`,
  )
  return parts.join('; ')
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
function LeaderboardList({ rows, figures }: { rows: Row[]; figures: LeaderboardColumn[] }) {
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
                .filter(({ isMain }) => !isMain)
                .map(({ title, describe, isWarning }) => (
                  <span key={title} className={classes('whitespace-nowrap', isWarning?.(row) && 'text-warning')}>
                    {title} {describe(row)}
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
  const allFigures = listLeaderboardColumns(view.runs.length, view.rows, { isLive: isLive(view) })
  const figures = chooseColumns(allFigures, hidden, ({ title }) => title)
  const titles = (columns: LeaderboardColumn[]) => columns.map(({ title }) => title)
  const withBadge = !view.rows.every(({ isSimulated }) => isSimulated)
  return (
    <Section
      title="Leaderboard"
      id="leaderboard"
      aside={
        <span className="flex flex-wrap items-center gap-x-2">
          dot: mean, line: its 95 % interval over more cases like these
          <span className="flex items-center">
            <ColumnsMenu
              label="Columns of the leaderboard"
              columns={titles(allFigures)}
              shown={titles(figures)}
              onChange={changeHidden}
            />
            <ChartMenu name="leaderboard" draw={(theme) => drawChart(view, theme)} />
          </span>
        </span>
      }
    >
      <Panel>
        {isNarrow ? (
          <LeaderboardList rows={view.rows} figures={figures} />
        ) : (
          <div
            className="scroll-cue overflow-x-auto rounded-lg"
            tabIndex={0}
            role="group"
            aria-label="Leaderboard, scrolls sideways"
          >
            <table className="w-full text-[13px]">
              <thead className="text-xs text-muted">
                <tr>
                  <td />
                  <th scope="col" className="px-2 py-1.5 text-right font-normal">
                    Rank
                  </th>
                  <th scope="col" className="sticky left-0 z-1 bg-surface px-2 text-left font-normal">
                    Model
                  </th>
                  <th scope="col" className="w-[34%] min-w-32 px-3 min-[1400px]:px-4">
                    <span className="sr-only">Score with its interval, 0 to 100</span>
                    <Axis />
                  </th>
                  {figures.map(({ title }) => (
                    <th
                      key={title}
                      scope="col"
                      className="px-1 text-right font-normal whitespace-nowrap last:pr-3 min-[1400px]:px-2"
                    >
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {view.rows.map((row, index) => (
                  <LeaderboardRow
                    key={row.modelId}
                    row={row}
                    index={index}
                    groups={groups}
                    figures={figures}
                    withBadge={withBadge}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      <GroupWords groups={view.groups} />
      <p className="text-xs text-muted">
        A rank is a range: from 1 plus the number of significantly better models to the number of models less those
        significantly worse. Interval: {describeIntervals(view.rows) || 'none yet'}. Passed counts the answers that
        reach the pass mark of their case; the pass rate weighs the cases and has a Clopper-Pearson interval. Latency is
        the median. Missing counts the cells asked without getting a score. {describeCache(view.rows)}
      </p>
      {!isLive(view) && <MissingList view={view} />}
    </Section>
  )
}
