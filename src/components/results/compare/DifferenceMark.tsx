import { IntervalBar } from '../../ui/charts/IntervalBar.tsx'

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
      <IntervalBar mean={mean} low={low} high={high} positionOf={positionOf} />
    </svg>
  )
}
