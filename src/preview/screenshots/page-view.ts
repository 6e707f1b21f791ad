import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import { captureScreen } from './capture-screen.ts'
import { Clock, PageCrash, PageHang, PageTimeout, readBusiestMs, withDeadline } from './deadlines.ts'
import { violationsSchema, type FindingsCollector } from './findings.ts'
import { answerRoute } from './serve-page.ts'
import type { VendorReader } from '../vendor/vendor-files.ts'

const WORLD = 'benchmaker-driver'

/** An isolated world inside a page: it sees the document but not the page's variables, and the page does not see it. */
interface IsolatedWorld {
  evaluate(expression: string): Promise<unknown>
}

/** Runs the driver's script in every document before the page's own scripts. */
async function installDriver(session: CDPSession, source: string): Promise<void> {
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
}

async function openWorld(session: CDPSession): Promise<IsolatedWorld> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: WORLD,
  })
  return {
    async evaluate(expression) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
  }
}

/** One picture of a page. */
export interface Screenshot {
  width: number
  height: number
  png: Uint8Array
  /** `loaded`: when loaded; `used`: after its controls were used; `moving`: several moments of its first seconds. */
  moment: 'loaded' | 'used' | 'moving'
}

/** Presses and keys as a person's: they go through the browser. */
interface PageInput {
  move(x: number, y: number): Promise<void>
  click(x: number, y: number): Promise<void>
  drag(from: { x: number; y: number }, by: { x: number; y: number }): Promise<void>
  type(text: string): Promise<void>
  press(key: string, holdMs?: number): Promise<void>
}

/** A page open at one width. */
export interface PageView {
  width: number
  world: IsolatedWorld
  /** The document around the page, which the page cannot reach: it does sums with pictures. */
  host: IsolatedWorld
  input: PageInput
  clock: Clock
  /** All of the page, from its top. */
  takePicture(moment: Screenshot['moment']): Promise<Screenshot>
  /** What is on the screen, as far as the page is scrolled. */
  takeScreen(): Promise<Screenshot>
  /** The same at once, in base 64. */
  capture(): Promise<string>
  /** Waits for timers that are due within some seconds of loading. Rejects if the page hangs meanwhile. */
  leaveAlone(): Promise<void>
  /** From now on nothing that the page logs counts. */
  ignore(): void
  /** Adds to the findings what the page tried to load and did not get. */
  noteBlocked(): Promise<void>
  resize(width: number, height?: number): Promise<void>
  /** Loads the page again; what it stored is kept. */
  reload(): Promise<void>
  close(): Promise<void>
}

const VIEWPORT_HEIGHTS: [below: number, height: number][] = [
  [500, 812],
  [1000, 1024],
  [Infinity, 900],
]

export function heightOf(width: number): number {
  return VIEWPORT_HEIGHTS.find(([below]) => width < below)![1]
}

/** Pages can be endless; a judge sees this much of them. */
const MOST_HEIGHT = 3000

/** Everything a page can load is on this machine. */
const MOST_LOADING_MS = 3000

/** How long a page is waited for that may have more to show, or may never answer. */
export interface Waits {
  /** How long after it was loaded a page may still be blank before its picture is. */
  blankMs: number
  /** How long after it was loaded a page may show that it is loading. */
  loadingMs: number
  /** How late after loading a hang is still noticed: longer than it takes to check a page for accessibility and to use it. */
  leftAloneMs: number
  /** How long a page may be busy after the time limit; longer and it hangs. A slow page answers between its tasks. */
  busyMs: number
  /** That much of it the page itself must have computed: on a busy machine it may not have got the time. */
  computedMs: number
}

export const WAITS: Waits = { blankMs: 5000, loadingMs: 5000, leftAloneMs: 4000, busyMs: 5000, computedMs: 3000 }

/** How long a page that computes little is given to answer, and how often it is looked at. */
const MOST_STARVED_MS = 30_000
const HANG_STEP_MS = 250
const MOST_TRIES = 6

const SETTLE = { quietMs: 120, mostMs: 1500, timersMs: 1500, framesMs: 1000, mostHeight: MOST_HEIGHT }

const BLANK_STEP_MS = 100

/** Left of the time limit when such waits end. */
const PICTURE_MS = 2000

/** What every view needs besides its page. */
export interface ViewTools {
  readVendor: VendorReader
  /** Whether a PNG shows nothing. */
  isBlank: (png: Uint8Array) => boolean
}

export interface ViewOptions extends ViewTools {
  width: number
  page: Pick<AssembledPage, 'html'>
  findings: FindingsCollector
  /** For all that the page does by itself. */
  limitMs: number
  waits?: Waits
}

/** Service workers are not blocked: a page without an origin has none, and blocking would cause errors in it. */
async function openContext(browser: Browser, width: number): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: heightOf(width) },
    deviceScaleFactor: 1,
    acceptDownloads: false,
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
  })
}

function listen(page: Page, findings: FindingsCollector, isCounted: () => boolean): void {
  page.on('console', (message) => isCounted() && findings.addConsole(message))
  page.on('pageerror', (error) => isCounted() && findings.addError(`${error.name}: ${error.message}`))
  // An unanswered dialog would block the page forever.
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.on('popup', (popup) => void popup.close().catch(() => undefined))
}

/** A page must not show the judge something else than people, whose browser does not call itself headless. */
async function hideHeadless(session: CDPSession, version: string): Promise<void> {
  const [major = ''] = version.split('.')
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    userAgentMetadata: {
      brands: ['Chromium', 'Google Chrome'].map((brand) => ({ brand, version: major })),
      fullVersion: version,
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      model: '',
      mobile: false,
    },
  })
}

type Guard = <Value>(work: Promise<Value>) => Promise<Value>

function createInput({ mouse, keyboard }: Page, guard: Guard): PageInput {
  return {
    move: (x, y) => guard(mouse.move(x, y)),
    click: (x, y) => guard(mouse.click(x, y)),
    async drag(from, by) {
      await guard(mouse.move(from.x, from.y))
      await guard(mouse.down())
      await guard(mouse.move(from.x + by.x, from.y + by.y, { steps: 8 }))
      await guard(mouse.up())
    },
    type: (text) => guard(keyboard.type(text)),
    press: (key, holdMs = 0) => guard(keyboard.press(key, { delay: holdMs })),
  }
}

/** Rejects what takes longer than the page's time, and says whether the page hangs. */
async function createGuard({
  browser,
  crashed,
  clock,
  what,
  width,
  waits,
}: {
  browser: Browser
  crashed: Promise<never>
  clock: Clock
  what: string
  width: number
  waits: Waits
}): Promise<{ guard: Guard; watch(session: CDPSession): void; end(): void }> {
  const session = await browser.newBrowserCDPSession()
  const startMs = await readBusiestMs(session)
  let frame: CDPSession | undefined

  /** Throws if the page does not even add 1 and 1 although it computes. */
  const refuseHang = async (): Promise<void> => {
    const sum = frame?.send('Runtime.evaluate', { expression: '1 + 1' })
    const before = await readBusiestMs(session)
    const start = performance.now()
    while (performance.now() < start + MOST_STARVED_MS) {
      const end = performance.now() + HANG_STEP_MS
      const hasAnswered = await withDeadline(Promise.race([sum, crashed]), { end, what }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof PageTimeout) return false
          throw error
        },
      )
      if (hasAnswered) return
      if (performance.now() < start + waits.busyMs) continue
      if ((await readBusiestMs(session)) - before >= waits.computedMs)
        throw new PageHang(`The page hangs at ${width} px: one of its scripts never ends.`)
    }
  }
  const wait = async <Value>(work: Promise<Value>, tries: number): Promise<Value> => {
    try {
      return await withDeadline(Promise.race([work, crashed]), { end: clock.end, what })
    } catch (error) {
      if (!(error instanceof PageTimeout)) throw error
      await refuseHang()
      // The machine was busy with other things than this page.
      if (tries >= MOST_TRIES || (await readBusiestMs(session)) - startMs > clock.limitMs / 3) throw error
      clock.end = performance.now() + clock.limitMs
      return wait(work, tries + 1)
    }
  }
  return {
    guard: (work) => wait(work, 1),
    watch: (frameSession) => (frame = frameSession),
    end: () => void session.detach().catch(() => undefined),
  }
}

/** Opens the page in a new context with an origin of its own, and waits until it is still. */
export async function openView(
  browser: Browser,
  { width, page: { html }, readVendor, isBlank, findings, limitMs, waits = WAITS }: ViewOptions,
): Promise<PageView> {
  const clock = new Clock(limitMs)
  const context = await openContext(browser, width)
  let endGuard = (): void => undefined
  const close = async (): Promise<void> => {
    endGuard()
    await context.close().catch(() => undefined)
  }
  const what = `The page was not ready in time at ${width} px: it is very slow.`
  try {
    const host = `http://h${randomUUID()}.localhost`
    const origin = `http://p${randomUUID()}.localhost`
    await context.route('**/*', (route) =>
      answerRoute(route, { host, origin, html, readVendor, findings }).catch(() => undefined),
    )
    await context.routeWebSocket('**/*', (socket) => void socket.close().catch(() => undefined))
    const page = await context.newPage()
    let isCounted = true
    listen(page, findings, () => isCounted)
    const crashed = new Promise<never>((_resolve, reject) =>
      page.once('crash', () => reject(new PageCrash('The page crashed its renderer.'))),
    )
    crashed.catch(() => undefined)
    const { guard, watch, end } = await createGuard({ browser, crashed, clock, what, width, waits })
    endGuard = end

    const driver = String(await readVendor('driver.js'))
    const screen = await context.newCDPSession(page)
    await installDriver(screen, driver)
    await guard(page.goto(`${host}/`, { timeout: 0 }))
    const [frame] = page.mainFrame().childFrames()
    if (frame === undefined) throw new Error('The browser did not open the frame of the page.')
    const hostWorld = await openWorld(screen)
    const session = await context.newCDPSession(frame)
    watch(session)
    await installDriver(session, driver)
    await hideHeadless(session, browser.version())
    // Not until `load`, which never comes for a page that tries to leave while it loads.
    await guard(frame.goto(`${origin}/`, { waitUntil: 'commit', timeout: 0 }))
    let world = await guard(openWorld(session))
    const waitUntilLoaded = (): Promise<unknown> =>
      guard(world.evaluate(`previewDriver.waitUntilLoaded(${MOST_LOADING_MS})`))
    await waitUntilLoaded()
    const reload = async (): Promise<void> => {
      const kept = await guard(world.evaluate('previewDriver.readStorage()'))
      await session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: `globalThis.keptStorage = ${JSON.stringify(kept)}`,
        worldName: WORLD,
      })
      await guard(frame.goto(`${origin}/`, { waitUntil: 'commit', timeout: 0 }))
      world = await guard(openWorld(session))
      await waitUntilLoaded()
    }
    const settle = JSON.stringify({ ...SETTLE, loadingMs: waits.loadingMs })
    const blankUntil = Math.min(performance.now() + waits.blankMs, clock.end - PICTURE_MS)
    const evaluate = (expression: string): Promise<unknown> => guard(world.evaluate(expression))
    const capture = (): Promise<string> => guard(captureScreen(screen))
    /** Returns a PNG in base 64. */
    const captureWhole = async (height: number): Promise<string> => {
      const slices: { top: number; png: string }[] = []
      for (let wanted = 0; wanted < height; wanted += heightOf(width)) {
        const top = Number(await evaluate(`previewDriver.showSlice(${wanted})`))
        slices.push({ top, png: await capture() })
      }
      if (slices.length === 1) return slices[0]!.png
      await evaluate('previewDriver.showSlice(0)')
      const call = `previewDriver.stackSlices(${JSON.stringify(slices)}, ${width}, ${height})`
      return String(await guard(hostWorld.evaluate(call)))
    }
    const captureSettled = async (): Promise<{ height: number; png: Buffer }> => {
      const settled = Number(await evaluate(`previewDriver.settle(${settle})`))
      const height = Math.min(MOST_HEIGHT, Math.max(1, Math.ceil(settled)))
      return { height, png: Buffer.from(await clock.ours(() => captureWhole(height)), 'base64') }
    }
    const captureStill = async (): Promise<{ height: number; png: Buffer }> => {
      await evaluate(`previewDriver.waitUntilStill(${settle})`)
      return { height: heightOf(width), png: Buffer.from(await capture(), 'base64') }
    }
    /** Gives a page that shows nothing yet some seconds. */
    const captureShown = async <Picture extends { png: Buffer }>(take: () => Promise<Picture>): Promise<Picture> => {
      const first = await take()
      if (!isBlank(first.png) || performance.now() >= blankUntil) return first
      while (performance.now() < blankUntil) {
        await sleep(BLANK_STEP_MS)
        if (!isBlank((await take()).png)) break
      }
      // What was seen may have been the beginning of an animation.
      return take()
    }
    const noteBlocked = async (): Promise<void> => {
      for (const { url, directive } of violationsSchema.parse(await evaluate('previewDriver.violations()')))
        findings.addBlocked(
          url.startsWith(origin)
            ? { url: url.slice(origin.length), why: 'not in the answer' }
            : {
                url,
                why: `blocked while the page ran (${directive})`,
                ...(/^(?:connect|script|style|worker|child|frame)-/.test(directive) && { isCode: true }),
              },
        )
    }
    return {
      width,
      world: { evaluate },
      host: { evaluate: (expression) => guard(hostWorld.evaluate(expression)) },
      input: createInput(page, guard),
      clock,
      capture,
      async takePicture(moment) {
        const { height, png } = await captureShown(captureSettled)
        await noteBlocked()
        return { width, height, png, moment }
      },
      async takeScreen() {
        return { width, ...(await captureShown(captureStill)), moment: 'used' }
      },
      async leaveAlone() {
        // A machine that was slow to open the page takes nothing from it: the same hang is noticed at any load.
        clock.end = Math.max(clock.end, performance.now() + waits.leftAloneMs + PICTURE_MS)
        await evaluate(`previewDriver.leaveAlone(${waits.leftAloneMs})`)
      },
      ignore() {
        isCounted = false
      },
      noteBlocked,
      resize: (to, height = heightOf(to)) => guard(page.setViewportSize({ width: to, height })),
      reload,
      close,
    }
  } catch (error) {
    await withDeadline(close(), { end: performance.now() + 500, what }).catch(() => undefined)
    throw error
  }
}
