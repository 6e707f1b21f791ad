/**
 * How numbers are written, for every room: errors and notes of the rooms below the report use these, and
 * `src/report/words/numbers.ts` builds on them.
 */

/** A fixed number of decimals, thousands separators and a real minus sign; zero has no sign. */
export function writeNumber(value: number, digits = 0): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** `1 case`, `1,234 cases` */
export function countNoun(count: number, one: string, many = `${one}s`): string {
  return `${writeNumber(count)} ${count === 1 ? one : many}`
}

/** With its sign if it is negative: −0.041 → `−4.1 points`. */
export function writePoints(share: number): string {
  const points = writeNumber(share * 100, 1)
  return `${points} ${/^−?1\.0$/.test(points) ? 'point' : 'points'}`
}

/** 0.123 → `12.3 %` */
export function writePercent(share: number, digits = 1): string {
  return `${writeNumber(share * 100, digits)} %`
}

/** The bounds of a share or a difference: `8.3 to 12.0` */
export function writeInterval({ low, high }: { low: number; high: number }, digits = 1): string {
  return `${writeNumber(low * 100, digits)} to ${writeNumber(high * 100, digits)}`
}

/** 1536 → `1.5 KB` */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${writeNumber(value, 1)} ${units[unit]}`
}
