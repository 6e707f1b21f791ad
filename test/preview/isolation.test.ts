/** Tests the isolation of previews in a real Chromium, with a page that tries to escape. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { iframeSandbox } from '../../src/contract/index.ts'
import { assemblePage, extractCode, launchChromium, previewHeaders, vendorHeaders } from '../../src/preview/index.ts'
import { collectFindings } from '../../src/preview/screenshots/findings.ts'
import { createVendorReader, openView } from '../../src/preview/screenshots/page-view.ts'
import { listenForVisitors, makeVendor, serve, type TestServer } from './browser.ts'
import { writeProbe } from './probe.ts'

const fenced = (html: string): string => `\`\`\`html\n${html}\n\`\`\``
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let vendorDir: string
let listener: Awaited<ReturnType<typeof listenForVisitors>>
let browser: Browser
let app: TestServer
let previews: TestServer
const apiCalls: string[] = []
let preview = ''
let previewOrigin = ''

beforeAll(async () => {
  vendorDir = await makeVendor()
  listener = await listenForVisitors()
  // Like a user's browser, without our settings.
  browser = await launchChromium({ isCutOff: false })
  previews = await serve(async (request, response) => {
    const name = /^\/vendor\/([\w.-]+)$/.exec(request.url ?? '')?.[1]
    if (name !== undefined) response.writeHead(200, vendorHeaders).end(await readFile(join(vendorDir, name)))
    else
      response
        .writeHead(request.url === '/' ? 200 : 404, previewHeaders({ origin: previewOrigin }))
        .end(request.url === '/' ? preview : '')
  })
  previewOrigin = `http://probe.localhost:${previews.port}`
  app = await serve((request, response) => {
    if (request.url !== '/') {
      apiCalls.push(`${request.url} cookie=${request.headers.cookie ?? ''}`)
      response.end('secret')
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html',
      'set-cookie': 'session=1; HttpOnly; SameSite=Strict',
      'content-security-policy': `default-src 'self'; script-src 'unsafe-inline'; frame-src ${previewOrigin}`,
    })
    response.end(`<!doctype html><title>app</title><h1>App</h1>
<script>window.ticks = 0; setInterval(() => ticks++, 10); window.messages = []; addEventListener('message', ({ data }) => messages.push(data)); localStorage.secret = 'app'</script>
<iframe sandbox="${iframeSandbox}" src="${previewOrigin}/" width="800" height="600"></iframe>`)
  })
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([listener?.close(), app?.close(), previews?.close()])
})

beforeEach(() => {
  listener.visits.length = 0
  apiCalls.length = 0
})

/** Not `waitForFunction`: it evaluates text in the page, which the app's own policy forbids. */
async function waitFor(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await page.evaluate<boolean>(expression)) return
    await pause(50)
  }
  throw new Error(`never became true: ${expression}`)
}

async function openApp(html: string): Promise<Page> {
  preview = (await assemblePage(extractCode(fenced(html)))).html
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${app.port}/`)
  return page
}

describe('the probe', () => {
  it('reaches the listener in many ways when nothing blocks it', async () => {
    const open = await serve(
      (_request, response) =>
        void response
          .setHeader('content-type', 'text/html')
          .end(writeProbe({ port: listener.port, appPort: app.port })),
    )
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${open.port}/`)
    await pause(3000)
    await page.context().close()
    await open.close()
    const ways = new Set(listener.visits)
    expect(ways.size).toBeGreaterThan(20)
    for (const way of ['GET /fetch', 'GET /image', 'GET /worker-fetch', 'POST /beacon', 'UDP'])
      expect(ways).toContain(way)
    expect([...ways].some((way) => /\/(?:self|top|parent|form)/.test(way))).toBe(true)
  })
})

describe('a live preview in a frame', () => {
  it('reaches neither the network nor the app, except by WebRTC, which no header can block', async () => {
    const page = await openApp(writeProbe({ port: listener.port, appPort: app.port }))
    await pause(4000)
    const messages: { kind: string; text: string }[] = await page.evaluate('messages')
    const { title, frame } = await page.evaluate<{ title: string; frame: string }>(
      '({ title: document.title, frame: location.href })',
    )
    await page.context().close()
    expect(listener.visits.filter((visit) => visit !== 'UDP')).toEqual([])
    expect(apiCalls).toEqual([])
    expect(messages.map(({ text }) => text).filter((text) => text.startsWith('REACHED'))).toEqual([])
    expect(messages.filter(({ kind }) => kind === 'blocked').length).toBeGreaterThan(10)
    expect([title, frame]).toEqual(['app', `http://127.0.0.1:${app.port}/`])
  })

  it('does not block the app with an endless loop', async () => {
    const page = await openApp('<h1>Loop</h1><script>setTimeout(() => { while (true); }, 1500)</script>')
    const count = async (): Promise<number> => {
      const before = await page.evaluate<number>('ticks')
      await pause(1000)
      return (await page.evaluate<number>('ticks')) - before
    }
    const free = await count()
    await pause(1000)
    const busy = await count()
    await page.context().close()
    expect(busy).toBeGreaterThan(free / 2)
  })

  it('reports console output, errors and blocked requests, up to a limit', async () => {
    const page = await openApp(`<script>
      console.warn('careful', { a: 1 })
      fetch('https://far.example/data').catch(() => {})
      Promise.reject(new Error('not caught'))
      setTimeout(() => { throw new TypeError('thrown') })
      setTimeout(() => { for (let i = 0; i < 5000; i++) console.log('line', i, 'x'.repeat(5000)) }, 300)
    </script>`)
    await waitFor(page, 'messages.some(({ text }) => text.startsWith("More than"))')
    const messages: { source: string; kind: string; level: string; text: string }[] = await page.evaluate('messages')
    await page.context().close()
    expect(messages).toContainEqual({
      source: 'benchmaker-preview',
      kind: 'console',
      level: 'warn',
      text: 'careful {"a":1}',
    })
    expect(messages).toContainEqual({
      source: 'benchmaker-preview',
      kind: 'blocked',
      level: 'warn',
      text: 'https://far.example/data (connect-src)',
    })
    expect(messages.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Unhandled rejection: Error: not caught', expect.stringContaining('TypeError: thrown')]),
    )
    expect(messages.length).toBeLessThan(210)
    expect(Math.max(...messages.map(({ text }) => text.length))).toBeLessThan(2100)
  })

  it('lets pages handle forms but not submit them, and follows no links', async () => {
    const page =
      await openApp(`<form action="http://127.0.0.1:${listener.port}/send"><input name="a"><button>Go</button></form><a href="http://127.0.0.1:${listener.port}/away">away</a>
      <script>document.querySelector('form').addEventListener('submit', () => console.log('handled')); document.querySelector('button').click(); document.querySelector('a').click()</script>`)
    await waitFor(page, 'messages.some(({ text }) => text.includes("is not followed"))')
    const texts: string[] = await page.evaluate('messages.map(({ text }) => text)')
    await page.context().close()
    expect(texts).toContain('handled')
    expect(listener.visits).toEqual([])
  })
})

describe('the screenshot browser', () => {
  it('lets a page reach nothing at all, WebRTC included', async () => {
    const page = await assemblePage(extractCode(fenced(writeProbe({ port: listener.port, appPort: app.port }))))
    const findings = collectFindings()
    const cutOff = await launchChromium()
    const view = await openView(cutOff, {
      width: 1440,
      page,
      readVendor: createVendorReader(vendorDir),
      findings,
      end: performance.now() + 60_000,
    })
    await pause(3500)
    await view.close()
    await cutOff.close()
    const { console: lines } = findings.finish()
    expect(listener.visits).toEqual([])
    expect(apiCalls).toEqual([])
    expect(lines.map(({ text }) => text).filter((text) => text.startsWith('REACHED'))).toEqual([])
  })
})
