import type { SuiteTrend } from '../../../server/suites/suite-trend.ts'
import {
  chooseTrendTicks,
  linearScale,
  niceTicks,
  placeTrend,
  placeTrendPoints,
  zoomDomain,
} from '../../../report/charts/index.ts'
import { describeInterval, formatCount, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { scoreAt } from '../../../statistics/index.ts'
import { useWidth } from '../../results/sections/use-width.ts'
import { formatLocalClock, formatLocalDay, formatLocalTime } from '../../ui/local-time.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { numberChanges } from './changes.ts'

/** Few models get more room. */
const heightFor = (models: number) => (models <= 3 ? 112 : 72)
const PADDING = 12
const DATE_WIDTH = 76
const NUMBER_WIDTH = 18

interface RowProps {
  trend: SuiteTrend
  model: string
  width: number
  height: number
  domain: [number, number]
  /** Where something changed. */
  marks: number[]
}

const circle = (x: number, y: number) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z`
const diamond = (x: number, y: number) => `M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5Z`

const isPartial = ({ points, cases }: SuiteTrend, index: number) => points[index]!.covered < cases

function describeRow({ points }: SuiteTrend, model: string): string {
  const scored = points.filter((point) => scoreAt(point, model))
  const [first, last] = [scored.at(0), scored.at(-1)]
  if (!first || !last) return `${model}: no scores`
  const scoreIn = (point: typeof first) => {
    const score = scoreAt(point, model)!
    return `${formatScore(score.mean)} (${describeInterval(score)}) on ${formatLocalTime(point.startedAt)}`
  }
  return scored.length === 1
    ? `${model}: ${scoreIn(first)}`
    : `${model}: ${formatCount(scored.length, 'run')}, from ${scoreIn(first)} to ${scoreIn(last)}`
}

/** One model over time. */
function TrendRow({ trend, model, width, height, domain, marks }: RowProps) {
  const scores = trend.points.map((point) => {
    const score = scoreAt(point, model)
    return score && { ...score, caseSet: point.caseSet }
  })
  const { dots, lines } = placeTrend(scores, { width, height, padding: PADDING, domain })
  const yScale = linearScale(domain, [height - PADDING, PADDING])
  return (
    <svg role="img" aria-label={describeRow(trend, model)} width={width} height={height} className="block text-[11px]">
      {niceTicks(...domain, 2).map((tick) => (
        <line key={tick} x1="0" x2={width} y1={yScale(tick)} y2={yScale(tick)} stroke="var(--line)" />
      ))}
      {marks.map((x) => (
        <line key={x} x1={x} x2={x} y1="0" y2={height} stroke="var(--line-strong)" strokeDasharray="2 3" />
      ))}
      {lines.map(({ from, to }) => (
        <line
          key={`${from.x} ${to.x}`}
          x1={from.x}
          y1={from.y}
          x2={to.x}
          y2={to.y}
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
      ))}
      {dots.map(({ index, x, y, yLow, yHigh, isComplete }) => (
        <g key={index}>
          <line x1={x} x2={x} y1={yLow} y2={yHigh} stroke="var(--accent)" strokeWidth="2" strokeOpacity="0.35" />
          <path
            d={isPartial(trend, index) ? diamond(x, y) : circle(x, y)}
            fill={isComplete ? 'var(--accent)' : 'var(--surface)'}
            stroke="var(--accent)"
            strokeWidth="1.5"
          >
            <title>{`${formatLocalTime(trend.points[index]!.startedAt)}: ${formatScore(scores[index]!.mean)}`}</title>
          </path>
        </g>
      ))}
    </svg>
  )
}

function ScoreAxis({ height, domain }: Pick<RowProps, 'height' | 'domain'>) {
  const scale = linearScale(domain, [height - PADDING, PADDING])
  return (
    <svg width="28" height={height} className="block text-[11px]" aria-hidden>
      {niceTicks(...domain, 2).map((tick) => (
        <text key={tick} x="26" y={scale(tick) + 4} textAnchor="end" fill="var(--muted)">
          {formatScoreTick(tick)}
        </text>
      ))}
    </svg>
  )
}

/** A row for each model on shared axes: the runs in order, with intervals, and where something changed. */
export function TrendChart({ trend, models }: { trend: SuiteTrend; models: string[] }) {
  const [container, width] = useWidth<HTMLDivElement>(480)
  const { points } = trend
  const height = heightFor(models.length)
  const shown = points.flatMap((point) => models.flatMap((model) => scoreAt(point, model) ?? []))
  const domain = zoomDomain(shown.flatMap(({ low, high }) => [low, high]))
  const xs = placeTrendPoints(points.length, { width, padding: PADDING })
  const changes = numberChanges(points)
  // Between two runs, where it changed; on the dot it would hide the interval.
  const marks = changes.map(({ index }) => (xs[index]! + xs[index - 1]!) / 2)
  const numbered = new Set(chooseTrendTicks(marks, NUMBER_WIDTH))
  // The first and the last date are moved inside the chart, so they may come close to their neighbours.
  const dates = xs.map((x) => Math.min(width - DATE_WIDTH / 2, Math.max(DATE_WIDTH / 2, x)))
  const dated = chooseTrendTicks(dates, DATE_WIDTH)
  const days = new Set(points.map(({ startedAt }) => formatLocalDay(startedAt)))
  const formatDate = days.size === 1 ? formatLocalClock : formatLocalDay
  return (
    <figure className="flex flex-col gap-2">
      <div className="grid grid-cols-[28px_minmax(0,1fr)] items-center gap-x-2 sm:grid-cols-[fit-content(12rem)_28px_minmax(0,1fr)]">
        <div className="max-sm:hidden" />
        <div />
        <div ref={container} className="min-w-0">
          {changes.length > 0 && (
            <svg width={width} height="16" className="block text-[11px]" aria-hidden>
              {changes.map(({ number }, index) =>
                numbered.has(index) ? (
                  <text key={number} x={marks[index]} y="12" textAnchor="middle" fill="var(--ink)">
                    {number}
                  </text>
                ) : null,
              )}
            </svg>
          )}
        </div>
        {models.map((model) => (
          <div key={model} className="contents">
            <CutName name={model} className="text-[13px] max-sm:col-span-2 max-sm:pt-1" />
            <ScoreAxis height={height} domain={domain} />
            <TrendRow trend={trend} model={model} width={width} height={height} domain={domain} marks={marks} />
          </div>
        ))}
        <div className="max-sm:hidden" />
        <div />
        <svg width={width} height="16" className="block text-[11px]" aria-hidden>
          {dated.map((index) => (
            <text key={index} x={dates[index]} y="12" textAnchor="middle" fill="var(--muted)">
              {formatDate(points[index]!.startedAt)}
            </text>
          ))}
        </svg>
      </div>
      <figcaption className="text-xs text-muted">
        Dot: mean. Bar: 95 % CI. Hollow: some cases have no score. Diamond: some cases only. Line: same cases. Numbers:
        what else changed.
      </figcaption>
    </figure>
  )
}
