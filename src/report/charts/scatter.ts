import { linearScale, logScale, logTicks, niceTicks, zoomDomain, type Scale } from './scale.ts'

export interface ScatterPoint {
  id: string
  /** Cost or time: 0 or more. */
  x: number
  /** A score with its interval, 0 to 1. */
  mean: number
  low: number
  high: number
}

export interface ScatterBox {
  width: number
  height: number
  /** Around the area of the points, for axes and their numbers. */
  margin: { top: number; right: number; bottom: number; left: number }
}

interface PlacedPoint {
  id: string
  x: number
  y: number
  yLow: number
  yHigh: number
  /** Absent where no place was free: the point then goes by its number. */
  label?: { text: string; x: number; y: number; anchor: 'start' | 'middle' | 'end' }
}

interface Scatter {
  points: PlacedPoint[]
  xTicks: { value: number; at: number }[]
  yTicks: { value: number; at: number }[]
  isLog: boolean
}

/** From this ratio on, a linear axis would press the cheap ones into its corner. */
const LOG_FROM_RATIO = 20
/** Of the labels' font, in pixels: widths are estimated, since nothing is measured here. */
const LETTER = 6.3
const LINE = 13
const LONGEST_LABEL = 24
const DOT = 5
/** What a logarithmic axis keeps free for those that cost nothing. */
const ZERO_BAND = 36

interface Rectangle {
  left: number
  right: number
  top: number
  bottom: number
}

function meets(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

function makeXAxis(
  values: number[],
  [start, end]: [number, number],
): { scale: Scale; ticks: Scatter['xTicks']; isLog: boolean } {
  const positive = values.filter((value) => value > 0)
  const [least, most] = [Math.min(...positive), Math.max(...positive)]
  if (positive.length > 0 && most / least > LOG_FROM_RATIO) {
    const hasZero = positive.length < values.length
    const from = hasZero ? start + ZERO_BAND : start
    const [low, high] = [least / 1.4, most * 1.4]
    const log = logScale([low, high], [from, end])
    const ticks = logTicks(low, high).map((value) => ({ value, at: log(value) }))
    return {
      scale: (value) => (value > 0 ? log(value) : start),
      ticks: hasZero ? [{ value: 0, at: start }, ...ticks] : ticks,
      isLog: true,
    }
  }
  const high = positive.length === 0 ? 1 : most * 1.08
  const linear = linearScale([0, high], [start, end])
  return { scale: linear, ticks: niceTicks(0, high, 4).map((value) => ({ value, at: linear(value) })), isLog: false }
}

/** Keeps both ends: the end of a model's name often is what sets it apart. */
function shorten(text: string): string {
  if (text.length <= LONGEST_LABEL) return text
  return `${text.slice(0, LONGEST_LABEL / 2 - 1)}…${text.slice(-LONGEST_LABEL / 2)}`
}

type Label = NonNullable<PlacedPoint['label']>

function labelPlaces(text: string, x: number, y: number): { label: Label; box: Rectangle }[] {
  const width = text.length * LETTER
  const gap = DOT + 4
  const place = (anchor: Label['anchor'], left: number, middle: number) => ({
    label: {
      text,
      anchor,
      x: anchor === 'start' ? left : anchor === 'end' ? left + width : left + width / 2,
      y: middle + 4,
    },
    box: { left, right: left + width, top: middle - LINE / 2, bottom: middle + LINE / 2 },
  })
  return [
    place('start', x + gap, y),
    place('end', x - gap - width, y),
    place('start', x + gap, y - LINE),
    place('start', x + gap, y + LINE),
    place('end', x - gap - width, y - LINE),
    place('end', x - gap - width, y + LINE),
  ]
}

/** Score against cost or time. Labels go where they cover neither a point nor another label; the best model chooses first. */
export function placeScatter(points: readonly ScatterPoint[], { width, height, margin }: ScatterBox): Scatter {
  const area = { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom }
  const {
    scale: xScale,
    ticks: xTicks,
    isLog,
  } = makeXAxis(
    points.map(({ x }) => x),
    [area.left, area.right],
  )
  const domain = zoomDomain(points.flatMap(({ low, high }) => [low, high]))
  const yScale = linearScale(domain, [area.bottom, area.top])

  const dots = points.map(({ id, x, mean, low, high }) => ({
    id,
    x: xScale(x),
    y: yScale(mean),
    yLow: yScale(low),
    yHigh: yScale(high),
  }))
  const taken: Rectangle[] = dots.map(({ x, y }) => ({ left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT }))
  const isInside = (box: Rectangle) =>
    box.left >= area.left - 2 && box.right <= width - 2 && box.top >= 0 && box.bottom <= area.bottom
  const placed = dots.map((dot): PlacedPoint => {
    const free = labelPlaces(shorten(dot.id), dot.x, dot.y).find(
      ({ box }) => isInside(box) && !taken.some((other) => meets(box, other)),
    )
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
