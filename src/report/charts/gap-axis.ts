import { niceTicks } from './scale.ts'

/** The axis of a gap and its intervals: round ends, 0 always inside. */
interface GapAxis {
  from: number
  to: number
  ticks: number[]
}

const MARGIN = 0.06
const NARROWEST = 0.04

/** For values from −1 to 1: all of them, with a little room, 0 and the margin on both sides of it. */
export function makeGapAxis(values: readonly number[], margin = 0): GapAxis {
  const [low, high] = [Math.min(0, -margin, ...values), Math.max(0, margin, ...values)]
  const span = Math.max(NARROWEST, high - low)
  const room = span * MARGIN
  const ticks = niceTicks(low - room, high + room, 4)
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : span
  const from = Math.max(-1, Number((Math.floor((low - room) / step) * step).toPrecision(12)))
  const to = Math.min(1, Number((Math.ceil((high + room) / step) * step).toPrecision(12)))
  return { from, to, ticks: niceTicks(from, to, 4) }
}
