// oxlint-disable house/no-number-format -- The reader's zone and language are known only here.

/** A time in the reader's zone and language. Reports, which are shared, use UTC instead. */
export function formatLocalTime(milliseconds: number | undefined, { withSeconds = false } = {}): string {
  if (milliseconds === undefined) return '–'
  return new Date(milliseconds).toLocaleString(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
  })
}

/** `12 Nov, 14:03` */
export function formatShortLocalTime(milliseconds: number, { withSeconds = false } = {}): string {
  return new Date(milliseconds).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
  })
}

export function formatLocalDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
}

export function formatLocalClock(milliseconds: number, { withSeconds = false } = {}): string {
  return new Date(milliseconds).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
  })
}
