import { linearScale, niceTicks, placeStrip, zoomDomain } from '../../../report/charts/index.ts'
import type { MultiRunStats } from '../../../statistics/index.ts'
import { describeInterval, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { useWidth } from './use-width.ts'

const DOT = 8
const EDGE = 14

interface Strip {
  modelId: string
  stats: MultiRunStats
}

function StripRow({
  strip: { modelId, stats },
  width,
  domain,
}: {
  strip: Strip
  width: number
  domain: [number, number]
}) {
  const scale = linearScale(domain, [EDGE, width - EDGE])
  const dots = placeStrip(stats.scores, { scale, diameter: DOT })
  const reach = Math.max(4, ...dots.map(({ y }) => Math.abs(y))) + 12
  const at = (value: number) => scale(Math.max(domain[0], Math.min(domain[1], value)))
  const [low, high] = stats.confidence95
  const label = `${modelId}: ${stats.scores.map((score, index) => `run ${index + 1} ${formatScore(score)}`).join(', ')}; 95 % interval over runs ${describeInterval({ low, high })}`
  return (
    <svg role="img" aria-label={label} width={width} height={reach * 2} className="block">
      {niceTicks(...domain, 5).map((tick) => (
        <line key={tick} x1={scale(tick)} x2={scale(tick)} y1="0" y2={reach * 2} stroke="var(--line)" />
      ))}
      <rect
        x={at(low)}
        width={Math.max(1, at(high) - at(low))}
        y={reach - 7}
        height="14"
        rx="2"
        fill="var(--accent)"
        fillOpacity="0.14"
      />
      <line
        x1={at(stats.mean)}
        x2={at(stats.mean)}
        y1={reach - 9}
        y2={reach + 9}
        stroke="var(--accent)"
        strokeWidth="2"
      />
      {dots.map(({ index, x, y }) => (
        <circle
          key={index}
          cx={x}
          cy={reach + y}
          r={DOT / 2 - 0.5}
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

/** Every run of every model as a dot, on one axis for all; zoomed, so its ends are written. */
export function RunStrips({ strips }: { strips: Strip[] }) {
  const [place, width] = useWidth<HTMLDivElement>(480)
  const domain = zoomDomain(strips.flatMap(({ stats }) => [...stats.scores, ...stats.confidence95]))
  const scale = linearScale(domain, [EDGE, width - EDGE])
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-[13px] text-muted">
        Score of each run: a dot a run, a tick at the mean, the band its 95 % interval over runs.
      </figcaption>
      <div className="grid grid-cols-[minmax(5rem,12rem)_minmax(0,1fr)] items-center gap-x-3">
        {strips.map((strip) => (
          <div key={strip.modelId} className="contents">
            <div className="truncate text-[13px]" title={strip.modelId}>
              {strip.modelId}
            </div>
            <StripRow strip={strip} width={width} domain={domain} />
          </div>
        ))}
        <div />
        <div ref={place} className="min-w-0">
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
