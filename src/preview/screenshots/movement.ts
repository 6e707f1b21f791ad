import { setTimeout as sleep } from 'node:timers/promises'
import { heightOf, type PageView, type Screenshot } from './page-view.ts'
import { compare, countTiles } from './see-change.ts'

/** Watches the first seconds of a page: animations, and what is shown before it has loaded. */

const FRAMES = 6
const EVERY_MS = 600

/** Frames in the strip are smaller by this. */
const SCALE = 1 / 3

export interface Movement {
  strip: Screenshot
  /** How much of the screen changes by itself, 0 to 1. */
  share: number
}

/** One movement, or none if nothing moves. Ends as soon as nothing can move any more. */
export async function watchMovement(view: PageView): Promise<Movement[]> {
  const { width, world, host } = view
  const frames: string[] = []
  await world.evaluate('previewDriver.waitUntilDrawn()')
  const start = performance.now()
  for (let index = 0; index < FRAMES; index++) {
    frames.push(await view.capture())
    if ((await world.evaluate(`previewDriver.mayMove(${FRAMES * EVERY_MS})`)) !== true) break
    if (index < FRAMES - 1) await sleep(Math.max(0, start + (index + 1) * EVERY_MS - performance.now()))
  }
  const tiles = new Set<number>()
  for (const [index, frame] of frames.entries())
    if (index > 0) for (const tile of await compare(view, frames[index - 1]!, frame)) tiles.add(tile)
  if (tiles.size === 0) return []
  const size = { width: Math.round(width * SCALE), height: Math.round(heightOf(width) * SCALE) }
  const png = String(
    await host.evaluate(`previewDriver.makeStrip(${JSON.stringify(frames)}, ${size.width}, ${size.height})`),
  )
  const strip: Screenshot = {
    width: 3 * size.width,
    height: size.height * Math.ceil(frames.length / 3),
    png: Buffer.from(png, 'base64'),
    moment: 'moving',
  }
  return [{ strip, share: tiles.size / countTiles(width) }]
}
