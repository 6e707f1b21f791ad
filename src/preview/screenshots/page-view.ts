import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page, Route } from 'playwright-core'
import { iframeSandbox } from '../../contract/index.ts'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import { previewHeaders } from '../preview-headers.ts'
import { VENDOR_PATH, vendoredFiles, vendorHeaders } from '../vendor/vendored-files.ts'
import { captureScreen } from './capture-screen.ts'
import { violationsSchema, type FindingsCollector } from './findings.ts'

/** A page took too long. */
export class PageTimeout extends Error {
  override name = 'PageTimeout'
}

/** One of the page's scripts never ends. */
export class PageHang extends PageTimeout {
  override name = 'PageHang'
}

/** Rejects at the deadline; the work itself is abandoned, not stopped. */
export function withDeadline<Value>(
  work: Promise<Value>,
  { end, what }: { end: number; what: string },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PageTimeout(what)), Math.max(0, end - performance.now()))
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

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
  /** `loaded`: when loaded; `used`: after its buttons were pressed and its fields filled. */
  moment: 'loaded' | 'used'
}

/** A page open at one width. */
export interface PageView {
  world: IsolatedWorld
  /** All of the page, from its top. */
  takePicture(moment: Screenshot['moment']): Promise<Screenshot>
  /** What is on the screen, as far as the page is scrolled. */
  takeScreen(): Promise<Screenshot>
  /** Waits for timers that are due within some seconds of loading. Rejects if the page hangs meanwhile. */
  leaveAlone(): Promise<void>
  close(): Promise<void>
}

const VIEWPORT_HEIGHTS: [below: number, height: number][] = [
  [500, 812],
  [1000, 1024],
  [Infinity, 900],
]

function heightOf(width: number): number {
  return VIEWPORT_HEIGHTS.find(([below]) => width < below)![1]
}

/** Pages can be endless; a judge sees this much of them. */
const MOST_HEIGHT = 3000

/** Everything a page can load is on this machine. */
const MOST_LOADING_MS = 3000

/** How long a page may be busy after the time limit; longer and it hangs. A slow page answers between its tasks. */
const MOST_BUSY_MS = 5000

const SETTLE = { quietMs: 120, mostMs: 1500, timersMs: 1500, framesMs: 1000, mostHeight: MOST_HEIGHT }

/** How long after it was loaded a page may still be blank before its picture is. */
const MOST_BLANK_MS = 4000
const BLANK_STEP_MS = 100

/** How late after loading a hang is still noticed: longer than it takes to check a page for accessibility and to use it. */
export const LEFT_ALONE_MS = 4000

/** Left of the time limit when such waits end. */
const PICTURE_MS = 2000

/** Caches files, which do not change while the program runs. */
export type VendorReader = (name: string) => Promise<Buffer>

export function createVendorReader(previews: string): VendorReader {
  const read = new Map<string, Promise<Buffer>>()
  return (name) => {
    const found = read.get(name) ?? readFile(join(previews, 'vendor', name))
    read.set(name, found)
    return found
  }
}

const SERVED: ReadonlySet<string> = new Set(vendoredFiles.filter(({ isServed }) => isServed).map(({ name }) => name))

/** What every view needs besides its page. */
export interface ViewTools {
  readVendor: VendorReader
  /** Whether a PNG shows nothing. */
  isBlank: (png: Uint8Array) => boolean
}

interface Addresses {
  /** Of the document that has the page in a frame. */
  host: string
  /** Of the page. */
  origin: string
}

/** Where the frame waits, in the page's own renderer, until the driver is installed there. */
const WAITING_PATH = '/waiting'

/** People see the page in such a frame. Without one, a page could tell who is looking and show a judge something else. */
function hostDocument(origin: string): string {
  return `<!doctype html><style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; overflow: hidden; background: white }</style><iframe title="Page" sandbox="${iframeSandbox}" referrerpolicy="no-referrer" allow="" src="${origin}${WAITING_PATH}"></iframe>`
}

/** Serves the page, the document around it and the vendored files; any other request is aborted before it connects. */
async function answerRoute(
  route: Route,
  {
    host,
    origin,
    html,
    readVendor,
    findings,
  }: Addresses & { html: string; readVendor: VendorReader; findings: FindingsCollector },
): Promise<void> {
  const request = route.request()
  const url = request.url()
  const name = url.startsWith(`${origin}${VENDOR_PATH}`) ? url.slice(origin.length + VENDOR_PATH.length) : undefined
  const servePage = (body: string): Promise<void> =>
    route.fulfill({ status: 200, headers: previewHeaders({ origin, isCutOff: true }), body })
  if (url === `${origin}/`) await servePage(html)
  else if (url === `${origin}${WAITING_PATH}`) await servePage('')
  else if (url === `${host}/`)
    await route.fulfill({ status: 200, contentType: 'text/html', body: hostDocument(origin) })
  else if (name !== undefined && SERVED.has(name))
    await route.fulfill({ status: 200, headers: vendorHeaders, body: await readVendor(name) })
  else if (request.isNavigationRequest()) {
    findings.addBlocked({ url, why: 'the page was to be left for it' })
    // The browser stays on the page, as it would not if the request failed.
    await route.fulfill({ status: 204 })
  } else await route.abort('blockedbyclient')
}

export interface ViewOptions extends ViewTools {
  width: number
  page: Pick<AssembledPage, 'html'>
  findings: FindingsCollector
  /** In the time of `performance.now()`. */
  end: number
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

function listen(page: Page, findings: FindingsCollector): void {
  page.on('console', (message) => findings.addConsole(message))
  page.on('pageerror', (error) => findings.addError(`${error.name}: ${error.message}`))
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

/** Opens the page in a new context with an origin of its own, and waits until it is still. */
export async function openView(
  browser: Browser,
  { width, page: { html }, readVendor, isBlank, findings, end }: ViewOptions,
): Promise<PageView> {
  const context = await openContext(browser, width)
  const close = async (): Promise<void> => void (await context.close().catch(() => undefined))
  const what = `The page was not ready in time at ${width} px: it is very slow.`
  try {
    const host = `http://h${randomUUID()}.localhost`
    const origin = `http://p${randomUUID()}.localhost`
    await context.route('**/*', (route) =>
      answerRoute(route, { host, origin, html, readVendor, findings }).catch(() => undefined),
    )
    await context.routeWebSocket('**/*', (socket) => void socket.close().catch(() => undefined))
    const page = await context.newPage()
    listen(page, findings)
    const crashed = new Promise<never>((_resolve, reject) =>
      page.once('crash', () => reject(new Error('The page crashed its renderer.'))),
    )
    crashed.catch(() => undefined)
    let frameSession: CDPSession | undefined
    /** Throws if the page does not even add 1 and 1. */
    const refuseHang = async (): Promise<void> => {
      const sum = frameSession?.send('Runtime.evaluate', { expression: '1 + 1' })
      await withDeadline(Promise.race([sum, crashed]), { end: performance.now() + MOST_BUSY_MS, what }).catch(
        (error: unknown) => {
          throw error instanceof PageTimeout
            ? new PageHang(`The page hangs at ${width} px: one of its scripts never ends.`)
            : error
        },
      )
    }
    const orCrash = <Value>(work: Promise<Value>): Promise<Value> =>
      withDeadline(Promise.race([work, crashed]), { end, what }).catch(async (error: unknown) => {
        if (error instanceof PageTimeout) await refuseHang()
        throw error
      })

    const driver = String(await readVendor('driver.js'))
    const screen = await context.newCDPSession(page)
    await installDriver(screen, driver)
    await orCrash(page.goto(`${host}/`, { timeout: 0 }))
    const [frame] = page.mainFrame().childFrames()
    if (frame === undefined) throw new Error('The browser did not open the frame of the page.')
    const hostWorld = await openWorld(screen)
    const session = await context.newCDPSession(frame)
    frameSession = session
    await installDriver(session, driver)
    await hideHeadless(session, browser.version())
    // Not until `load`, which never comes for a page that tries to leave while it loads.
    await orCrash(frame.goto(`${origin}/`, { waitUntil: 'commit', timeout: 0 }))
    const world = await orCrash(openWorld(session))
    await orCrash(world.evaluate(`previewDriver.waitUntilLoaded(${MOST_LOADING_MS})`))
    const leftAloneMs = Math.min(LEFT_ALONE_MS, end - PICTURE_MS - performance.now())
    const blankUntil = Math.min(performance.now() + MOST_BLANK_MS, end - PICTURE_MS)
    const settle = async (): Promise<number> =>
      Number(await orCrash(world.evaluate(`previewDriver.settle(${JSON.stringify(SETTLE)})`)))
    /** Returns a PNG in base 64. */
    const captureWhole = async (height: number): Promise<string> => {
      const slices: { top: number; png: string }[] = []
      for (let wanted = 0; wanted < height; wanted += heightOf(width)) {
        const top = Number(await orCrash(world.evaluate(`previewDriver.showSlice(${wanted})`)))
        slices.push({ top, png: await orCrash(captureScreen(screen)) })
      }
      if (slices.length === 1) return slices[0]!.png
      await orCrash(world.evaluate('previewDriver.showSlice(0)'))
      const call = `previewDriver.stackSlices(${JSON.stringify(slices)}, ${width}, ${height})`
      return String(await orCrash(hostWorld.evaluate(call)))
    }
    const captureSettled = async (): Promise<{ height: number; png: Buffer }> => {
      const height = Math.min(MOST_HEIGHT, Math.max(1, Math.ceil(await settle())))
      return { height, png: Buffer.from(await captureWhole(height), 'base64') }
    }
    const captureStill = async (): Promise<{ height: number; png: Buffer }> => {
      await orCrash(world.evaluate(`previewDriver.waitUntilStill(${JSON.stringify(SETTLE)})`))
      return { height: heightOf(width), png: Buffer.from(await orCrash(captureScreen(screen)), 'base64') }
    }
    /** Gives a page that shows nothing yet some seconds. */
    const captureShown = async <Picture extends { png: Buffer }>(capture: () => Promise<Picture>): Promise<Picture> => {
      const first = await capture()
      if (!isBlank(first.png) || performance.now() >= blankUntil) return first
      while (performance.now() < blankUntil) {
        await sleep(BLANK_STEP_MS)
        if (!isBlank((await capture()).png)) break
      }
      // What was seen may have been the beginning of an animation.
      return capture()
    }
    return {
      world: { evaluate: (expression) => orCrash(world.evaluate(expression)) },
      async takePicture(moment) {
        const { height, png } = await captureShown(captureSettled)
        for (const { url, directive } of violationsSchema.parse(
          await orCrash(world.evaluate('previewDriver.violations()')),
        ))
          findings.addBlocked(
            url.startsWith(origin)
              ? { url: url.slice(origin.length), why: 'not in the answer' }
              : { url, why: `blocked while the page ran (${directive})` },
          )
        return { width, height, png, moment }
      },
      async takeScreen() {
        return { width, ...(await captureShown(captureStill)), moment: 'used' }
      },
      async leaveAlone() {
        await orCrash(world.evaluate(`previewDriver.leaveAlone(${leftAloneMs})`))
      },
      close,
    }
  } catch (error) {
    await withDeadline(close(), { end: performance.now() + 500, what }).catch(() => undefined)
    throw error
  }
}
