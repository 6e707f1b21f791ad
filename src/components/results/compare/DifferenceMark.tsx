interface DifferenceMarkProps {
  mean: number
  low: number
  high: number
  /** The axis extends this far on either side of 0. */
  reach: number
  label: string
}

/** A difference with its interval, around a line at 0. */
export function DifferenceMark({ mean, low, high, reach, label }: DifferenceMarkProps) {
  const positionOf = (value: number) => `${50 + (Math.max(-reach, Math.min(reach, value)) / reach) * 48}%`
  return (
    <svg role="img" aria-label={label} width="100%" height="20" className="block">
      <line x1="50%" x2="50%" y1="0" y2="20" stroke="var(--line-strong)" />
      <line
        x1={positionOf(low)}
        x2={positionOf(high)}
        y1="10"
        y2="10"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeOpacity="0.55"
      />
      <line
        x1={positionOf(low)}
        x2={positionOf(low)}
        y1="6"
        y2="14"
        stroke="var(--accent)"
        strokeWidth="1.5"
        strokeOpacity="0.55"
      />
      <line
        x1={positionOf(high)}
        x2={positionOf(high)}
        y1="6"
        y2="14"
        stroke="var(--accent)"
        strokeWidth="1.5"
        strokeOpacity="0.55"
      />
      <circle cx={positionOf(mean)} cy="10" r="4" fill="var(--accent)" />
    </svg>
  )
}
