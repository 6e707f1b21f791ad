import { z } from 'zod'
import type { Interaction } from './findings.ts'
import type { PageView } from './page-view.ts'
import { findMoving, seeChange, type Box, type Sight } from './see-change.ts'
/** The keys that a page's own code names, as the browser's driver calls them. */

const BY_CODE = new Map<string, string>([
  ['13', 'Enter'],
  ['32', 'Space'],
  ['37', 'ArrowLeft'],
  ['38', 'ArrowUp'],
  ['39', 'ArrowRight'],
  ['40', 'ArrowDown'],
])

/** What starts a game comes first: before that, no other key does anything. Then each turns from where the last one led. */
const ORDER = ['Enter', 'Space', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']

/** Where code reads keys without naming them. */
const GUESSES = ['ArrowLeft', 'ArrowRight', 'Space', 'a']

const MOST_KEYS = 8

const P5: Record<string, string> = {
  LEFT_ARROW: 'ArrowLeft',
  RIGHT_ARROW: 'ArrowRight',
  UP_ARROW: 'ArrowUp',
  DOWN_ARROW: 'ArrowDown',
}

function findNames(code: string): string[] {
  const found = [
    ...[...code.matchAll(/['"`.](Arrow(?:Left|Right|Up|Down))\b/g)].map(([, name]) => name!),
    ...[...code.matchAll(/(?:keyCode|which)\s*={2,3}\s*(\d+)|case\s+(3[2789]|40|13)\s*:/g)].flatMap(
      ([, compared, cased]) => BY_CODE.get(compared ?? cased ?? '') ?? [],
    ),
    ...[...code.matchAll(/\b((?:LEFT|RIGHT|UP|DOWN)_ARROW)\b/g)].map(([, name]) => P5[name!]!),
    ...(/['"`]Space(?:bar)?['"`]|(?:key|case)\s*(?:={2,3})?\s*['"`] ['"`]|['"`] ['"`]\s*(?:\]|:)/.test(code)
      ? ['Space']
      : []),
    ...(/['"`]Enter['"`]/.test(code) ? ['Enter'] : []),
    ...[...code.matchAll(/['"`]Key([A-Z])['"`]/g)].map(([, letter]) => letter!.toLowerCase()),
    ...[...code.matchAll(/(?:key|case|toLowerCase\(\))\s*(?:={2,3})?\s*['"`]([a-z])['"`]/gi)].map(([, letter]) =>
      letter!.toLowerCase(),
    ),
  ]
  return [...new Set(found)]
}

/** Keys to press on a page that listens to keys; `areNamed` is false for guesses, whose failure says nothing. */
function listKeys(html: string): { keys: string[]; areNamed: boolean } {
  const names = findNames(html)
  if (names.length === 0) return { keys: GUESSES, areNamed: false }
  const place = (key: string): number => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)
  return { keys: names.toSorted((a, b) => place(a) - place(b)).slice(0, MOST_KEYS), areNamed: true }
}

/** Tries a page as a person would, with a pointer and a keyboard. */

const planSchema = z.object({
  uses: z.array(
    z.object({
      action: z.enum(['click', 'type', 'drag']),
      name: z.string(),
      when: z.enum(['first', 'then', 'last']),
    }),
  ),
  hasKeys: z.boolean(),
  hasMoves: z.boolean(),
})
type PlannedUse = z.output<typeof planSchema>['uses'][number]

const placeSchema = z.object({
  x: z.number(),
  y: z.number(),
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
  isCanvas: z.boolean(),
  isInFront: z.boolean(),
  looksUsable: z.boolean(),
  drop: z.object({ x: z.number(), y: z.number() }).optional(),
  text: z.string().optional(),
  isSingleLine: z.boolean().optional(),
})
type Place = z.output<typeof placeSchema>

/** How far things are dragged, in pixels. */
const DRAG = { x: 120, y: 40 }

/** A key is held as long as a person would to see something move. */
const HOLD_MS = 200

/** Only a page that takes seconds for each action comes here: then what is left is not tried. */
const MOST_MS = 30_000

interface UseOptions {
  /** The page's own code. */
  html: string
  /** How many controls to press, and how many fields to fill. */
  most: number
  /** True if the page changes by itself. */
  isMoving: boolean
}

/** What was tried, and what is tried when the picture of the used page is taken: it takes away what there is to see. */
export interface UsedPage {
  interactions: Interaction[]
  end(): Promise<Interaction[]>
}

export async function usePage(view: PageView, { html, most, isMoving }: UseOptions): Promise<UsedPage> {
  const { world, input } = view
  const stopAt = performance.now() + MOST_MS
  const call = (name: string, argument?: object): Promise<unknown> =>
    world.evaluate(`previewDriver.${name}(${argument === undefined ? '' : JSON.stringify(argument)})`)
  const { uses, hasKeys } = planSchema.parse(await call('planUse', { most }))

  /** Something has moved by itself, as a game does that runs. */
  let hasMoved = false
  const see = async (act: () => Promise<void>, box?: Box): Promise<Sight> => {
    // What was used before may have started something.
    const moving =
      isMoving || (await world.evaluate('previewDriver.mayMove(0)')) === true ? await findMoving(view) : undefined
    hasMoved ||= moving !== undefined && moving.size > 0
    return seeChange(view, { act, ...(box && { box }), ...(moving && { moving }) })
  }

  const locate = async (use: PlannedUse): Promise<Place | undefined> => {
    await call('rest')
    const found = await call('locate', use)
    return found === undefined ? undefined : placeSchema.parse(found)
  }

  const press = async (place: Place): Promise<Sight> => {
    if (!place.isInFront) {
      // Something that opened before may be in front of it.
      await input.press('Escape')
      return see(async () => void (await call('pressCurrent')), place)
    }
    // The pointer is there first: what changes then is no effect of the press.
    await input.move(place.x, place.y)
    await call('rest')
    return see(() => input.click(place.x, place.y), place)
  }

  const fill = async (place: Place): Promise<Sight> =>
    see(async () => {
      if (place.text === undefined) {
        await call('fillCurrent')
        return
      }
      if (place.isInFront) await input.click(place.x, place.y)
      await call('focusCurrent')
      await input.type(place.text)
      if (await call('isSentByEnter')) await input.press('Enter')
    })

  const drag = async (place: Place): Promise<Sight> =>
    see(async () => {
      const { x, y, drop } = place
      if (place.isCanvas || !(await call('dragCurrent')))
        await input.drag({ x, y }, drop ? { x: drop.x - x, y: drop.y - y } : DRAG)
    })

  const tryOne = async (use: PlannedUse): Promise<Interaction[]> => {
    const place = performance.now() < stopAt ? await locate(use) : undefined
    if (!place) return []
    const sight =
      use.action === 'click' ? await press(place) : use.action === 'type' ? await fill(place) : await drag(place)
    if (use.action === 'type') await call('restoreField')
    if (!sight.hadEffect && !place.looksUsable) return []
    return [{ action: use.action, target: use.name, ...sight }]
  }

  const pressKeys = async (): Promise<Interaction[]> => {
    if (!hasKeys) return []
    const { keys, areNamed } = listKeys(html)
    await view.host.evaluate(`document.querySelector('iframe').focus()`)
    const done: Interaction[] = []
    for (const key of keys) {
      if (performance.now() >= stopAt) break
      await call('leaveField')
      await call('rest')
      const sight = await see(() => input.press(key, HOLD_MS))
      // A guess that nothing comes of says nothing about the page, nor does a key when the game is over.
      const isOver = !sight.hadEffect && hasMoved && (await findMoving(view)).size === 0
      if (sight.hadEffect || (areNamed && !isOver)) done.push({ action: 'key', target: key, ...sight })
    }
    return done
  }

  const tryAll = async (when: PlannedUse['when']): Promise<Interaction[]> => {
    const done: Interaction[] = []
    for (const use of uses) if (use.when === when) done.push(...(await tryOne(use)))
    return done
  }

  const interactions = [...(await tryAll('first')), ...(await pressKeys()), ...(await tryAll('then'))]
  await call('backToTop')
  return { interactions, end: () => tryAll('last') }
}
