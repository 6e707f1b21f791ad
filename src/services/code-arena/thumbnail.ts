import { readPng, writePng } from './png.ts'

/** Twice the size that it is shown at, for dense screens. */
const WIDTH = 240
const HEIGHT = 150

/**
 * The top of a screenshot as a small picture: each pixel is the mean of those it stands for. Undefined if the picture
 * cannot be read.
 */
export function makeThumbnail(picture: Uint8Array): Uint8Array | undefined {
  const source = readPng(picture)
  if (!source || source.width === 0) return undefined
  const scale = Math.max(1, source.width / WIDTH)
  const width = Math.max(1, Math.floor(source.width / scale))
  const height = Math.max(1, Math.min(HEIGHT, Math.floor(source.height / scale)))
  // Grey pictures have one channel of colour; what follows the colours is transparency, which pages lack.
  const [green, blue] = source.channels < 3 ? [0, 0] : [1, 2]
  const sums = new Float64Array(width * height * 3)
  const counts = new Uint32Array(width * height)
  let y = 0
  for (const row of source.rows) {
    const below = Math.floor(y++ / scale)
    if (below >= height) break
    for (let x = 0; x < source.width; x++) {
      const pixel = below * width + Math.min(width - 1, Math.floor(x / scale))
      const at = x * source.channels
      sums[pixel * 3]! += row[at]!
      sums[pixel * 3 + 1]! += row[at + green]!
      sums[pixel * 3 + 2]! += row[at + blue]!
      counts[pixel]!++
    }
  }
  const rgb = new Uint8Array(sums.length)
  for (let index = 0; index < rgb.length; index++)
    rgb[index] = Math.round(sums[index]! / Math.max(1, counts[Math.floor(index / 3)]!))
  return writePng({ width, height, rgb })
}
