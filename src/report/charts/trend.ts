import { boundedScale, linearScale } from './scale.ts'

/** A score of one model, 0 to 1. */
export interface TrendMark {
  mean: number
  low: number
  high: number
  /** Only complete scores over the same cases are joined. */
  isComplete: boolean
  caseSet: number
}

interface PlacedMark {
  /** Index into the given points. */
  index: number
  x: number
  y: number
  yLow: number
  yHigh: number
  isComplete: boolean
}

interface TrendLine {
  from: { x: number; y: number }
  to: { x: number; y: number }
}

export interface TrendBox {
  width: number
  height: number
  padding: number
  domain: [number, number]
}

/** Where the points lie: evenly, because runs come in bursts and a time axis would hide them behind each other. */
export function placeTrendPoints(count: number, { width, padding }: Pick<TrendBox, 'width' | 'padding'>): number[] {
  const scale = linearScale([0, Math.max(0, count - 1)], [padding, width - padding])
  return Array.from({ length: count }, (_, index) => scale(index))
}

/** One model over time: a dot with its interval for each point that has a score, joined where they can be compared. */
export function placeTrend(
  marks: readonly (TrendMark | undefined)[],
  box: TrendBox,
): { dots: PlacedMark[]; lines: TrendLine[] } {
  const { height, padding, domain } = box
  const xs = placeTrendPoints(marks.length, box)
  const within = boundedScale(domain, [height - padding, padding])
  const dots: PlacedMark[] = []
  const lines: TrendLine[] = []
  const lastOfSet = new Map<number, PlacedMark>()
  for (const [index, mark] of marks.entries()) {
    if (!mark) continue
    const { mean, low, high, isComplete, caseSet } = mark
    const dot = { index, x: xs[index]!, y: within(mean), yLow: within(low), yHigh: within(high), isComplete }
    dots.push(dot)
    if (!isComplete) continue
    const before = lastOfSet.get(caseSet)
    if (before) lines.push({ from: { x: before.x, y: before.y }, to: { x: dot.x, y: dot.y } })
    lastOfSet.set(caseSet, dot)
  }
  return { dots, lines }
}

/** The points to date, from the newest back, so far apart that the dates do not touch. */
export function chooseTrendTicks(xs: readonly number[], minDistance: number): number[] {
  const chosen: number[] = []
  for (let index = xs.length - 1; index >= 0; index--) {
    const last = chosen.at(-1)
    if (last === undefined || xs[last]! - xs[index]! >= minDistance) chosen.push(index)
  }
  return chosen.reverse()
}
