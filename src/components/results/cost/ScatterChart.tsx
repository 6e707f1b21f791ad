import type { ReactNode } from 'react'
import { placeScatter, type ScatterPoint } from '../../../report/charts/index.ts'
import { describeInterval, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { copySvg } from '../../ui/charts/chart-file.ts'
import { ChartMenu } from '../../ui/charts/ChartMenu.tsx'
import { Panel } from '../../ui/Page.tsx'
import { useWidth } from '../sections/use-width.ts'

const MARGIN = { top: 14, right: 16, bottom: 44, left: 34 }
/** Half of a label of the x axis: the last would leave the drawing. */
const HALF_TICK = 20

interface ScatterChartProps {
  title: string
  /** Beside the title. */
  note: ReactNode
  axis: string
  height: number
  points: ScatterPoint[]
  /** The models that are the best for their price, joined by a line; by default there is none, and all look alike. */
  frontier?: ReadonlySet<string>
  /** Formats all ticks together, so that they share one precision. */
  formatTicks: (values: number[]) => string[]
  formatX: (value: number) => string
}

/** Score with its interval on the y axis, cost or latency on the x axis: upper left is best. */
export function ScatterChart({ title, note, axis, height, points, frontier, formatTicks, formatX }: ScatterChartProps) {
  const [container, width] = useWidth<HTMLDivElement>(560)
  const plot = placeScatter(points, { width, height, margin: MARGIN })
  const steps = plot.points.filter(({ id }) => frontier?.has(id)).toSorted((a, b) => a.x - b.x)
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom]
  const line = steps.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('') + `H${right}`
  const labels = formatTicks(plot.xTicks.map(({ value }) => value))
  const unnamed = plot.points.filter(({ label }) => !label)
  const description = points
    .map(
      ({ id, x, mean, low, high }) =>
        `${id}: score ${formatScore(mean)} (${describeInterval({ low, high })}), ${formatX(x)}`,
    )
    .join('; ')
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-[15px] font-semibold">{title}</h3>
        <p className="text-xs text-muted">{note}</p>
        <div className="ml-auto">
          <ChartMenu
            name={title.toLowerCase().replaceAll(' ', '-')}
            draw={() => {
              const svg = container.current?.querySelector('svg')
              return svg ? copySvg(svg) : undefined
            }}
          />
        </div>
      </div>
      <div ref={container} className="min-w-0 overflow-hidden">
        <svg role="img" aria-label={`${title}. ${description}`} width={width} height={height} className="block text-xs">
          {steps.length > 1 && (
            <path d={`${line}V${bottom}H${steps[0]!.x}Z`} fill="var(--accent-soft)" fillOpacity="0.5" />
          )}
          {plot.yTicks.map(({ value, at }) => (
            <g key={value}>
              <line x1={MARGIN.left} x2={right} y1={at} y2={at} stroke="var(--grid)" />
              <text x={MARGIN.left - 6} y={at + 4} textAnchor="end" fill="var(--muted)">
                {formatScoreTick(value)}
              </text>
            </g>
          ))}
          {plot.xTicks.map(({ value, at }, index) => {
            const isLast = at > right - HALF_TICK + MARGIN.right
            return (
              <g key={value}>
                <line x1={at} x2={at} y1={bottom} y2={bottom + 4} stroke="var(--line-strong)" />
                <text
                  x={isLast ? width : at}
                  y={bottom + 17}
                  textAnchor={isLast ? 'end' : 'middle'}
                  fill="var(--muted)"
                >
                  {labels[index]}
                </text>
              </g>
            )
          })}
          <line x1={MARGIN.left} x2={right} y1={bottom} y2={bottom} stroke="var(--line-strong)" />
          <text x={MARGIN.left} y={height - 6} fill="var(--muted)">
            ↑ score
          </text>
          <text x={right} y={height - 6} textAnchor="end" fill="var(--muted)">
            {axis}
            {plot.isLog ? ', log scale' : ''} →
          </text>
          {steps.length > 1 && <path d={line} fill="none" stroke="var(--accent)" strokeDasharray="4 3" />}
          {plot.points.map(({ id, x, y, xLow, xHigh, yLow, yHigh }) => {
            const isOff = frontier?.has(id) === false
            const colour = isOff ? 'var(--line-strong)' : 'var(--accent)'
            const look = { stroke: colour, strokeWidth: 3, strokeLinecap: 'round', strokeOpacity: 0.6 } as const
            return (
              <g key={id}>
                <line x1={x} x2={x} y1={yLow} y2={yHigh} {...look} />
                {xHigh > xLow && <line x1={xLow} x2={xHigh} y1={y} y2={y} {...look} />}
                <circle cx={x} cy={y} r="5" fill={isOff ? 'var(--surface)' : colour} stroke={colour} strokeWidth="2">
                  <title>{id}</title>
                </circle>
              </g>
            )
          })}
          {plot.points.map(
            ({ id, label }) =>
              label && (
                <text
                  key={id}
                  x={label.x}
                  y={label.y}
                  textAnchor={label.anchor}
                  fill="var(--ink)"
                  fontWeight="600"
                  stroke="var(--surface)"
                  strokeWidth="4"
                  strokeLinejoin="round"
                  paintOrder="stroke"
                >
                  {label.text}
                </text>
              ),
          )}
          {unnamed.map(({ id, x, y }, index) => (
            <text key={id} x={x + 8} y={y - 6} fill="var(--ink)">
              {index + 1}
            </text>
          ))}
        </svg>
      </div>
      {unnamed.length > 0 && (
        <p className="text-xs break-words text-muted">
          {unnamed.map(({ id }, index) => `${index + 1} ${id}`).join(' · ')}
        </p>
      )}
    </Panel>
  )
}
