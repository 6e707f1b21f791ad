interface IntervalBarProps {
  mean: number
  low: number
  high: number
  /** Where a value lies on the axis, as a percentage of the width. */
  positionOf(value: number): string
}

/** A dot with its interval, inside an SVG of height 20. */
export function IntervalBar({ mean, low, high, positionOf }: IntervalBarProps) {
  return (
    <>
      <line
        x1={positionOf(low)}
        x2={positionOf(high)}
        y1="10"
        y2="10"
        stroke="var(--interval)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <circle cx={positionOf(mean)} cy="10" r="6" fill="var(--accent)" stroke="var(--surface)" strokeWidth="2" />
    </>
  )
}
