/**
 * How numbers are shown everywhere: terminal, screens, reports and messages. Scores, differences and shares are 0 to 1
 * internally and 0 to 100 when shown. Missing values (undefined, NaN, or null, which is NaN in JSON) are shown as a
 * dash, an unknown cost as `unknown`.
 */

import { countNoun, writeNumber, writePercent, writePoints } from '../../contract/index.ts'

type Maybe = number | null | undefined

const NONE = '–'

function exists(value: Maybe): value is number {
  return value !== null && value !== undefined && Number.isFinite(value)
}

/** 0.8523 → `85.2` */
export function formatScore(score: Maybe): string {
  return exists(score) ? writeNumber(score * 100, 1) : NONE
}

/** A score on an axis with ticks at whole points: 0.85 → `85` */
export function formatScoreTick(score: number): string {
  return writeNumber(score * 100, 0)
}

/** A zoomed axis makes small differences look large: it is said. */
export function describeZoom([from, to]: readonly [number, number]): string {
  return from === 0 && to === 1 ? '' : ' The axis is zoomed in.'
}

/** With its sign: −0.041 → `−4.1`, 0.041 → `+4.1` */
export function formatDifference(difference: Maybe): string {
  const text = formatScore(difference)
  return exists(difference) && difference > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** The size of a difference: −0.041 → `4.1 points` */
export function formatPoints(difference: number): string {
  return writePoints(Math.abs(difference))
}

/** `12 points`, `1 point`: of points that are written already. */
export function formatGapPoints(points: string): string {
  return `${points} ${points === '1' ? 'point' : 'points'}`
}

/** A difference that somebody chose, as they wrote it: 0.02 → `2 points`, 0.01 → `1 point` */
export function formatMargin(margin: number): string {
  return formatGapPoints(writeNumber(margin * 100, 1).replace(/\.0$/, ''))
}

/** 0.123 → `12.3 %` */
export function formatPercent(share: Maybe, digits = 1): string {
  return exists(share) ? writePercent(share, digits) : NONE
}

/** `82.1 to 88.3`, of scores or of differences. */
export function describeInterval(interval: { low: number; high: number } | readonly [number, number]): string {
  const [low, high] = 'low' in interval ? [interval.low, interval.high] : interval
  return `${formatScore(low)} to ${formatScore(high)}`
}

/** Two decimals from $0.10; below that, two significant digits. Money has at most 12 decimals. */
function writeDollars(dollars: number): string {
  if (dollars === 0) return '$0'
  const rounded = dollars < 0.1 ? Number(dollars.toPrecision(2)) : dollars
  if (rounded >= 0.1) return `$${writeNumber(rounded, 2)}`
  return `$${rounded.toFixed(12).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

/**
 * US dollars: 5.5 → `$5.50`, 0.00012 → `$0.00012`. `unknown` counts requests whose cost is not in the sum: `$1.20, plus 3
 * unpriced requests`, or just `unknown` if no cost is known.
 */
export function formatCost(dollars: Maybe, unknown = 0): string {
  if (!exists(dollars) || (dollars === 0 && unknown > 0)) return 'unknown'
  return unknown > 0
    ? `${writeDollars(dollars)}, plus ${formatCount(unknown, 'unpriced request')}`
    : writeDollars(dollars)
}

/** Where there is little room: `over $1.20` if the cost of some requests is unknown. */
export function formatLeastCost(dollars: number, unknown: number): string {
  return dollars > 0 && unknown > 0 ? `over ${writeDollars(dollars)}` : formatCost(dollars, unknown)
}

/** In a sentence or a list of facts, where nothing else says that it is a cost: `$1.20`, `cost unknown` */
export function describeCost(dollars: Maybe, unknown = 0): string {
  const cost = formatCost(dollars, unknown)
  return cost === 'unknown' ? 'cost unknown' : cost
}

/** `$0.20 spent`, `$0.20 spent, and up to $1.10 more by requests whose cost is unknown` */
export function describeSpending({ spent, assumed }: { spent: number; assumed: number }): string {
  const known = `${formatCost(spent)} spent`
  return assumed > 0 ? `${known}, and up to ${formatCost(assumed)} more by requests whose cost is unknown` : known
}

/** The cost of a model or a whole report; a sum of 0 without any known cost is `unknown`. */
export function formatSpent({
  cost,
  isCostKnown,
}: {
  cost: { total: number; unknown: number }
  isCostKnown: boolean
}): string {
  return isCostKnown ? formatCost(cost.total, cost.unknown) : 'unknown'
}

function decimalsOf(value: number): number {
  return value.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0
}

/** The costs on an axis, all with as many decimals as the finest needs, so that no two ticks look the same. */
export function formatCosts(dollars: readonly number[]): string[] {
  const digits = Math.max(2, ...dollars.map((value) => decimalsOf(Number(value.toPrecision(3)))))
  return dollars.map((value) => (value === 0 ? '$0' : `$${writeNumber(value, digits)}`))
}

/** The price of a million tokens, from the price of one: 1.25e-7 → `$0.125`. Up to four significant digits. */
export function formatPrice(dollarsPerToken: Maybe): string {
  if (!exists(dollarsPerToken)) return 'unknown'
  const dollars = Number((dollarsPerToken * 1_000_000).toPrecision(4))
  if (dollars === 0) return '$0'
  return `$${writeNumber(dollars, Math.max(2, decimalsOf(dollars)))}`
}

/** `p = 0.031`, `p < 0.001` */
export function formatP(p: Maybe): string {
  if (!exists(p)) return `p ${NONE}`
  return p < 0.001 ? 'p < 0.001' : `p = ${writeNumber(p, 3)}`
}

/** A statistic without a unit, such as an effect size or a correlation: −1.234 → `−1.23` */
export function formatStatistic(value: Maybe, digits = 2): string {
  return exists(value) ? writeNumber(value, digits) : NONE
}

/** 1042.3 → `1,042`: points of a rating, around 1000. */
export function formatRating(points: Maybe): string {
  return exists(points) ? writeNumber(points, 0) : NONE
}

/** Points of a rating with a sign: 34.6 → `+35` */
export function formatRatingChange(points: number): string {
  return `${Math.round(points) > 0 ? '+' : ''}${formatRating(points)}`
}

/** 850 → `850 ms`, 12345 → `12.3 s`, 75000 → `1 min 15 s`, 3900000 → `1 h 5 min` */
export function formatDuration(milliseconds: Maybe): string {
  if (!exists(milliseconds)) return NONE
  if (Math.round(milliseconds) < 1000) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  return tenths < 600 ? `${writeNumber(tenths / 10, 1)} s` : writeMinutes(Math.round(milliseconds / 1000))
}

/** The durations on an axis in one unit, with as many decimals as the finest needs, so that no two look the same. */
export function formatDurations(milliseconds: readonly number[]): string[] {
  const longest = Math.max(0, ...milliseconds)
  if (longest >= 60_000) return milliseconds.map(formatDuration)
  const [unit, size] = longest < 1000 ? ['ms', 1] : ['s', 1000]
  const digits = Math.max(0, ...milliseconds.map((value) => decimalsOf(Number((value / size).toPrecision(3)))))
  return milliseconds.map((value) => `${writeNumber(value / size, value === 0 ? 0 : digits)} ${unit}`)
}

/** Whole seconds, rounded up: tenths would suggest too much precision. */
export function formatTimeLeft(milliseconds: Maybe): string {
  if (!exists(milliseconds)) return NONE
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return seconds < 60 ? `${seconds} s` : writeMinutes(seconds)
}

function writeMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** 4.2 → `4.2 answers/s`, 0.5 → `30.0 answers/min` */
export function formatRate(perSecond: number): string {
  return perSecond >= 1 ? `${writeNumber(perSecond, 1)} answers/s` : `${writeNumber(perSecond * 60, 1)} answers/min`
}

/** `2026-11-15 03:24 UTC`; undefined for an invalid time. */
export function formatTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Short enough to stand beside a name: `15 Nov 03:24 UTC`; undefined for an invalid time. */
export function formatShortTime(milliseconds: number, { withSeconds = false } = {}): string | undefined {
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) return undefined
  const clock = date.toISOString().slice(11, withSeconds ? 19 : 16)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${clock} UTC`
}

/** `1,234`; with a noun `1 case`, `1,234 cases`. */
export function formatCount(count: number, one?: string, many = `${one}s`): string {
  if (!Number.isFinite(count)) return one === undefined ? NONE : `${NONE} ${many}`
  return one === undefined ? writeNumber(count) : countNoun(count, one, many)
}

/** A count that is not always known. */
export function formatKnownCount(count: number | null): string {
  return count === null ? '–' : formatCount(count)
}

/** A model's context length as providers write it: 128000 → `128K`, 1048576 → `1.05M` */
export function formatContext(tokens: Maybe): string {
  if (!exists(tokens)) return 'unknown'
  if (tokens < 1000) return String(tokens)
  if (Math.round(tokens / 1000) < 1000) return `${Math.round(tokens / 1000)}K`
  return `${Number((tokens / 1_000_000).toFixed(2))}M`
}

/** `1–3`, the ranks that a model may have; one number if there is no doubt. */
export function formatRank(rank: { best: number; worst: number } | undefined): string {
  if (!rank) return '–'
  return rank.best === rank.worst ? String(rank.best) : `${rank.best}–${rank.worst}`
}

/** `$0.25`, `$0.10 for this group`, `cost unknown` */
export function describeTotal(report: Parameters<typeof formatSpent>[0], { isGroup }: { isGroup: boolean }): string {
  const spent = formatSpent(report)
  return spent === 'unknown' ? 'cost unknown' : `${spent}${isGroup ? ' for this group' : ''}`
}

/** `1:05` after the start. */
export function formatOffset(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** In whole points; but only what is 0 or 100 is shown as that. */
export function formatWholeScore(score: number): string {
  const isEnd = score === 0 || score === 1
  return isEnd || /^(?:0|100)$/.test(formatScoreTick(score))
    ? formatScore(score).replace(/\.0$/, '')
    : formatScoreTick(score)
}
