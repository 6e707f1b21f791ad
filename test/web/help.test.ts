import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectNoSidewaysScroll,
  findViolations,
  makeDataFolder,
  openBrowser,
  removeFolder,
  signIn,
  startApp,
  type App,
} from './app.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

let app: App
let browser: Browser
const folder = makeDataFolder()
beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  removeFolder(app.data)
  removeFolder(folder)
})

/** Types into the search and opens what it finds first: a section that has the words. */
async function searchFor(page: Page, words: string): Promise<void> {
  await page.keyboard.press('/')
  // All at once: what the first letters find is another list.
  await page.locator('input:focus').fill(words)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/*.html#*')
  expect((await page.locator('main').textContent())?.toLowerCase()).toContain(words.toLowerCase())
}

describe('Help', () => {
  it('opens from the app, finds a page offline and asks nobody else', async () => {
    const { context, page, pageErrors } = await signIn(browser, app)
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Help' }).click()
    const help = await opened
    await help.getByRole('heading', { name: 'Benchmaker', level: 1 }).waitFor()
    expect(await findViolations(help)).toEqual([])
    await help.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Judges', exact: true }).click()
    await help.getByRole('heading', { name: 'Judges', level: 1 }).waitFor()
    expect(await help.locator('[aria-current=page]').textContent()).toBe('Judges')
    // Pictures are drawn, not just named.
    const areDrawn =
      '[...document.images].every((image) => { image.loading = "eager"; return image.complete && image.naturalWidth > 0 })'
    await expect.poll(() => help.evaluate<boolean>(areDrawn)).toBe(true)
    expect(await findViolations(help)).toEqual([])
    await searchFor(help, 'jittered')
    await help.goto(`${app.origin}/help/tutorial.html`)
    await help.getByRole('navigation', { name: 'Reading order' }).getByRole('link', { name: /^Next/ }).click()
    await help.getByRole('heading', { name: 'First run with real models', level: 1 }).waitFor()
    expect(requests.filter((url) => !url.startsWith(app.origin) && !url.startsWith('data:'))).toEqual([])
    expect(pageErrors).toEqual([])
    await context.close()
  })

  it('needs no session, has a short address, and must not be kept by the browser', async () => {
    const context = await browser.newContext()
    const reply = await context.request.get(`${app.origin}/help`)
    expect([reply.status(), reply.url()]).toEqual([200, `${app.origin}/help/index.html`])
    // Its name looks like one with a hash; pages with hashes are kept for a year.
    const page = await context.request.get(`${app.origin}/help/continuous-integration.html`)
    expect(page.headers()['cache-control']).toBe('no-cache')
    expect(page.headers()['content-security-policy']).toContain("default-src 'none'")
    expect((await context.request.get(`${app.origin}/help/nothing.html`)).status()).toBe(404)
    await context.close()
  })

  it('follows the theme of the app', async () => {
    const context = await browser.newContext({ colorScheme: 'light' })
    const page = await context.newPage()
    await page.goto(`${app.origin}/help/index.html`)
    await page.evaluate("localStorage.setItem('benchmaker-theme', 'dark')")
    await page.reload()
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 19, 23)')
    expect(await findViolations(page)).toEqual([])
    await context.close()
  })
})

describe('a copy on a disk', () => {
  const copy = join(folder, 'docs')
  const copyDocs = (output: string) =>
    execFileSync(process.execPath, [builtProgram, 'docs', '--output', output], { encoding: 'utf8', stdio: 'pipe' })

  it('is written once and again, but never over other files', () => {
    expect(copyDocs(copy)).toContain(pathToFileURL(join(copy, 'index.html')).href)
    const files = readdirSync(copy)
    writeFileSync(join(copy, 'mine.txt'), 'mine')
    copyDocs(copy)
    expect(readdirSync(copy).sort()).toEqual([...files, 'mine.txt'].sort())
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'index.html'), 'mine')
    expect(() => copyDocs(other)).toThrow('the folder holds other files')
    expect(() => copyDocs(join(other, 'index.html'))).toThrow('this is a file')
  })

  it('is searched and read at 375 px without a server', async () => {
    const context = await browser.newContext({ viewport: { width: 375, height: 812 }, reducedMotion: 'reduce' })
    const requests: string[] = []
    const errors: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    context.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(copy, 'index.html')).href)
    for (const name of readdirSync(copy).filter((file) => file.endsWith('.html'))) {
      await page.goto(pathToFileURL(join(copy, name)).href)
      await expectNoSidewaysScroll(page)
    }
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Decisions').click()
    await page
      .getByRole('link', { name: /threads/i })
      .first()
      .click()
    await page.waitForURL('**/decisions/0*')
    await searchFor(page, 'Fagerland')
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})
