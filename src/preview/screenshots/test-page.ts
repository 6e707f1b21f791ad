import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import {
  ScoringError,
  type PageExpectation,
  type PageTarget,
  type PageTest,
  type PageTestOutcome,
  type PageTestStep,
} from '../../contract/index.ts'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import type { BlockedUrl } from '../assemble/remote-addresses.ts'
import { PageCrash, PageHang, PageTimeout, withDeadline } from './deadlines.ts'
import { factsSchema, findFaults, nameTarget, questionFor } from './expectations.ts'
import { collectFindings, type FindingsCollector } from './findings.ts'
import { openView, type PageView, type ViewTools } from './page-view.ts'

const WIDTH = 1440

/** What a page may take of itself for one test, besides the waits of the test. */
const LIMIT_MS = 10_000

/** How long something expected may take to come, where something is still going on. */
const EXPECT_MS = 2000
const WAIT_MS = 5000
const POLL_MS = 50
/** Looked at this often at least, on a machine that is too busy to look often. */
const LEAST_LOOKS = 4

const STILL = { quietMs: 60, mostMs: 1500, timersMs: 200, framesMs: 100, loadingMs: 0 }

const placeSchema = z.object({ x: z.number(), y: z.number(), isInFront: z.boolean(), isTyped: z.boolean() }).optional()
type Place = NonNullable<z.output<typeof placeSchema>>

/** The page is not as the test expects it. */
class Fault extends Error {
  override name = 'Fault'
}

interface Tried {
  view: PageView
  findings: FindingsCollector
}

function listErrors(findings: FindingsCollector): string[] {
  const { errors, console } = findings.finish()
  return [...errors, ...console.flatMap(({ level, text }) => (level === 'error' ? [text] : []))]
}

/** A selector that no browser understands is a mistake of the test. */
async function call(view: PageView, name: string, ...given: unknown[]): Promise<unknown> {
  try {
    return await view.world.evaluate(`previewDriver.${name}(${given.map((value) => JSON.stringify(value)).join(', ')})`)
  } catch (error) {
    const [, reason] = /SyntaxError: [^:]*: (.* is not a valid selector)/.exec(String(error)) ?? []
    if (reason === undefined) throw error
    throw new ScoringError('invalid-options', `pageTests: ${reason}`, { cause: error })
  }
}

async function rest({ world }: PageView): Promise<void> {
  await world.evaluate('previewDriver.rest()')
}

async function meet({ view, findings }: Tried, expectation: PageExpectation, waitMs?: number): Promise<void> {
  const mostMs = waitMs ?? EXPECT_MS
  const end = performance.now() + mostMs
  for (let looks = 1; ; looks++) {
    const facts = factsSchema.parse(await call(view, 'observe', questionFor(expectation)))
    const faults = findFaults(expectation, facts, listErrors(findings))
    if (faults.length === 0) return
    const isOver = performance.now() > end && looks >= LEAST_LOOKS
    // Where nothing is going on, nothing comes.
    const isStill = waitMs === undefined && looks >= LEAST_LOOKS && (await call(view, 'isBusy', EXPECT_MS)) !== true
    if (isOver || isStill)
      throw new Fault(waitMs === undefined ? faults.join('; ') : `${faults.join('; ')} after ${mostMs / 1000} s`)
    await sleep(POLL_MS)
  }
}

/** Waits for the element if it is not there yet, and brings it into view. */
async function aim(tried: Tried, target: PageTarget): Promise<Place> {
  await meet(tried, { of: target, visible: true })
  const place = placeSchema.parse(await call(tried.view, 'aim', target))
  if (!place) throw new Fault(`expected ${nameTarget(target)} to be seen, saw none`)
  return place
}

async function aimInFront(tried: Tried, target: PageTarget): Promise<Place> {
  const place = await aim(tried, target)
  if (!place.isInFront) throw new Fault(`expected to reach ${nameTarget(target)}, saw something else in front of it`)
  return place
}

async function type(tried: Tried, text: string, into: PageTarget): Promise<void> {
  const { world, input } = tried.view
  const { x, y, isInFront, isTyped } = await aim(tried, into)
  if (!isTyped) {
    await call(tried.view, 'setCurrent', text)
    return
  }
  if (isInFront) await input.click(x, y)
  await world.evaluate('previewDriver.focusCurrent()')
  await (text === '' ? input.press('Delete') : input.type(text))
}

async function drag(tried: Tried, target: PageTarget, { to, by }: Pick<PageTestStep, 'to' | 'by'>): Promise<void> {
  const { view } = tried
  if (to === undefined) {
    const { x, y } = await aimInFront(tried, target)
    const [right = 0, down = 0] = by ?? []
    await view.input.drag({ x, y }, { x: right, y: down })
    return
  }
  await aim(tried, to)
  const { x, y } = await aimInFront(tried, target)
  if ((await call(view, 'dropCurrent', to)) === true) return
  // Where both fit on the screen, the first is still where it was.
  const end = await aim(tried, to)
  const start = await aimInFront(tried, target)
  await view.input.drag({ x: start.x, y: start.y }, { x: end.x - x, y: end.y - y })
}

async function takeStep(tried: Tried, step: PageTestStep): Promise<void> {
  const { view } = tried
  const { input } = view
  if (step.click !== undefined) {
    for (let count = 0; count < (step.times ?? 1); count++) {
      const { x, y } = await aimInFront(tried, step.click)
      await input.click(x, y)
      await rest(view)
    }
  } else if (step.hover !== undefined) {
    const { x, y } = await aim(tried, step.hover)
    await input.move(x, y)
  } else if (step.type !== undefined && step.into !== undefined) await type(tried, step.type, step.into)
  else if (step.press !== undefined) {
    // Until something on the page was pressed, keys go elsewhere.
    await view.host.evaluate(`document.activeElement?.tagName === 'IFRAME' || document.querySelector('iframe').focus()`)
    for (const key of [step.press].flat()) await input.press(key, (step.seconds ?? 0) * 1000)
  } else if (step.drag !== undefined) await drag(tried, step.drag, step)
  else if (typeof step.wait === 'number') {
    const { wait } = step
    await view.clock.ours(() => sleep(wait * 1000))
  } else if (step.wait !== undefined) await meet(tried, step.wait, (step.seconds ?? WAIT_MS / 1000) * 1000)
  else if (step.resize !== undefined) {
    const [width, height] = [step.resize].flat()
    await view.resize(width!, height)
  } else if (step.reload) {
    await view.reload()
    await call(view, 'waitUntilStill', STILL)
  } else if (step.expect !== undefined) await meet(tried, step.expect)
  if (step.expect === undefined && typeof step.wait !== 'object') await rest(view)
}

/** `isBroken`: the page hangs or has crashed. */
async function takeSteps(tried: Tried, { steps }: PageTest): Promise<PageTestOutcome & { isBroken?: boolean }> {
  await call(tried.view, 'waitUntilStill', STILL)
  for (const [index, step] of steps.entries()) {
    try {
      await takeStep(tried, step)
    } catch (error) {
      if (!(error instanceof Fault || error instanceof PageHang || error instanceof PageCrash)) throw error
      return {
        passed: false,
        notes: `step ${index + 1}: ${error.message}`,
        ...(!(error instanceof Fault) && { isBroken: true }),
      }
    }
  }
  return { passed: true, notes: '' }
}

/** What came of the tests, and whether the browser can be used again. */
export interface PageTrial {
  outcomes: PageTestOutcome[]
  blocked: BlockedUrl[]
  /** Why it could not be tested as far as that is not its own fault. */
  failure?: string
  isDamaged: boolean
}

/** Tries each test on the page, which is loaded anew for it. */
export async function testPage(
  browser: Browser,
  page: AssembledPage,
  tests: readonly PageTest[],
  { tools, signal }: { tools: ViewTools; signal: AbortSignal },
): Promise<PageTrial> {
  const outcomes: PageTestOutcome[] = []
  const blocked = new Map(page.blocked.map((found) => [found.url, found]))
  let isDamaged = false
  for (const test of tests) {
    signal.throwIfAborted()
    const findings = collectFindings()
    const end = (reached: Partial<PageTrial>): PageTrial => ({
      outcomes,
      blocked: [...blocked.values()],
      isDamaged: true,
      ...reached,
    })
    let view: PageView | undefined
    try {
      view = await openView(browser, { width: WIDTH, page, ...tools, findings, limitMs: LIMIT_MS })
      const outcome = await takeSteps({ view, findings }, test)
      outcomes.push(outcome)
      if (outcome.isBroken) isDamaged = true
      else await view.noteBlocked()
    } catch (error) {
      // It does so by itself, for every test.
      if (error instanceof PageHang || error instanceof PageCrash)
        return end({
          outcomes: tests.map((_test, index) => outcomes[index] ?? { passed: false, notes: error.message }),
        })
      if (error instanceof PageTimeout) return end({ failure: error.message })
      throw error
    } finally {
      for (const found of findings.finish().blocked) blocked.set(found.url, found)
      // A page that hangs does not close; then the browser is restarted.
      if (view)
        await withDeadline(view.close(), { end: performance.now() + 1000, what: 'close' }).catch(
          () => (isDamaged = true),
        )
    }
  }
  return { outcomes, blocked: [...blocked.values()], isDamaged }
}
