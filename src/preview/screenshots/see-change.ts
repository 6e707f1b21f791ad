import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { PageView } from './page-view.ts'
import { heightOf } from './page-view.ts'

/** How long after an action someone looks for what it did. */
const LOOK_MS = 500
const LOOK_STEP_MS = 80

/** As in `in-page/compare-pictures.ts`. */
const TILE = 16

const changesSchema = z.object({
  noticed: z.array(z.string()),
  isChanged: z.boolean(),
  isElsewhere: z.boolean(),
  isBusy: z.boolean(),
})
type Changes = z.output<typeof changesSchema>

const tilesSchema = z.array(z.number())

/** Where the used element is on the screen. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
  isCanvas: boolean
}

/** What was seen of an action. */
export interface Sight {
  hadEffect: boolean
  /** What changed, in words; absent if nothing did. */
  change?: string
}

export async function compare(view: PageView, before: string, after: string): Promise<number[]> {
  if (before === after) return []
  return tilesSchema.parse(
    await view.host.evaluate(`previewDriver.compareTiles(${JSON.stringify(before)}, ${JSON.stringify(after)})`),
  )
}

export const countTiles = (width: number): number => Math.ceil(width / TILE) * Math.ceil(heightOf(width) / TILE)

function isInBox(tile: number, width: number, box: Box): boolean {
  const columns = Math.ceil(width / TILE)
  const x = (tile % columns) * TILE
  const y = Math.floor(tile / columns) * TILE
  return (
    x + TILE > box.left - TILE &&
    x < box.left + box.width + TILE &&
    y + TILE > box.top - TILE &&
    y < box.top + box.height + TILE
  )
}

function nameShare(tiles: number, width: number): string {
  const percent = (100 * tiles) / countTiles(width)
  return `${percent < 1 ? 'less than 1' : String(Math.round(percent))} % of the screen changes`
}

/** A page of which more than this changes by itself could hide what an action changes. */
const MOST_MOVING_SHARE = 0.05

interface Compared {
  changes: Changes
  /** The squares of the screen that differ, those that move by themselves left out. */
  tiles: number[]
  moving: ReadonlySet<number>
  box: Box | undefined
  width: number
}

function readSight({ changes, tiles, moving, box, width }: Compared): Sight | undefined {
  const { noticed, isChanged, isElsewhere } = changes
  // A pressed button looks pressed: that alone is no effect, unless what it says has changed.
  const isOwn = (tile: number): boolean => box !== undefined && !box.isCanvas && !isChanged && isInBox(tile, width, box)
  const seen = tiles.filter((tile) => !isOwn(tile))
  const parts = [
    ...noticed,
    ...(seen.length > 0 ? [nameShare(seen.length, width)] : []),
    ...(isElsewhere && seen.length === 0 ? ['further up or down the page'] : []),
  ]
  if (parts.length > 0) return { hadEffect: true, change: parts.join(', ') }
  const hidesBox = box !== undefined && [...moving].some((tile) => isInBox(tile, width, box))
  if (moving.size > MOST_MOVING_SHARE * countTiles(width) || (hidesBox && isChanged))
    return { hadEffect: true, change: 'cannot be told, because the page moves by itself' }
  return undefined
}

/** The squares of the screen that change without being used. */
export async function findMoving(view: PageView): Promise<Set<number>> {
  const moving = new Set<number>()
  let last = await view.capture()
  for (let look = 0; look < 2; look++) {
    await sleep(250)
    const next = await view.capture()
    for (const tile of await compare(view, last, next)) moving.add(tile)
    last = next
  }
  return moving
}

/** Does something on a page, and looks for up to half a second at what can be seen of it. */
export async function seeChange(
  view: PageView,
  { act, box, moving = new Set() }: { act: () => Promise<void>; box?: Box; moving?: ReadonlySet<number> },
): Promise<Sight> {
  const before = await view.capture()
  await view.world.evaluate('previewDriver.beginWatch()')
  try {
    await act()
    for (;;) {
      const changes = changesSchema.parse(await view.world.evaluate(`previewDriver.look(${LOOK_MS})`))
      const after = await view.capture()
      const tiles = (await compare(view, before, after)).filter((tile) => !moving.has(tile))
      const sight = readSight({ changes, tiles, moving, box, width: view.width })
      if (sight && !sight.change?.startsWith('cannot')) return sight
      if (!changes.isBusy) return sight ?? { hadEffect: false }
      await sleep(LOOK_STEP_MS)
    }
  } finally {
    await view.world.evaluate('previewDriver.endWatch()')
  }
}
