interface IntervalMarkProps {
  mean: number
  low: number
  high: number
  /** 0 to 1 unless a chart zooms in. */
  domain?: [number, number]
  /** In words, for those who cannot see it. */
  label: string
}

const WHOLE: [number, number] = [0, 1]

/** A dot with its interval on a shared axis: the row of a leaderboard. Grid lines at quarters. */
export function IntervalMark({ mean, low, high, domain = WHOLE, label }: IntervalMarkProps) {
  const at = (value: number) =>
    `${((Math.min(domain[1], Math.max(domain[0], value)) - domain[0]) / (domain[1] - domain[0])) * 100}%`
  return (
    <svg role="img" aria-label={label} width="100%" height="20" className="block overflow-visible">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <line key={share} x1={`${share * 100}%`} x2={`${share * 100}%`} y1="0" y2="20" stroke="var(--line)" />
      ))}
      <line x1={at(low)} x2={at(high)} y1="10" y2="10" stroke="var(--accent)" strokeWidth="2" strokeOpacity="0.55" />
      <line x1={at(low)} x2={at(low)} y1="6" y2="14" stroke="var(--accent)" strokeWidth="1.5" strokeOpacity="0.55" />
      <line x1={at(high)} x2={at(high)} y1="6" y2="14" stroke="var(--accent)" strokeWidth="1.5" strokeOpacity="0.55" />
      <circle cx={at(mean)} cy="10" r="4" fill="var(--accent)" />
    </svg>
  )
}
