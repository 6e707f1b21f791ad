import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewsFolder, serve } from '../../../test/preview/browser.ts'
import { iframeSandbox } from '../../contract/index.ts'
import { assemblePage, extractCode, launchChromium } from '../../preview/index.ts'
import { startPreviewServer, type PreviewServer } from './preview-server.ts'
import { pageHeaders } from '../http/security-headers.ts'

let previews: PreviewServer
let port: number

beforeAll(async () => {
  previews = await startPreviewServer({ previews: previewsFolder })
  port = Number(new URL(previews.show('<h1>first</h1>')).port)
})
afterAll(() => previews.close())

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

function ask(host: string, path = '/', method = 'GET', more: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        setHost: false,
        headers: { host, cookie: 'benchmaker-4747=secret', ...more },
        agent: false,
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (piece: string) => (text += piece))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => (reply += piece))
    socket.on('end', () => resolve(reply))
    socket.on('error', reject)
  })
}

const hostOf = (url: string) => new URL(url).host

describe('the preview server', () => {
  it('serves a page on its own random host, with its own policy and no cookie', async () => {
    const url = previews.show('<h1>Plans</h1>')
    expect(url).toMatch(/^http:\/\/p[0-9a-f]{40}\.localhost:\d+\/$/)
    const reply = await ask(hostOf(url))
    expect(reply).toMatchObject({ status: 200, text: '<h1>Plans</h1>' })
    expect(reply.headers['content-security-policy']).toContain("connect-src 'none'")
    expect(reply.headers['content-security-policy']).toContain('sandbox ')
    expect(reply.headers['content-security-policy']).not.toContain('allow-same-origin')
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(await ask(hostOf(url), '/', 'HEAD')).toMatchObject({ status: 200, text: '' })
  })

  it('allows a page no connection but to its own origin', async () => {
    const reply = await ask(hostOf(previews.show('<h1>Plans</h1>')))
    expect(reply.headers['connection-allowlist']).toBe('(response-origin)')
  })

  it('serves a page only to frames', async () => {
    const host = hostOf(previews.show('<h1>Plans</h1>'))
    const statusFor = async (destination: string) => {
      const { status, text } = await ask(host, '/', 'GET', { 'sec-fetch-dest': destination })
      return [status, text.includes('Plans')]
    }
    expect(await statusFor('iframe')).toEqual([200, true])
    for (const destination of ['document', 'empty', 'object', 'embed', 'script', 'image', 'nonsense', ''])
      expect([destination, ...(await statusFor(destination))]).toEqual([destination, 403, false])
  })

  it('keeps the address of a page that is shown again, and gives each other page its own', () => {
    expect(previews.show('<p>a')).toBe(previews.show('<p>a'))
    expect(previews.show('<p>a')).not.toBe(previews.show('<p>b'))
  })

  it.each([
    '127.0.0.1',
    'localhost',
    'evil.example',
    'p0000000000000000000000000000000000000000.localhost',
    'x.p.localhost',
  ])('answers nothing to the host %s', async (name) => {
    const reply = await ask(`${name}:${port}`)
    expect(reply.status).toBe(421)
    expect(reply.text).not.toContain('Plans')
    expect((await ask(`${name}:${port}`, '/vendor/react.js')).status).toBe(421)
  })

  it('answers nothing to a known host with another port, or to a request with two hosts', async () => {
    const host = hostOf(previews.show('<h1>Plans</h1>'))
    expect((await ask(host.replace(`:${port}`, ':1'))).status).toBe(421)
    expect((await ask(host.replace(`:${port}`, ''))).status).toBe(421)
    const [line] = (
      await sendRaw(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    ).split('\r\n')
    expect(line).toMatch(/^HTTP\/1\.1 4/)
  })

  it('serves only the vendored scripts: no other file, no API and no way to write', async () => {
    const host = hostOf(previews.show('<h1>Plans</h1>'))
    expect(await ask(host, '/vendor/react.js')).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*', 'content-type': 'text/javascript; charset=utf-8' },
    })
    for (const path of [
      '/vendor/axe.js',
      '/vendor/driver.js',
      '/vendor/',
      '/vendor/../bootstrap.js',
      '/vendor/..%2freact.js',
      '/api/app',
      '/api/runs',
      '/local/link',
      '/index.html',
      '//',
      '/?token=x/../api',
    ]) {
      const { status } = await ask(host, path)
      expect([path, status]).toEqual([path, path.startsWith('/?') ? 200 : 404])
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect((await ask(host, '/', method)).status).toBe(405)
  })

  it('drops the least recently used pages', async () => {
    const own = await startPreviewServer({ previews: previewsFolder })
    const first = own.show('<p>first')
    const second = own.show('<p>second')
    const askOwn = async (url: string) =>
      (await fetch(`http://127.0.0.1:${new URL(url).port}/`, { headers: {} })).status
    expect(await askOwn(first)).toBe(421)
    for (let index = 0; index < 298; index++) own.show(`<p>${index}`)
    expect(own.show('<p>first')).toBe(first)
    own.show('<p>one more')
    expect(own.show('<p>first')).toBe(first)
    expect(own.show('<p>second')).not.toBe(second)
    await own.close()
  })
})

const COUNTER =
  '```jsx\nimport { useState } from "react"\nexport default function App() { const [n, set] = useState(1); return <button onClick={() => set(n + 1)}>pressed {n}</button> }\n```'

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium({ isCutOff: false })
  })
  afterAll(() => browser.close())

  it('the app frames a preview that runs from the vendored files and cannot navigate away', async () => {
    const page = await assemblePage(extractCode(COUNTER))
    const url = previews.show(page.html)
    const app = await serve((_request, response) => {
      response.writeHead(200, { ...pageHeaders([previews.origin]), 'content-type': 'text/html' })
      response.end(`<!doctype html><iframe sandbox="${iframeSandbox}" src="${url}"></iframe>`)
    })
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${app.port}/`)
    const button = tab.frameLocator('iframe').locator('button')
    await button.click()
    expect(await button.textContent()).toBe('pressed 2')
    // It tries to navigate: the app's policy does not allow that.
    await tab
      .frames()[1]!
      .evaluate('location.href = "http://127.0.0.1:1/"')
      .catch(() => undefined)
    await expect.poll(() => tab.frames()[1]?.url()).toMatch(/^chrome-error/)
    await tab.close()
    await app.close()
  })

  it.each([
    ['react', COUNTER],
    [
      'vue',
      '```vue\n<script setup>\nimport { ref } from "vue"\nconst n = ref(1)\n</script>\n<template><button @click="n++">pressed {{ n }}</button></template>\n```',
    ],
    [
      'tailwind',
      '```html\n<!doctype html><script src="https://cdn.tailwindcss.com"></script><button class="p-4" onclick="this.textContent=\'pressed \' + (getComputedStyle(this).padding === \'16px\' ? 2 : 0)">pressed</button>\n```',
    ],
  ])('a saved page with %s runs on its own', async (_name, answer) => {
    const page = await assemblePage(extractCode(answer))
    const file = (await previews.compiler.embedScripts(page.html))!
    expect(file).not.toMatch(/src="\/vendor/)
    const tab = await browser.newPage()
    await tab.setContent(file)
    await tab.locator('button').click()
    expect(await tab.locator('button').textContent()).toBe('pressed 2')
    await tab.close()
  })
})
