import type { ResultsView } from '../../../server/results/results-view.ts'
import { placeScatter, type ScatterPoint } from '../../../report/charts/index.ts'
import {
  describeInterval,
  formatCount,
  formatDuration,
  formatDurations,
  formatScore,
  formatScoreTick,
  joinWords,
} from '../../../report/words/index.ts'
import { Panel, Section } from '../../ui/Page.tsx'
import { copySvg } from '../../ui/charts/chart-file.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { useWidth } from './use-width.ts'

const HEIGHT = 240
const MARGIN = { top: 10, right: 16, bottom: 34, left: 34 }

interface ScatterPlotProps {
  title: string
  axis: string
  points: ScatterPoint[]
  /** Formats all ticks together, so that they share one precision. */
  formatTicks: (values: number[]) => string[]
  formatX: (value: number) => string
}

/** Score with its interval on the y axis, cost or latency on the x axis: upper left is best. */
function ScatterPlot({ title, axis, points, formatTicks, formatX }: ScatterPlotProps) {
  const [container, width] = useWidth<HTMLDivElement>(420)
  const plot = placeScatter(points, { width, height: HEIGHT, margin: MARGIN })
  const xLabels = formatTicks(plot.xTicks.map(({ value }) => value))
  const bottom = HEIGHT - MARGIN.bottom
  const description = points
    .map(
      ({ id, x, mean, low, high }) =>
        `${id}: score ${formatScore(mean)} (${describeInterval({ low, high })}), ${formatX(x)}`,
    )
    .join('; ')
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-center justify-between gap-2 text-[13px] font-medium">
        {title}
        <ChartMenu
          name={title.toLowerCase()}
          draw={() => {
            const svg = container.current?.querySelector('svg')
            return svg ? copySvg(svg) : undefined
          }}
        />
      </figcaption>
      <div ref={container} className="min-w-0 overflow-hidden">
        <svg
          role="img"
          aria-label={`${title}. ${description}`}
          width={width}
          height={HEIGHT}
          className="block text-[11px]"
        >
          {plot.yTicks.map(({ value, at }) => (
            <g key={value}>
              <line x1={MARGIN.left} x2={width - MARGIN.right} y1={at} y2={at} stroke="var(--line)" />
              <text x={MARGIN.left - 6} y={at + 4} textAnchor="end" fill="var(--muted)">
                {formatScoreTick(value)}
              </text>
            </g>
          ))}
          {plot.xTicks.map(({ value, at }, index) => (
            <g key={value}>
              <line x1={at} x2={at} y1={bottom} y2={bottom + 4} stroke="var(--line-strong)" />
              <text x={at} y={bottom + 16} textAnchor="middle" fill="var(--muted)">
                {xLabels[index]}
              </text>
            </g>
          ))}
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={bottom} y2={bottom} stroke="var(--line-strong)" />
          <text x={width - MARGIN.right} y={HEIGHT - 4} textAnchor="end" fill="var(--muted)">
            {plot.isLog ? `${axis}, logarithmic` : axis} →
          </text>
          {plot.points.map(({ id, x, y, yLow, yHigh }) => (
            <g key={id}>
              <line x1={x} x2={x} y1={yLow} y2={yHigh} stroke="var(--accent)" strokeWidth="2" strokeOpacity="0.4" />
              <circle cx={x} cy={y} r="4" fill="var(--accent)">
                <title>{id}</title>
              </circle>
            </g>
          ))}
          {plot.points.map(
            ({ id, label }) =>
              label && (
                <text
                  key={id}
                  x={label.x}
                  y={label.y}
                  textAnchor={label.anchor}
                  fill="var(--ink)"
                  stroke="var(--surface)"
                  strokeWidth="3"
                  paintOrder="stroke"
                >
                  {label.text}
                </text>
              ),
          )}
        </svg>
      </div>
    </figure>
  )
}

type Row = ResultsView['rows'][number]

function pointsBy(rows: Row[], read: (row: Row) => number | undefined): ScatterPoint[] {
  return rows.flatMap((row) => {
    const x = read(row)
    return x === undefined || !row.score
      ? []
      : [{ id: row.modelId, x, mean: row.score.mean, low: row.score.low, high: row.score.high }]
  })
}

/** Which models the chart of cost leaves out, and latency against score. */
export function Tradeoffs({ rows }: { rows: Row[] }) {
  const scored = rows.filter(({ score }) => score)
  if (scored.length === 0) return null
  const byTime = pointsBy(scored, ({ medianLatencyMs }) => medianLatencyMs)
  const unknown = scored.filter(({ cost }) => cost.unknown > 0)
  return (
    <Section title="Latency against score" id="tradeoffs" aside="upper left is best">
      {unknown.length > 0 && (
        <p className="text-[13px] break-words text-muted">
          Not in the chart of cost, because it is unknown:{' '}
          {joinWords(
            unknown.map(({ modelId, cost }) => `${modelId} (${formatCount(cost.unknown, 'answer')} without a price)`),
          )}
          .
        </p>
      )}
      <Panel className="p-4">
        {byTime.length > 0 ? (
          <ScatterPlot
            title="Score and median latency"
            axis="latency"
            points={byTime}
            formatTicks={formatDurations}
            formatX={formatDuration}
          />
        ) : (
          <p className="text-muted">No latency was recorded.</p>
        )}
      </Panel>
    </Section>
  )
}
