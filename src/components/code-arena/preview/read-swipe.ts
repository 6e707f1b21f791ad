interface Point {
  x: number
  y: number
}

const MIN_PIXELS = 48

/** 1 for the next page, -1 for the previous one, 0 if the finger moved little or up and down. */
export function readSwipe(from: Point, to: Point): -1 | 0 | 1 {
  const [across, down] = [to.x - from.x, to.y - from.y]
  if (Math.abs(across) < MIN_PIXELS || Math.abs(across) < 2 * Math.abs(down)) return 0
  return across < 0 ? 1 : -1
}
