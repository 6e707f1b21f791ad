import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page, Route } from 'playwright-core'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import { previewHeaders } from '../preview-headers.ts'
import { VENDOR_PATH, vendoredFiles, vendorHeaders } from '../vendor/vendored-files.ts'
import { withDeadline } from './deadline.ts'
import { violationsSchema, type FindingsCollector } from './findings.ts'
import { installDriver, openWorld, type IsolatedWorld } from './isolated-world.ts'

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

const SETTLE = { quietMs: 120, mostMs: 1500, mostHeight: MOST_HEIGHT }

/** Caches files, which do not change while the program runs. */
export type VendorReader = (name: string) => Promise<Buffer>

export function createVendorReader(vendorDir: string): VendorReader {
  const read = new Map<string, Promise<Buffer>>()
  return (name) => {
    const found = read.get(name) ?? readFile(join(vendorDir, name))
    read.set(name, found)
    return found
  }
}

const SERVED: ReadonlySet<string> = new Set(vendoredFiles.filter(({ isServed }) => isServed).map(({ name }) => name))

/** Serves the page and the vendored files; any other request is aborted before it connects. */
async function answer(
  route: Route,
  {
    origin,
    html,
    readVendor,
    findings,
  }: { origin: string; html: string; readVendor: VendorReader; findings: FindingsCollector },
): Promise<void> {
  const request = route.request()
  const url = request.url()
  const name = url.startsWith(`${origin}${VENDOR_PATH}`) ? url.slice(origin.length + VENDOR_PATH.length) : undefined
  if (url === `${origin}/`)
    await route.fulfill({ status: 200, headers: previewHeaders({ origin, isCutOff: true }), body: html })
  else if (name !== undefined && SERVED.has(name))
    await route.fulfill({ status: 200, headers: vendorHeaders, body: await readVendor(name) })
  else if (request.isNavigationRequest()) {
    findings.addBlocked({ url, why: 'the page was to be left for it' })
    // The browser stays on the page, as it would not if the request failed.
    await route.fulfill({ status: 204 })
  } else await route.abort('blockedbyclient')
}

export interface ViewOptions {
  width: number
  page: Pick<AssembledPage, 'html'>
  readVendor: VendorReader
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

async function capture(session: CDPSession, { width, height, moment }: Omit<Screenshot, 'png'>): Promise<Screenshot> {
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    optimizeForSpeed: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  })
  return { width, height, png: Buffer.from(data, 'base64'), moment }
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
  { width, page: { html }, readVendor, findings, end }: ViewOptions,
): Promise<PageView> {
  const context = await openContext(browser, width)
  const close = async (): Promise<void> => void (await context.close().catch(() => undefined))
  const what = `The page was not ready in time at ${width} px: one of its scripts never ends, or it is very slow.`
  try {
    const origin = `http://p${randomUUID()}.localhost`
    await context.route('**/*', (route) => answer(route, { origin, html, readVendor, findings }).catch(() => undefined))
    await context.routeWebSocket('**/*', (socket) => void socket.close().catch(() => undefined))
    const page = await context.newPage()
    listen(page, findings)
    const crashed = new Promise<never>((_resolve, reject) =>
      page.once('crash', () => reject(new Error('The page crashed its renderer.'))),
    )
    const orCrash = <Value>(work: Promise<Value>): Promise<Value> =>
      withDeadline(Promise.race([work, crashed]), { end, what })
    crashed.catch(() => undefined)

    const session = await context.newCDPSession(page)
    await installDriver(session, String(await readVendor('driver.js')))
    await hideHeadless(session, browser.version())
    // Not until `load`, which never comes for a page that tries to leave while it loads.
    await orCrash(page.goto(`${origin}/`, { waitUntil: 'commit', timeout: 0 }))
    const world = await orCrash(openWorld(session))
    await orCrash(world.evaluate(`previewDriver.waitUntilLoaded(${MOST_LOADING_MS})`))
    const settle = async (): Promise<number> =>
      Number(await orCrash(world.evaluate(`previewDriver.settle(${JSON.stringify(SETTLE)})`)))
    return {
      world: { evaluate: (expression) => orCrash(world.evaluate(expression)) },
      async takePicture(moment) {
        const height = Math.min(MOST_HEIGHT, Math.max(1, Math.ceil(await settle())))
        const screenshot = await orCrash(capture(session, { width, height, moment }))
        for (const { url, directive } of violationsSchema.parse(
          await orCrash(world.evaluate('previewDriver.violations()')),
        ))
          findings.addBlocked(
            url.startsWith(origin)
              ? { url: url.slice(origin.length), why: 'not in the answer' }
              : { url, why: `blocked while the page ran (${directive})` },
          )
        return screenshot
      },
      async takeScreen() {
        await orCrash(world.evaluate(`previewDriver.waitUntilStill(${JSON.stringify(SETTLE)})`))
        const height = heightOf(width)
        const { data } = await orCrash(
          session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }),
        )
        return { width, height, png: Buffer.from(data, 'base64'), moment: 'used' }
      },
      close,
    }
  } catch (error) {
    await withDeadline(close(), { end: performance.now() + 500, what }).catch(() => undefined)
    throw error
  }
}
