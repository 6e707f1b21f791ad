import { IntervalBar } from './IntervalBar.tsx'

interface IntervalMarkProps {
  mean: number
  low: number
  high: number
  /** Defaults to 0 to 1; a zoomed chart passes its own. */
  domain?: [number, number]
  /** For screen readers. */
  label: string
  /** The grid lines of all rows meet. */
  isTall?: boolean
}

const FULL_RANGE: [number, number] = [0, 1]

/** A dot with its interval on a shared axis, for one row of a leaderboard. Grid lines are at quarters. */
export function IntervalMark({ mean, low, high, domain = FULL_RANGE, label, isTall }: IntervalMarkProps) {
  const positionOf = (value: number) =>
    `${((Math.min(domain[1], Math.max(domain[0], value)) - domain[0]) / (domain[1] - domain[0])) * 100}%`
  return (
    <svg role="img" aria-label={label} width="100%" height="20" className="block overflow-visible">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <line
          key={share}
          x1={`${share * 100}%`}
          x2={`${share * 100}%`}
          y1={isTall ? -11 : 0}
          y2={isTall ? 31 : 20}
          stroke="var(--grid)"
        />
      ))}
      <IntervalBar mean={mean} low={low} high={high} positionOf={positionOf} />
    </svg>
  )
}
