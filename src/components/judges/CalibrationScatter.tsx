import type { Calibration } from '../../server/judges/calibrations.ts'
import { formatScore } from '../../report/words/index.ts'
import { Panel } from '../ui/Page.tsx'

const SIZE = 320
const LEFT = 36
const BOTTOM = 30
const at = (score: number) => LEFT + score * (SIZE - LEFT - 12)
const up = (score: number) => SIZE - BOTTOM - score * (SIZE - BOTTOM - 12)

/** Each sample as a dot: what it is worth against what the judge gave. Samples at the same place are drawn side by side. */
export function CalibrationScatter({ samples }: { samples: Calibration['result']['samples'] }) {
  const seen = new Map<string, number>()
  const dots = samples.flatMap(({ sampleId, expectedScore, actualScore, withinTolerance }) => {
    if (actualScore === undefined) return []
    const key = `${Math.round(expectedScore * 40)} ${Math.round(actualScore * 40)}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return [{ sampleId, expectedScore, actualScore, withinTolerance, shift: nth * 9 }]
  })
  return (
    <Panel className="p-3">
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`${dots.length} samples: expected score across, the judge’s score up`}
        className="mx-auto block w-full max-w-md text-[11px]"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick}>
            <line x1={at(tick)} x2={at(tick)} y1={up(0)} y2={up(1)} stroke="var(--line)" />
            <line x1={at(0)} x2={at(1)} y1={up(tick)} y2={up(tick)} stroke="var(--line)" />
            <text x={at(tick)} y={up(0) + 14} textAnchor="middle" fill="var(--muted)">
              {tick * 100}
            </text>
            <text x={LEFT - 6} y={up(tick) + 4} textAnchor="end" fill="var(--muted)">
              {tick * 100}
            </text>
          </g>
        ))}
        <line x1={at(0)} y1={up(0)} x2={at(1)} y2={up(1)} stroke="var(--line-strong)" strokeDasharray="4 3" />
        {dots.map(({ sampleId, expectedScore, actualScore, withinTolerance, shift }) => (
          <circle
            key={sampleId}
            cx={at(expectedScore) + shift}
            cy={up(actualScore)}
            r="4.5"
            fill={withinTolerance ? 'var(--accent)' : 'var(--surface)'}
            stroke={withinTolerance ? 'var(--accent)' : 'var(--danger)'}
            strokeWidth="2"
          >
            <title>{`${sampleId}: expected ${formatScore(expectedScore)}, given ${formatScore(actualScore)}`}</title>
          </circle>
        ))}
        <text x={(at(0) + at(1)) / 2} y={SIZE - 2} textAnchor="middle" fill="var(--muted)">
          expected
        </text>
        <text transform={`translate(9 ${(up(0) + up(1)) / 2}) rotate(-90)`} textAnchor="middle" fill="var(--muted)">
          given
        </text>
      </svg>
      <p className="text-center text-xs text-muted">filled: within its tolerance · ring: outside</p>
    </Panel>
  )
}
