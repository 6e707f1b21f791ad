import { linearScale, niceTicks, placeStrip, zoomDomain } from '../../../report/charts/index.ts'
import type { MultiRunStats } from '../../../statistics/index.ts'
import { describeInterval, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { useWidth } from './use-width.ts'

const DOT_SIZE = 8
const PADDING = 14

function StripRow({ stats, width, domain }: { stats: MultiRunStats; width: number; domain: [number, number] }) {
  const scale = linearScale(domain, [PADDING, width - PADDING])
  const dots = placeStrip(stats.scores, { scale, diameter: DOT_SIZE })
  const halfHeight = Math.max(4, ...dots.map(({ y }) => Math.abs(y))) + 12
  const positionOf = (value: number) => scale(Math.max(domain[0], Math.min(domain[1], value)))
  const [low, high] = stats.confidence95
  const label = `${stats.modelId}: ${stats.scores.map((score, index) => `run ${index + 1} ${formatScore(score)}`).join(', ')}${stats.scores.length > 1 ? `; 95 % CI over runs ${describeInterval({ low, high })}` : ''}`
  return (
    <svg role="img" aria-label={label} width={width} height={halfHeight * 2} className="block">
      {niceTicks(...domain, 5).map((tick) => (
        <line key={tick} x1={scale(tick)} x2={scale(tick)} y1="0" y2={halfHeight * 2} stroke="var(--line)" />
      ))}
      {/* One run says nothing about the next. */}
      {stats.scores.length > 1 && (
        <rect
          x={positionOf(low)}
          width={Math.max(1, positionOf(high) - positionOf(low))}
          y={halfHeight - 7}
          height="14"
          rx="2"
          fill="var(--accent)"
          fillOpacity="0.14"
        />
      )}
      <line
        x1={positionOf(stats.mean)}
        x2={positionOf(stats.mean)}
        y1={halfHeight - 9}
        y2={halfHeight + 9}
        stroke="var(--accent)"
        strokeWidth="2"
      />
      {dots.map(({ index, x, y }) => (
        <circle
          key={index}
          cx={x}
          cy={halfHeight + y}
          r={DOT_SIZE / 2 - 0.5}
          fill="var(--surface)"
          stroke="var(--accent)"
          strokeWidth="1.5"
        >
          <title>{`Run ${index + 1}: ${formatScore(stats.scores[index])}`}</title>
        </circle>
      ))}
    </svg>
  )
}

/** Each run of each model as a dot. The shared axis is zoomed in, so its ticks are labelled. */
export function RunStrips({ series }: { series: readonly MultiRunStats[] }) {
  const [container, width] = useWidth<HTMLDivElement>(480)
  const domain = zoomDomain(
    series.flatMap(({ scores, confidence95 }) => [...scores, ...(scores.length > 1 ? confidence95 : [])]),
  )
  const scale = linearScale(domain, [PADDING, width - PADDING])
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="pr-10 pb-1 text-xs text-muted">
        Dot: score of a run. Tick: mean of the runs. Band: its 95 % CI.
      </figcaption>
      <div className="grid grid-cols-[min(12rem,30%)_minmax(0,1fr)] items-center gap-x-3">
        {series.map((stats) => (
          <div key={stats.modelId} className="contents">
            <div className="min-w-0 text-[13px]">
              <CutName name={stats.modelId} />
            </div>
            <StripRow stats={stats} width={width} domain={domain} />
          </div>
        ))}
        <div />
        <div ref={container} className="min-w-0">
          <svg width={width} height="16" className="block text-[11px]" aria-hidden>
            {niceTicks(...domain, 5).map((tick) => (
              <text key={tick} x={scale(tick)} y="12" textAnchor="middle" fill="var(--muted)">
                {formatScoreTick(tick)}
              </text>
            ))}
          </svg>
        </div>
      </div>
    </figure>
  )
}
