/** How numbers read: the same everywhere. Scores are 0 to 1 inside and 0 to 100 on screen. */

export function formatScore(score: number | undefined | null): string {
  return score === undefined || score === null || Number.isNaN(score) ? '–' : (score * 100).toFixed(1)
}

/** With a real minus and always a sign: a difference. */
export function formatDifference(difference: number): string {
  const points = (Math.abs(difference) * 100).toFixed(1)
  return `${difference < 0 ? '−' : '+'}${points}`
}

export function formatInterval(low: number, high: number): string {
  return `${formatScore(low)} to ${formatScore(high)}`
}

export function formatP(p: number | null | undefined): string {
  if (p === null || p === undefined || Number.isNaN(p)) return '–'
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

export function formatCost(dollars: number, unknown = 0): string {
  const known = dollars === 0 ? '$0' : dollars < 0.01 ? `$${dollars.toPrecision(2)}` : `$${dollars.toFixed(2)}`
  if (unknown === 0) return known
  return dollars === 0 ? 'unknown' : `${known} + unknown`
}

export function formatDuration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function formatTime(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return new Date(milliseconds).toLocaleString(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** `1 case`, `2 cases` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Names of simulated models say so; a name may be 200 characters long, so screens cut it and keep it whole in `title`. */
export function isSimulated(modelId: string): boolean {
  return modelId.startsWith('demo/')
}
