import type { Scale } from './scale.ts'

interface StripDot {
  /** Index into the given values. */
  index: number
  x: number
  /** From the middle of the strip; negative is above. */
  y: number
}

/** Dots on a strip, moved up or down as little as needed so that equal values do not hide each other. */
export function placeStrip(
  values: readonly number[],
  { scale, diameter }: { scale: Scale; diameter: number },
): StripDot[] {
  const placed: StripDot[] = []
  const order = values.map((value, index) => ({ index, x: scale(value) })).toSorted((a, b) => a.x - b.x)
  for (const { index, x } of order) {
    const near = placed.filter((dot) => x - dot.x < diameter)
    const isFree = (y: number) => near.every((dot) => (dot.x - x) ** 2 + (dot.y - y) ** 2 >= diameter ** 2 - 1e-9)
    let level = 0
    while (!isFree(levelHeight(level) * diameter)) level++
    placed.push({ index, x, y: levelHeight(level) * diameter })
  }
  return placed.toSorted((a, b) => a.index - b.index)
}

/** 0, −1, 1, −2, 2, … */
function levelHeight(level: number): number {
  const distance = Math.ceil(level / 2)
  return level % 2 === 1 ? -distance : distance
}
