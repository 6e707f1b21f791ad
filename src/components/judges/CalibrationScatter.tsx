import { useRef } from 'react'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { formatScore } from '../../report/words/index.ts'
import { copySvg } from '../ui/charts/chart-file.ts'
import { ChartMenu } from '../ui/charts/ChartMenu.tsx'
import { Panel } from '../ui/Page.tsx'

const SIZE = 320
/** Between dots in the same place; they are drawn towards the middle, where there is room. */
const STEP = 11
/** The labels of the ticks stand clear of dots on the axes. */
const TICK_GAP = 10
const LEFT = 42
const BOTTOM = 36
const toX = (score: number) => LEFT + score * (SIZE - LEFT - 12)
const toY = (score: number) => SIZE - BOTTOM - score * (SIZE - BOTTOM - 12)

/** Each sample as a dot: its expected score against the judge's. Dots in the same place are drawn side by side. */
export function CalibrationScatter({ samples }: { samples: Calibration['result']['samples'] }) {
  const chart = useRef<SVGSVGElement>(null)
  const seen = new Map<string, number>()
  const dots = samples.flatMap(({ sampleId, expectedScore, actualScore, withinTolerance }) => {
    if (actualScore === undefined) return []
    const key = `${Math.round(expectedScore * 40)} ${Math.round(actualScore * 40)}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return [
      { sampleId, expectedScore, actualScore, withinTolerance, shift: nth * (expectedScore > 0.5 ? -STEP : STEP) },
    ]
  })
  return (
    <Panel className="flex flex-col p-3">
      <span className="self-end">
        <ChartMenu name="calibration" draw={() => (chart.current ? copySvg(chart.current) : undefined)} />
      </span>
      <svg
        ref={chart}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`${dots.length} samples: expected score on the x axis, the judge’s score on the y axis`}
        className="mx-auto block w-full max-w-md text-[11px]"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick}>
            <line x1={toX(tick)} x2={toX(tick)} y1={toY(0)} y2={toY(1)} stroke="var(--line)" />
            <line x1={toX(0)} x2={toX(1)} y1={toY(tick)} y2={toY(tick)} stroke="var(--line)" />
            <text x={toX(tick)} y={toY(0) + TICK_GAP + 9} textAnchor="middle" fill="var(--muted)">
              {tick * 100}
            </text>
            <text x={LEFT - TICK_GAP} y={toY(tick) + 4} textAnchor="end" fill="var(--muted)">
              {tick * 100}
            </text>
          </g>
        ))}
        <line x1={toX(0)} y1={toY(0)} x2={toX(1)} y2={toY(1)} stroke="var(--line-strong)" strokeDasharray="4 3" />
        {dots.map(({ sampleId, expectedScore, actualScore, withinTolerance, shift }) => (
          <circle
            key={sampleId}
            cx={toX(expectedScore) + shift}
            cy={toY(actualScore)}
            r="4.5"
            fill={withinTolerance ? 'var(--accent)' : 'var(--surface)'}
            stroke={withinTolerance ? 'var(--accent)' : 'var(--danger)'}
            strokeWidth="2"
          >
            <title>{`${sampleId}: expected ${formatScore(expectedScore)}, judge ${formatScore(actualScore)}`}</title>
          </circle>
        ))}
        <text x={(toX(0) + toX(1)) / 2} y={SIZE - 2} textAnchor="middle" fill="var(--muted)">
          expected
        </text>
        <text transform={`translate(9 ${(toY(0) + toY(1)) / 2}) rotate(-90)`} textAnchor="middle" fill="var(--muted)">
          judge
        </text>
      </svg>
      <p className="text-center text-xs text-muted">filled: within tolerance · ring: outside</p>
    </Panel>
  )
}
