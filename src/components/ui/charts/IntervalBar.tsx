interface IntervalBarProps {
  mean: number
  low: number
  high: number
  /** Where a value lies on the axis, as a percentage of the width. */
  positionOf(value: number): string
}

/** A dot with its interval and the ends of it, inside an SVG of height 20. */
export function IntervalBar({ mean, low, high, positionOf }: IntervalBarProps) {
  const line = { stroke: 'var(--accent)', strokeOpacity: '0.55' }
  return (
    <>
      <line x1={positionOf(low)} x2={positionOf(high)} y1="10" y2="10" strokeWidth="2" {...line} />
      {['low', 'high'].map((end) => {
        const position = positionOf(end === 'low' ? low : high)
        return <line key={end} x1={position} x2={position} y1="6" y2="14" strokeWidth="1.5" {...line} />
      })}
      <circle cx={positionOf(mean)} cy="10" r="4" fill="var(--accent)" />
    </>
  )
}
