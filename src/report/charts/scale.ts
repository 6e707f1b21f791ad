/** Maps a data value to a position in the drawing. */
export type Scale = (value: number) => number

export function linearScale([from, to]: [number, number], [start, end]: [number, number]): Scale {
  const span = to - from
  return (value) => (span === 0 ? (start + end) / 2 : start + ((value - from) / span) * (end - start))
}

/** As `linearScale`; values beyond the domain lie at its ends. */
export function boundedScale([from, to]: [number, number], range: [number, number]): Scale {
  const scale = linearScale([from, to], range)
  return (value) => scale(Math.min(to, Math.max(from, value)))
}

/** Round numbers that cover the range in about `count` steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(from: number, to: number, count = 5): number[] {
  if (!Number.isFinite(from) || !Number.isFinite(to) || to <= from) return [from]
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough - power * 1e-9) ?? 10 * power
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** For positive values that span several powers of ten. */
export function logScale([from, to]: [number, number], range: [number, number]): Scale {
  const linear = linearScale([Math.log(from), Math.log(to)], range)
  return (value) => linear(Math.log(value))
}

/** The powers of ten in the range; if there are fewer than three, also 2 and 5 times them. */
export function logTicks(from: number, to: number): number[] {
  if (!(from > 0) || !(to >= from) || !Number.isFinite(to)) return []
  const powers = Array.from(
    { length: Math.floor(Math.log10(to)) - Math.floor(Math.log10(from)) + 1 },
    (_, index) => Math.floor(Math.log10(from)) + index,
  )
  const inside = (factors: number[]) =>
    powers
      .flatMap((power) => factors.map((factor) => Number((factor * 10 ** power).toPrecision(12))))
      .filter((tick) => tick >= from && tick <= to)
  const decades = inside([1])
  return decades.length >= 3 ? decades : inside([1, 2, 5])
}

/**
 * The part of 0 to 1 that contains the scores, with round ends, so that small differences are visible. At least 0.1
 * wide: zooming in on noise would mislead.
 */
export function zoomDomain(scores: readonly number[]): [number, number] {
  const finite = scores.filter((score) => Number.isFinite(score))
  if (finite.length === 0) return [0, 1]
  const [min, max] = [Math.min(...finite), Math.max(...finite)]
  const step = max - min > 0.4 ? 0.1 : 0.05
  let from = Math.max(0, Math.floor(min / step + 1e-9) * step)
  let to = Math.min(1, Math.ceil(max / step - 1e-9) * step)
  while (to - from < 0.1 - 1e-9) {
    from = Math.max(0, from - step)
    to = Math.min(1, to + step)
  }
  return [Number(from.toFixed(2)), Number(to.toFixed(2))]
}
