/** Tests the isolation of previews in a real Chromium, with a page that tries to escape. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { iframeSandbox } from '../../src/contract/index.ts'
import { assemblePage, extractCode, launchChromium, previewHeaders, vendorHeaders } from '../../src/preview/index.ts'
import { collectFindings } from '../../src/preview/screenshots/findings.ts'
import { openView } from '../../src/preview/screenshots/page-view.ts'
import { createVendorReader } from '../../src/preview/vendor/vendor-files.ts'
import { isOneColour } from '../../src/services/index.ts'
import { listenForVisitors, previewsFolder, serve, type TestServer } from './browser.ts'
import { startPreviewServer } from '../../src/server/code-arena/preview-server.ts'
import { LEAK_DOMAIN, leavingWays, writeLeavings, writeProbe } from './probe.ts'

const fenced = (html: string): string => `\`\`\`html\n${html}\n\`\`\``
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Started by a test of its own, too; see `docs/code-arena.md` for what was seen in which browser. */
const fullChromium = process.env['BENCHMAKER_FULL_CHROMIUM']
const browsers = [
  { name: 'the headless shell from npm', executablePath: undefined, isThere: true },
  {
    name: `a full Chromium${fullChromium ? '' : ' (NOT HERE: BENCHMAKER_FULL_CHROMIUM names none)'}`,
    executablePath: fullChromium,
    isThere: Boolean(fullChromium),
  },
]

let folder: string
let listener: Awaited<ReturnType<typeof listenForVisitors>>
let browser: Browser
let app: TestServer
let previews: TestServer
const apiCalls: string[] = []
let ticks = 0
let shown: string[] = []
let previewOrigin = ''
let headers: Record<string, string> = {}

/** Like a user's browser, without our settings. It writes down every name that it looks up. */
async function openLogged(executablePath?: string) {
  const log = join(folder, `${randomUUID()}.json`)
  const started = await launchChromium({
    isCutOff: false,
    args: [`--log-net-log=${log}`, '--net-log-capture-mode=Everything'],
    ...(executablePath !== undefined && { executablePath }),
  })
  return {
    started,
    /** Closes the browser, which completes its log, and returns the names. */
    async listLookups(): Promise<string[]> {
      await started.close()
      const text = await readFile(log, 'utf8')
      expect(text).toContain('"constants"')
      return [...new Set([...text.matchAll(new RegExp(`[\\w-]+\\.${LEAK_DOMAIN}`, 'g'))].map(([name]) => name))].sort()
    },
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchmaker-isolation-'))
  listener = await listenForVisitors()
  browser = await launchChromium({ isCutOff: false })
  previews = await serve(async (request, response) => {
    const name = /^\/vendor\/([\w.-]+)$/.exec(request.url ?? '')?.[1]
    if (name !== undefined)
      response.writeHead(200, vendorHeaders).end(await readFile(join(previewsFolder, 'vendor', name)))
    else response.writeHead(200, headers).end(shown[Number(request.url?.slice(1))] ?? '')
  })
  previewOrigin = `http://probe.localhost:${previews.port}`
  app = await serve((request, response) => {
    if (request.url === '/tick') {
      ticks++
      response.end()
      return
    }
    if (request.url !== '/') {
      apiCalls.push(`${request.url} cookie=${request.headers.cookie ?? ''}`)
      response.end('secret')
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html',
      'set-cookie': 'session=1; HttpOnly; SameSite=Strict',
      'content-security-policy': `default-src 'self'; img-src data:; script-src 'unsafe-inline'; frame-src ${previewOrigin}`,
    })
    response.end(`<!doctype html><title>app</title><h1>App</h1><link rel="icon" href="data:,">
<script>window.ticks = 0; setInterval(() => ticks++, 10); setInterval(() => fetch('/tick'), 100); window.messages = []; addEventListener('message', ({ data }) => messages.push(data)); localStorage.secret = 'app'</script>
${shown.map((_html, index) => `<iframe sandbox="${iframeSandbox}" src="${previewOrigin}/${index}" width="800" height="600"></iframe>`).join('')}`)
  })
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([listener?.close(), app?.close(), previews?.close()])
  await rm(folder, { recursive: true, force: true })
})

beforeEach(() => {
  listener.visits.length = 0
  apiCalls.length = 0
  headers = previewHeaders({ origin: previewOrigin })
})

/** Not `waitForFunction`: it evaluates text in the page, which the app's own policy forbids. */
async function waitFor(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(expression), { message: expression }).toBe(true)
}

/** Opens a page that tries every way out, and others that leave in one way each; resolves when all have left. */
async function openLeavers(probe: string, started: Browser): Promise<Page> {
  const leavings = writeLeavings({ port: listener.port, appPort: app.port })
  const page = await openApp([probe, ...leavings], started)
  await waitFor(page, `messages.filter(({ text }) => text === 'LEAVING').length === ${leavings.length}`)
  await pause(1500)
  return page
}

async function openApp(pages: string[], started = browser): Promise<Page> {
  shown = await Promise.all(pages.map(async (html) => (await assemblePage(extractCode(fenced(html)))).html))
  const page = await started.newPage()
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
    const { started, listLookups } = await openLogged()
    const page = await started.newPage()
    await page.goto(`http://127.0.0.1:${open.port}/`)
    await expect.poll(() => listener.visits.some((way) => /\/(?:self|top|parent|form)/.test(way))).toBe(true)
    await expect
      .poll(() => [...new Set(listener.visits)])
      .toEqual(expect.arrayContaining(['TCP', 'UDP', 'GET /fetch', 'GET /image', 'GET /worker-fetch', 'POST /beacon']))
    const lookups = await listLookups()
    await open.close()
    expect(new Set(listener.visits).size).toBeGreaterThan(20)
    for (const name of ['image', 'fetch', 'socket']) expect(lookups).toContain(`${name}.${LEAK_DOMAIN}`)
  })
})

for (const { name, executablePath, isThere } of browsers)
  describe.skipIf(!isThere)(`a live preview in a frame, in ${name}`, () => {
    it('opens no connection, sends no packet, looks up no name and does not reach the app, wherever it leaves for', async () => {
      const { started, listLookups } = await openLogged(executablePath)
      // Chromium 153 ends the renderer of a frame with `rtc-dug-up`: see the next test.
      const probe = writeProbe({ port: listener.port, appPort: app.port, without: ['rtc-dug-up'] })
      const page = await openLeavers(probe, started)
      const messages: { kind: string; text: string }[] = await page.evaluate('messages')
      expect(messages.map(({ text }) => text).filter((text) => text.startsWith('REACHED'))).toEqual([])
      expect(messages.filter(({ kind }) => kind === 'blocked').length).toBeGreaterThan(10)
      expect(await page.evaluate('[document.title, location.href]')).toEqual(['app', `http://127.0.0.1:${app.port}/`])
      expect(await listLookups()).toEqual([])
      expect(listener.visits).toEqual([])
      expect(apiCalls).toEqual([])
    })

    it('sends nothing by WebRTC from a frame of its own either, and the app lives on', async () => {
      const { started, listLookups } = await openLogged(executablePath)
      const others = [...writeProbe({ port: 1, appPort: 1 }).matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, way]) => way!)
      const probe = writeProbe({
        port: listener.port,
        appPort: app.port,
        without: others.filter((way) => way !== 'rtc-dug-up'),
      })
      // Playwright takes the end of the frame's process for the end of the page.
      await openApp([probe], started).catch(() => undefined)
      await pause(2000)
      ticks = 0
      await expect.poll(() => ticks).toBeGreaterThan(3)
      expect(await listLookups()).toEqual([])
      expect(listener.visits).toEqual([])
    })
  })

describe('a live preview in a browser that does not know Connection-Allowlist', () => {
  it('makes no request and reaches no part of the app; only WebRTC gets out', async () => {
    const { 'connection-allowlist': _allowed, ...known } = headers
    headers = known
    const { started, listLookups } = await openLogged()
    const page = await openLeavers(writeProbe({ port: listener.port, appPort: app.port }), started)
    await expect.poll(() => listener.visits).toContain('UDP')
    const messages: { text: string }[] = await page.evaluate('messages')
    // The documented gap: STUN and TURN, and the names of their servers.
    expect((await listLookups()).filter((lookup) => !/^(?:stun|turn)\./.test(lookup))).toEqual([])
    expect(listener.visits.filter((visit) => visit !== 'UDP' && visit !== 'TCP')).toEqual([])
    expect(apiCalls).toEqual([])
    expect(messages.map(({ text }) => text).filter((text) => text.startsWith('REACHED'))).toEqual([])
  })
})

describe('a live preview', () => {
  it('does not block the app with an endless loop', async () => {
    const page = await openApp([
      '<h1>Loop</h1><script>setTimeout(() => { console.log("looping"); setTimeout(() => { while (true); }) }, 100)</script>',
    ])
    await waitFor(page, 'messages.some(({ text }) => text === "looping")')
    const before = await page.evaluate<number>('ticks')
    await expect.poll(() => page.evaluate<number>('ticks')).toBeGreaterThan(before + 50)
    await page.context().close()
  })

  it('reports console output, errors and blocked requests, up to a limit', async () => {
    const page = await openApp([
      `<script>
      console.warn('careful', { a: 1 })
      fetch('https://far.example/data').catch(() => {})
      Promise.reject(new Error('not caught'))
      setTimeout(() => { throw new TypeError('thrown') })
      setTimeout(() => { for (let i = 0; i < 5000; i++) console.log('line', i, 'x'.repeat(5000)) }, 300)
    </script>`,
    ])
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
    const page = await openApp([
      `<form action="http://127.0.0.1:${listener.port}/send"><input name="a"><button>Go</button></form><a href="http://127.0.0.1:${listener.port}/away">away</a>
      <script>document.querySelector('form').addEventListener('submit', () => console.log('handled')); document.querySelector('button').click(); document.querySelector('a').click()</script>`,
    ])
    await waitFor(page, 'messages.some(({ text }) => text.includes("is not followed"))')
    const texts: string[] = await page.evaluate('messages.map(({ text }) => text)')
    await page.context().close()
    expect(texts).toContain('handled')
    expect(listener.visits).toEqual([])
  })
})

describe('a page that was saved as a file', () => {
  it('loads and sends nothing', async () => {
    const server = await startPreviewServer({ previews: previewsFolder })
    const probe = writeProbe({
      port: listener.port,
      appPort: app.port,
      without: [...leavingWays, 'rtc-dug-up'],
    })
    // A policy counts from where it stands: nothing of the page may come before it.
    const tricks = [
      probe,
      `<script>fetch('http://127.0.0.1:${listener.port}/early')</script>${probe}`,
      `<!-- <head> --><html><body><img src="http://127.0.0.1:${listener.port}/body"><head></head></body></html>`,
      `<title><head></title><img src="http://127.0.0.1:${listener.port}/title">`,
      `<svg><head><img src="http://127.0.0.1:${listener.port}/svg"></svg>`,
      `<template><head></template><link rel="preload" as="image" href="http://127.0.0.1:${listener.port}/preload">`,
      `<meta http-equiv="Content-Security-Policy" content="default-src *"><img src="http://127.0.0.1:${listener.port}/own">`,
    ]
    // What a page asks for openly is removed when it is assembled; in the first, only the policy is to hold.
    const pages = [probe]
    for (const html of tricks) pages.push((await assemblePage(extractCode(fenced(html)))).html)
    const { started, listLookups } = await openLogged()
    for (const [index, page] of pages.entries()) {
      const file = join(folder, `saved-${index}.html`)
      await writeFile(file, (await server.compiler.embedScripts(page))!)
      await (await started.newPage()).goto(pathToFileURL(file).href)
    }
    await pause(2500)
    const lookups = await listLookups()
    await server.close()
    expect(listener.visits).toEqual([])
    expect(lookups).toEqual([])
  })

  it('keeps its text, and runs as before', async () => {
    const server = await startPreviewServer({ previews: previewsFolder })
    const { html } = await assemblePage(
      extractCode(
        fenced(`<html><head>${'<!-- long -->'.repeat(100)}<meta charset="utf-8"></head><body><p>größer ✓</p><script>
localStorage.setItem('seen', 'yes'); document.querySelector('p').append(' ' + localStorage.getItem('seen'))</script></body></html>`),
      ),
    )
    const file = join(folder, 'kept.html')
    await writeFile(file, (await server.compiler.embedScripts(html))!)
    await server.close()
    const tab = await browser.newPage()
    await tab.goto(pathToFileURL(file).href)
    expect(await tab.locator('p').textContent()).toBe('größer ✓ yes')
    await tab.close()
  })
})

describe('a preview in a tab of its own', () => {
  it('is refused with an explanation, and runs nothing', async () => {
    const server = await startPreviewServer({ previews: previewsFolder })
    const { html } = await assemblePage(extractCode(fenced(writeProbe({ port: listener.port, appPort: app.port }))))
    const address = server.show(html)
    const tab = await browser.newPage()
    const reply = await tab.goto(address)
    expect([reply!.status(), await tab.locator('h1').textContent()]).toEqual([
      403,
      'This page opens only inside Benchmaker',
    ])
    await pause(1500)
    // Neither by a link from another page.
    await tab.goto(`http://127.0.0.1:${app.port}/`)
    await tab.evaluate(`location.href = ${JSON.stringify(address)}`)
    await tab.getByText('opens only inside Benchmaker').waitFor()
    await tab.close()
    await server.close()
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
      readVendor: createVendorReader({ previews: previewsFolder }),
      isBlank: isOneColour,
      findings,
      limitMs: 60_000,
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
