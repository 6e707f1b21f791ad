/** Runs the real program in its own process, and a real Chromium. Needs dist/, which `npm test` builds first. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SESSION_KEY_HEADER } from '../../src/contract/index.ts'
import { launchChromium } from '../../src/preview/index.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'
import { drawPort } from '../../src/cli/testing/draw-port.ts'

export interface App {
  /** Contains the token, so opening it starts a session. */
  url: string
  origin: string
  data: string
  /** A clean stop, as with Ctrl-C. */
  stop(): Promise<void>
  /** As with `kill -9`. */
  kill(): Promise<void>
}

export interface AppOptions {
  data?: string
  port?: number
  env?: Record<string, string>
}

/** Removes the tester's own API keys, which must not reach the program. */
function cleanEnvironment(extra: Record<string, string>): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/_API_KEY$|^BENCHMAKER_|^OLLAMA_/.test(name))
  return {
    ...Object.fromEntries(entries),
    CI: 'true',
    BENCHMAKER_KEY_STORE: 'file',
    BENCHMAKER_CHROMIUM_SANDBOX: 'off',
    ...extra,
  }
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error('the program exited without printing anything')
}

export function makeDataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'benchmaker-web-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** On a port of its own: on the default port, another test's app could take the place of one that is killed. */
export async function startApp({ data = makeDataFolder(), port, env = {} }: AppOptions = {}): Promise<App> {
  if (port !== undefined) return startOn(port, data, env)
  for (let tries = 1; ; tries++) {
    try {
      return await startOn(drawPort(), data, env)
    } catch (error) {
      if (tries === 3) throw error
    }
  }
}

async function startOn(port: number, data: string, env: Record<string, string>): Promise<App> {
  const args = [builtProgram, 'serve', '--no-open', '--json', '--data', data, '--port', String(port)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: cleanEnvironment(env) })
  const ended = once(child, 'exit')
  const { url }: { url: string } = JSON.parse(await readFirstLine(child))
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended
  }
  return { url, origin: new URL(url).origin, data, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

export function openBrowser(): Promise<Browser> {
  return launchChromium({ isCutOff: false })
}

/** Opens a signed-in page and collects its errors, which tests expect to be none. */
export async function signIn(
  browser: Browser,
  app: App,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; pageErrors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const pageErrors: string[] = []
  context.on('weberror', (error) => pageErrors.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} ${message.location().url}`)
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(app.url)
  await bringSessionKey(context, app)
  return { context, page, pageErrors }
}

/** Tests also send requests of their own: with the key that the web app keeps, beside the cookie. */
async function bringSessionKey(context: BrowserContext, app: App): Promise<void> {
  const { request } = context
  const send = request.fetch.bind(request)
  request.fetch = async (address, options) => {
    const { origins } = await context.storageState()
    const kept = origins.find(({ origin }) => origin === app.origin)?.localStorage
    const key = kept?.find(({ name }) => name === 'benchmaker-session-key')?.value ?? ''
    return send(address, { ...options, headers: { [SESSION_KEY_HEADER]: key, ...options?.headers } })
  }
}

/** A request as the web app sends it; its reply, which must be good. */
export async function callApi<Reply>(
  page: Page,
  app: App,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<Reply> {
  const reply = await page.request.fetch(`${app.origin}/api${path}`, {
    method,
    headers: { origin: app.origin },
    ...(data && { data }),
  })
  expect(reply.ok(), `${method} ${path}: ${reply.status()} ${await reply.text()}`).toBe(true)
  return reply.json()
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[]
}

/** The serious and critical axe-core violations on the current page, each with its element. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResult>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
    )
}

/** Fails if the page is wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // After a change of width, charts are drawn again.
  await expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
    .toBeLessThanOrEqual(0)
}
