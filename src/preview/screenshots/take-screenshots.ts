import type { Browser } from 'playwright-core'
import {
  InputError,
  messageOf,
  readSandbox,
  type DrivenPage,
  type PageTest,
  type Sandbox,
} from '../../contract/index.ts'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import type { BlockedUrl } from '../assemble/remote-addresses.ts'
import { MISSING_PREVIEWS } from '../previews-package.ts'
import { launchChromium, readMemoryMb } from './browser.ts'
import { checkAccessibility, countElements, isLarge, type Accessibility } from './check-accessibility.ts'
import { PageCrash, PageHang, PageTimeout, withDeadline } from './deadlines.ts'
import { drivePage } from './drive-page.ts'
import { collectFindings, type AccessibilityFinding, type ConsoleLine, type Interaction } from './findings.ts'
import { watchMovement, type Movement } from './movement.ts'
import { openView, WAITS, type PageView, type Screenshot, type ViewTools, type Waits } from './page-view.ts'
import { createVendorReader, type PageFiles } from '../vendor/vendor-files.ts'
import { seePage, type PageSight } from './see-page.ts'
import { testPage, type PageTrial } from './test-page.ts'
import { usePage } from './use-page.ts'
import { z } from 'zod'

const EVERY_MS = 100

/** Stops renderers that take too much memory. */
async function watchMemory(browser: Browser, limitMb: number): Promise<{ stop(): void; wasExceeded(): boolean }> {
  const session = await browser.newBrowserCDPSession()
  let isStopped = false
  let isExceeded = false

  const look = async (): Promise<void> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    for (const { type, id } of processInfo) {
      if (type !== 'renderer' || id === 0 || ((await readMemoryMb(id)) ?? 0) <= limitMb) continue
      isExceeded = true
      process.kill(id, 'SIGKILL')
    }
  }

  const timer = setInterval(() => {
    // The browser can exit at any time; then there is nothing left to watch.
    if (!isStopped) void look().catch(() => undefined)
  }, EVERY_MS)
  return {
    stop() {
      isStopped = true
      clearInterval(timer)
      void session.detach().catch(() => undefined)
    },
    wasExceeded: () => isExceeded,
  }
}

const SCREENSHOT_WIDTHS: readonly number[] = [375, 768, 1440]

interface ScreenshotOptions {
  widths?: readonly number[]
  /** For the whole set. Default 15 seconds. */
  timeLimitMs?: number
  /** For each renderer process. Default 1,024. */
  memoryLimitMb?: number
  /** How many buttons to press, and how many fields to fill; 0 for none. Default 12. */
  mostActions?: number
  /** Shorter ones are for tests of pages that never end. */
  waits?: Partial<Waits>
  signal?: AbortSignal
}

/** What a page looks like and how it behaves, seen from outside. */
export interface PageInspection {
  /** One for each width when loaded, then one more at the greatest width after the page was used. */
  screenshots: Screenshot[]
  console: ConsoleLine[]
  /** Uncaught errors, and a page that hung or crashed. */
  errors: string[]
  /** That it hangs by itself; absent if it does not, or only when its buttons are pressed. */
  hang?: string
  /** Why it was not seen as far as that is not its own fault: the machine was too slow for it, or our tools failed. */
  failure?: string
  accessibility: AccessibilityFinding[]
  accessibilityCut?: string
  interactions: Interaction[]
  sideways?: { width: number; by: number; element: string }[]
  isStillLoading?: boolean
  movingShare?: number
  blocked: BlockedUrl[]
  durationMs: number
}

export interface Screenshots {
  /** Inspects a page. Rejects only if there is no browser or it was cancelled: problems of the page are in the result. */
  take(page: AssembledPage, options?: ScreenshotOptions): Promise<PageInspection>
  /** Opens a page to be used step by step, in another browser than the pictures are taken in. */
  drive(page: AssembledPage): Promise<DrivenPage>
  /** Tries scripted tests on a page, one page after another. Rejects like `take`. */
  test(page: AssembledPage, tests: readonly PageTest[], signal: AbortSignal): Promise<Omit<PageTrial, 'isDamaged'>>
  /** Reads what a page shows, at 1,440 pixels. Rejects like `take`. */
  see(page: AssembledPage, signal: AbortSignal): Promise<Omit<PageSight, 'isDamaged'>>
  /** Starts the browser and returns its version. Rejects like `take`. */
  check(): Promise<string>
  close(): Promise<void>
}

interface Look {
  page: AssembledPage
  options: ScreenshotOptions
  browser: Browser
  tools: ViewTools
}

const sidewaysSchema = z.object({ by: z.number(), element: z.string() }).optional()

async function inspect({ page, options, browser, tools }: Look): Promise<PageInspection & { isDamaged: boolean }> {
  const { widths = SCREENSHOT_WIDTHS, timeLimitMs = 15_000, memoryLimitMb = 1024, mostActions = 12, signal } = options
  const waits: Waits = { ...WAITS, ...options.waits }
  const start = performance.now()
  const findings = collectFindings()
  for (const blocked of page.blocked) findings.addBlocked(blocked)
  const memory = await watchMemory(browser, memoryLimitMb)
  const screenshots: Screenshot[] = []
  const sideways: NonNullable<PageInspection['sideways']> = []
  let accessibility: Accessibility = { findings: [] }
  let interactions: Interaction[] = []
  const movements: Movement[] = []
  const stillLoadingAt: number[] = []
  const widest = Math.max(...widths)
  let isDamaged = false
  let hang: string | undefined
  let failure: string | undefined

  const open = (width: number, limitMs = timeLimitMs): Promise<PageView> =>
    openView(browser, { width, page, ...tools, findings, limitMs, waits })
  const close = async (view: PageView): Promise<void> => {
    // A page that hangs does not close; then the browser is restarted.
    await withDeadline(view.close(), { end: performance.now() + 1000, what: 'close' }).catch(() => (isDamaged = true))
  }

  /** Opens the page and leaves it alone for as long as another one was used. */
  const hangsUnused = async (width: number): Promise<boolean> => {
    try {
      const view = await open(width, 2 * waits.leftAloneMs)
      await view.world.evaluate(`new Promise((resolve) => setTimeout(resolve, ${waits.leftAloneMs}))`)
      await view.close()
      return false
    } catch (error) {
      return error instanceof PageHang
    }
  }

  /** In a view of its own, from which what repeats is taken out. */
  const checkApart = async (elements: number): Promise<Accessibility> => {
    const view = await open(widest)
    try {
      await view.world.evaluate('previewDriver.rest()')
      return await checkAccessibility(view, tools, elements)
    } finally {
      await close(view)
    }
  }

  const use = async (view: PageView): Promise<void> => {
    if (mostActions === 0) return
    try {
      const used = await usePage(view, { html: page.html, most: mostActions, isMoving: movements.length > 0 })
      screenshots.push(await view.takePicture('used'))
      interactions = [...used.interactions, ...(await used.end())]
    } catch (error) {
      throw error instanceof PageHang && !(await hangsUnused(widest)) ? new PageTimeout(error.message) : error
    }
  }

  const tryOut = async (view: PageView): Promise<void> => {
    const elements = await countElements(view)
    const apart = isLarge(elements) ? checkApart(elements) : undefined
    if (!apart) accessibility = await checkAccessibility(view, tools, elements)
    const [used, checked] = await Promise.allSettled([use(view), apart])
    if (checked.status === 'fulfilled') accessibility = checked.value ?? accessibility
    if (used.status === 'rejected') throw used.reason
  }

  const look = async (width: number, isWidest: boolean): Promise<void> => {
    signal?.throwIfAborted()
    const view = await open(width)
    try {
      if (isWidest) movements.push(...(await watchMovement(view)))
      screenshots.push(await view.takePicture('loaded'))
      if (await view.world.evaluate('previewDriver.isLoading()')) stillLoadingAt.push(width)
      const found = sidewaysSchema.parse(await view.world.evaluate('previewDriver.measureSideways()'))
      sideways.push({ width, by: found?.by ?? 0, element: found?.element ?? '' })
      // The widest is used meanwhile, unless it is the only one.
      if (!isWidest || widths.length === 1) await view.leaveAlone()
      if (isWidest && page.runs) await tryOut(view)
    } finally {
      await close(view)
    }
  }

  const ends = await Promise.allSettled(widths.map((width) => look(width, width === widest)))
  memory.stop()
  for (const result of ends) {
    if (result.status === 'fulfilled') continue
    const { reason } = result
    signal?.throwIfAborted()
    isDamaged = true
    const [words = ''] = messageOf(reason).split('\n')
    if (memory.wasExceeded())
      findings.addError(`The page took more than ${memoryLimitMb} MB of memory and was stopped.`)
    else if (!(reason instanceof PageTimeout)) findings.addError(`The page could not be inspected: ${words}`)
    else if (/never ends/.test(words)) findings.addError(words)
    if (reason instanceof PageHang) hang ??= words
    else if (!memory.wasExceeded() && !(reason instanceof PageCrash)) failure ??= words
  }
  const [movement] = movements
  if (movement) screenshots.push(movement.strip)
  const order: Screenshot['moment'][] = ['loaded', 'used', 'moving']
  screenshots.sort((a, b) => order.indexOf(a.moment) - order.indexOf(b.moment) || a.width - b.width)
  return {
    screenshots,
    accessibility: accessibility.findings,
    ...(accessibility.cut !== undefined && { accessibilityCut: accessibility.cut }),
    interactions,
    sideways: sideways.filter(({ by }) => by > 0).toSorted((a, b) => a.width - b.width),
    ...(stillLoadingAt.length > 0 && { isStillLoading: true }),
    ...(movement !== undefined && { movingShare: movement.share }),
    ...findings.finish(),
    ...(hang !== undefined && { hang }),
    ...(failure !== undefined && { failure }),
    durationMs: performance.now() - start,
    isDamaged,
  }
}

/**
 * Inspects pages in one headless Chromium, which starts with the first page and is reused. Pages wait their turn; each gets new
 * contexts without a network. A browser that a page has damaged is replaced.
 */
export function createScreenshots({
  previews,
  packages,
  isBlank,
  executablePath,
  sandbox = () => readSandbox(process.env.BENCHMAKER_CHROMIUM_SANDBOX) ?? 'on',
}: PageFiles & {
  /** Whether a picture shows nothing: its page is then given some seconds more. */
  isBlank: ViewTools['isBlank']
  executablePath?: string
  /** Asked before each page: the setting can change. */
  sandbox?: () => Sandbox
}): Screenshots {
  const tools: ViewTools = { readVendor: createVendorReader({ previews, packages }), isBlank }
  let browser: Promise<Browser> | undefined
  let startedWith: Sandbox | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const launch = async (chosen: Sandbox): Promise<Browser> => {
    if (previews === undefined) throw new InputError(MISSING_PREVIEWS)
    return launchChromium({ previews, sandbox: chosen, ...(executablePath !== undefined && { executablePath }) })
  }
  const start = (): Promise<Browser> => {
    browser ??= launch((startedWith = sandbox()))
    browser.catch(() => (browser = undefined))
    return browser
  }
  const stop = async (): Promise<void> => {
    const running = browser
    browser = undefined
    await running?.then((found) => found.close()).catch(() => undefined)
  }

  const take = async (page: AssembledPage, options: ScreenshotOptions): Promise<PageInspection> => {
    options.signal?.throwIfAborted()
    if (startedWith !== sandbox() || !(await start()).isConnected()) await stop()
    const { isDamaged, ...inspection } = await inspect({ page, options, browser: await start(), tools })
    if (isDamaged) await stop()
    return inspection
  }

  let drivenBrowser: Promise<Browser> | undefined
  const stopDriven = async (): Promise<void> => {
    const running = drivenBrowser
    drivenBrowser = undefined
    await running?.then((found) => found.close()).catch(() => undefined)
  }
  const drive = async (page: AssembledPage): Promise<DrivenPage> => {
    if (!(await drivenBrowser?.catch(() => undefined))?.isConnected()) await stopDriven()
    drivenBrowser ??= launch(sandbox())
    return drivePage(await drivenBrowser, page, tools)
  }

  /** In the browser of the pictures: one that is damaged is replaced, and nobody else has a page open in it. */
  const test = async (page: AssembledPage, tests: readonly PageTest[], signal: AbortSignal) => {
    signal.throwIfAborted()
    if (startedWith !== sandbox() || !(await start()).isConnected()) await stop()
    const { isDamaged, ...trial } = await testPage(await start(), page, tests, { tools, signal })
    if (isDamaged) await stop()
    return trial
  }

  const see = async (page: AssembledPage, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (startedWith !== sandbox() || !(await start()).isConnected()) await stop()
    const { isDamaged, ...sight } = await seePage(await start(), page, tools)
    if (isDamaged) await stop()
    return sight
  }

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  return {
    take: (page, options = {}) => inTurn(() => take(page, options)),
    drive,
    see: (page, signal) => inTurn(() => see(page, signal)),
    test: (page, tests, signal) => inTurn(() => test(page, tests, signal)),
    check: () =>
      inTurn(async () => {
        if (startedWith !== sandbox()) await stop()
        return (await start()).version()
      }),
    async close() {
      await queue
      await Promise.all([stop(), stopDriven()])
    },
  }
}
