import { nameBriefly } from '../words/names.ts'
import { linearScale, logScale, logTicks, niceTicks, zoomDomain, type Scale } from './scale.ts'

export interface ScatterPoint {
  id: string
  /** Cost or time: 0 or more. */
  x: number
  /** Its interval, if it has one. */
  xLow?: number | undefined
  xHigh?: number | undefined
  /** A score with its interval, 0 to 1. */
  mean: number
  low: number
  high: number
}

export interface ScatterBox {
  width: number
  height: number
  /** Space around the points for axes and their labels. */
  margin: { top: number; right: number; bottom: number; left: number }
}

interface PlacedPoint {
  id: string
  x: number
  y: number
  yLow: number
  yHigh: number
  /** The same as `x` without an interval. */
  xLow: number
  xHigh: number
  /** Absent if there was no free space: the point is then identified by its number. */
  label?: { text: string; x: number; y: number; anchor: 'start' | 'middle' | 'end' }
}

interface Scatter {
  points: PlacedPoint[]
  xTicks: { value: number; at: number }[]
  yTicks: { value: number; at: number }[]
  isLog: boolean
}

/** Above this ratio, a linear axis would squeeze cheap models into a corner. */
const LOG_FROM_RATIO = 20
/** Estimated sizes of the label font in pixels: text cannot be measured here. */
const LETTER_WIDTH = 7
const LINE_HEIGHT = 13
const MAX_LABEL_LENGTH = 24
const DOT_RADIUS = 5
/** Space on a logarithmic axis for models that cost nothing. */
const ZERO_BAND = 36
/** Room for the label of a tick on the x axis: `$0.0001`, `100 ms`. */
const TICK_WIDTH = 54

interface Rectangle {
  left: number
  right: number
  top: number
  bottom: number
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** Leaves out ticks whose labels would run into those before them. */
function keepApart(ticks: Scatter['xTicks']): Scatter['xTicks'] {
  let free = -Infinity
  return ticks.filter(({ at }) => {
    if (at < free) return false
    free = at + TICK_WIDTH
    return true
  })
}

function makeXAxis(
  values: number[],
  [start, end]: [number, number],
): { scale: Scale; ticks: Scatter['xTicks']; isLog: boolean } {
  const positive = values.filter((value) => value > 0)
  const [min, max] = [Math.min(...positive), Math.max(...positive)]
  if (positive.length > 0 && max / min > LOG_FROM_RATIO) {
    const hasZero = positive.length < values.length
    const from = hasZero ? start + ZERO_BAND : start
    const [low, high] = [min / 1.4, max * 1.4]
    const log = logScale([low, high], [from, end])
    const ticks = logTicks(low, high).map((value) => ({ value, at: log(value) }))
    return {
      scale: (value) => (value > 0 ? log(value) : start),
      ticks: keepApart(hasZero ? [{ value: 0, at: start }, ...ticks] : ticks),
      isLog: true,
    }
  }
  const high = positive.length === 0 ? 1 : max * 1.08
  const linear = linearScale([0, high], [start, end])
  return { scale: linear, ticks: niceTicks(0, high, 4).map((value) => ({ value, at: linear(value) })), isLog: false }
}

type Label = NonNullable<PlacedPoint['label']>

function labelPlaces(text: string, x: number, y: number): { label: Label; box: Rectangle }[] {
  const width = text.length * LETTER_WIDTH
  const gap = DOT_RADIUS + 4
  const place = (anchor: Label['anchor'], left: number, middle: number) => ({
    label: {
      text,
      anchor,
      x: anchor === 'start' ? left : anchor === 'end' ? left + width : left + width / 2,
      y: middle + 4,
    },
    box: { left, right: left + width, top: middle - LINE_HEIGHT / 2, bottom: middle + LINE_HEIGHT / 2 },
  })
  return [
    place('start', x + gap, y),
    place('end', x - gap - width, y),
    place('start', x + gap, y - LINE_HEIGHT),
    place('start', x + gap, y + LINE_HEIGHT),
    place('end', x - gap - width, y - LINE_HEIGHT),
    place('end', x - gap - width, y + LINE_HEIGHT),
  ]
}

/**
 * Score against cost or time. Labels cover neither a point nor another label, and no interval where there is room; the
 * best model is placed first.
 */
export function placeScatter(points: readonly ScatterPoint[], { width, height, margin }: ScatterBox): Scatter {
  const area = { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom }
  const {
    scale: xScale,
    ticks: xTicks,
    isLog,
  } = makeXAxis(
    points.flatMap(({ x, xLow = x, xHigh = x }) => [x, xLow, xHigh]),
    [area.left, area.right],
  )
  const domain = zoomDomain(points.flatMap(({ low, high }) => [low, high]))
  const yScale = linearScale(domain, [area.bottom, area.top])

  const dots = points.map(({ id, x, xLow = x, xHigh = x, mean, low, high }) => ({
    id,
    x: xScale(x),
    xLow: xScale(xLow),
    xHigh: xScale(xHigh),
    y: yScale(mean),
    yLow: yScale(low),
    yHigh: yScale(high),
  }))
  const taken: Rectangle[] = dots.map(({ x, y }) => ({
    left: x - DOT_RADIUS,
    right: x + DOT_RADIUS,
    top: y - DOT_RADIUS,
    bottom: y + DOT_RADIUS,
  }))
  // A name beside the dot would cover an interval that lies there.
  for (const { xLow, xHigh, y } of dots)
    if (xHigh > xLow) taken.push({ left: xLow, right: xHigh, top: y - 2, bottom: y + 2 })
  const intervals = dots.map(({ x, yLow, yHigh }) => ({ left: x - 2, right: x + 2, top: yHigh, bottom: yLow }))
  const nameOf = nameBriefly(
    points.map(({ id }) => id),
    MAX_LABEL_LENGTH,
  )
  const isInside = (box: Rectangle) =>
    box.left >= area.left - 2 && box.right <= width - 2 && box.top >= 0 && box.bottom <= area.bottom
  const placed = dots.map((dot): PlacedPoint => {
    const places = labelPlaces(nameOf(dot.id), dot.x, dot.y).filter(
      ({ box }) => isInside(box) && !taken.some((other) => overlap(box, other)),
    )
    const free = places.find(({ box }) => !intervals.some((line) => overlap(box, line))) ?? places[0]
    if (!free) return dot
    taken.push(free.box)
    return { ...dot, label: free.label }
  })
  return {
    points: placed,
    xTicks,
    yTicks: niceTicks(domain[0], domain[1], 4).map((value) => ({ value, at: yScale(value) })),
    isLog,
  }
}

/** The points that no other beats: as cheap or cheaper, and better. */
export function findFrontier(points: readonly Pick<ScatterPoint, 'id' | 'x' | 'mean'>[]): Set<string> {
  let best = -Infinity
  const frontier = new Set<string>()
  for (const { id, mean } of points.toSorted((a, b) => a.x - b.x || b.mean - a.mean)) {
    if (mean <= best) continue
    best = mean
    frontier.add(id)
  }
  return frontier
}
