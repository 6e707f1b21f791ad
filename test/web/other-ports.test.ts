/** Another program on this machine: cookies ignore ports, so a browser that is led to it sends the app's cookie along. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, removeFolder, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let stranger: Server
/** Everything that the other program got to see: addresses, headers, and what its page's script could read. */
const seen: { url: string; headers: Record<string, string>; body: string }[] = []

/** Its page looks for anything of the app's, tries to reach the app, and reports home. */
const SNOOPING = (target: string) => `<!doctype html><title>Stranger</title><script type="module">
const found = [document.cookie, document.referrer, window.name, location.href, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
for (const path of ['/', '/api/app', '/api/runs', '/api/settings/backup'])
  for (const mode of ['cors', 'no-cors'])
    found.push(await fetch('${target}' + path, { credentials: 'include', mode }).then((reply) => reply.text(), String))
await fetch('/report', { method: 'POST', body: JSON.stringify(found) })
document.title = 'done'
</script>`

beforeAll(async () => {
  stranger = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: { ...request.headers } as Record<string, string>, body })
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(SNOOPING(app.origin))
    })
  })
  stranger.listen(0)
  await once(stranger, 'listening')
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  context.setDefaultTimeout(60_000)
  page = await context.newPage()
})
afterAll(async () => {
  await browser.close()
  stranger.closeAllConnections()
  stranger.close()
  await app.stop()
  removeFolder(app.data)
})

it('opens signed in; live runs, downloads, a second tab and a reload work', async () => {
  await page.goto(app.url)
  await page.getByRole('button', { name: /^Run/ }).first().click()
  await page.waitForURL(/\/results\//)
  await page.getByRole('button', { name: 'Run again…' }).waitFor()
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor()
  expect(page.url()).not.toContain('Key')
  await page.reload()
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor()

  const second = await context.newPage()
  await second.goto(`${app.origin}/settings`)
  const download = second.waitForEvent('download')
  await second.locator('a[download]').first().click()
  expect(await (await download).failure()).toBeNull()
  await second.close()
})

it('a program on another port of this host gets nothing that opens a session', async () => {
  const { port } = stranger.address() as AddressInfo
  for (const host of ['127.0.0.1', 'localhost', new URL(app.origin).hostname]) {
    await page.goto(`${app.origin}/results`)
    const link = JSON.stringify(`http://${host}:${port}/${host}`)
    await page.evaluate(`Object.assign(document.createElement('a'), { href: ${link} }).click()`)
    await page.waitForURL(`http://${host}:${port}/${host}`)
    await expect.poll(() => page.title()).toBe('done')
  }
  // The browser did send the cookie: that is what this test is about.
  const cookies = [...new Set(seen.flatMap(({ headers }) => headers['cookie'] ?? []))]
  expect(cookies.join()).toContain('benchmaker-')
  expect(JSON.stringify(seen)).not.toContain('dataFolder')

  const { runs }: { runs: { id: string }[] } = await readAsApp('/api/runs')
  const paths = ['/api/app', '/api/runs', '/api/settings/backup', `/api/runs/${runs[0]!.id}/events`]
  const words = new Set(JSON.stringify(seen).match(/[\w-]{43}/g))
  for (const cookie of cookies)
    for (const path of paths) {
      const ask = (address: string, headers: Record<string, string> = {}) =>
        fetch(app.origin + address, { headers: { cookie, ...headers } })
      expect([path, (await ask(path)).status]).toEqual([path, 401])
      for (const word of words) {
        expect((await ask(path, { 'x-benchmaker-session': word })).status).toBe(401)
        expect((await ask(`${path}?sessionKey=${word}`)).status).toBe(401)
      }
    }
  for (const cookie of cookies) {
    const opened = await fetch(`${app.origin}/?token=used`, { headers: { cookie }, redirect: 'manual' })
    expect([opened.headers.get('location'), opened.headers.get('set-cookie')]).toEqual(['/', null])
  }

  await page.goto(app.origin)
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
})

async function readAsApp<Reply>(path: string): Promise<Reply> {
  await page.goto(app.origin)
  return page.evaluate(async (address) => {
    const key = localStorage.getItem('benchmaker-session-key') ?? ''
    const reply = await fetch(address, { headers: { 'x-benchmaker-session': key } })
    return (await reply.json()) as Reply
  }, path)
}
