/** Who gets what is typed: the app's field, or a preview that wants the keyboard. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

const TEXT = 'what I type here belongs to the app'

/** What each page does besides logging the keys it gets. */
const pages: Record<string, string> = {
  'scrolls-to-field': `setInterval(() => { location.hash = '#' + Math.random(); location.hash = '#field' }, 10)`,
  'opens-dialogs': `setInterval(() => { dialog.open || dialog.showModal(); dialog.close() }, 10)`,
  'late-grabber': `setTimeout(() => setInterval(() => { location.hash = '#' + Math.random(); location.hash = '#field' }, 10), 2500)`,
  polite: `document.querySelector('#field').focus()`,
}

const write = (script: string) => `\`\`\`html
<!doctype html><html><body><h1>Page</h1><input id="field" aria-label="Field" style="display: block; width: 100%; height: 80vh"><dialog id="dialog"><input autofocus></dialog><output></output>
<script>addEventListener('keydown', (event) => { document.querySelector('output').textContent += event.key }, true)
${script}
console.log('ran')</script></body></html>
\`\`\``

let app: App
let browser: Browser
let models: ModelServer
let context: BrowserContext
let page: Page

beforeAll(async () => {
  models = await startModelServer({
    models: Object.keys(pages),
    answer: ({ model }) => write(pages[model] ?? ''),
  })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context } = await signIn(browser, app))
  await context.request.put(`${app.origin}/api/settings/endpoints/local`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data: { name: 'local', baseUrl: models.baseUrl },
  })
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  removeFolder(app.data)
})

/**
 * Opens a run with the page, in a tab of its own: a page of an earlier test would still want the keyboard. Waits for the page
 * without looking into it, which Playwright does in the name of the user: from then on the page may take the focus.
 */
async function openRun(model: string): Promise<void> {
  const started = await context.request.post(`${app.origin}/api/code-arena`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data: { prompt: 'a page', models: [`local/${model}`], judgeModelIds: [], isQuickJudge: true },
  })
  expect(started.status(), await started.text()).toBe(201)
  const { runId } = await started.json()
  await page?.close()
  page = await context.newPage()
  const hasRun = page.waitForEvent('console', (message) => message.text() === 'ran')
  await page.goto(`${app.origin}/code-arena/${runId}`)
  // The screen has no field of its own; this one stands for those in dialogs.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(
    `document.querySelector('main').prepend(Object.assign(document.createElement('input'), { id: 'typed' }))`,
  )
  await hasRun
}

const frame = () => page.frameLocator('iframe').first()

async function typeSlowly(): Promise<void> {
  await page.locator('#typed').click()
  for (const character of TEXT) {
    await page.keyboard.type(character)
    await page.waitForTimeout(40)
  }
}

describe('a page that wants the keyboard', () => {
  it.each(Object.keys(pages))(
    'gets nothing that is typed into the app, and starts again afterwards: %s',
    async (model) => {
      await openRun(model)
      await frame().getByRole('heading', { name: 'Page' }).waitFor()
      await typeSlowly()
      expect(await page.inputValue('#typed')).toBe(TEXT)
      expect(await page.locator('iframe').count()).toBe(0)
      await page.getByText('Paused while you type').waitFor()
      await page.getByRole('heading', { level: 1 }).click()
      await frame().getByRole('heading', { name: 'Page' }).waitFor()
      expect(await frame().locator('output').textContent()).toBe('')
    },
  )

  it('can be used by mouse', async () => {
    await openRun('polite')
    await frame().getByRole('heading', { name: 'Page' }).waitFor()
    const box = (await page.locator('iframe').first().boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await frame().locator('#field:focus').waitFor()
    await page.keyboard.type('mine')
    expect(await frame().locator('#field').inputValue()).toBe('mine')
    await page.locator('#typed').click()
    await page.keyboard.type('not yours')
    expect(await page.inputValue('#typed')).toBe('not yours')
  })

  it('can be entered with Tab, but does not enter by itself', async () => {
    await openRun('polite')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if ((await frame().locator('#field:focus').count()) > 0) break
      // The field of this test pauses the page as long as it has the focus.
      await frame()
        .locator('#field')
        .waitFor({ timeout: 5000 })
        .catch(() => undefined)
    }
    await page.keyboard.type('by key')
    expect(await frame().locator('#field').inputValue()).toBe('by key')
  })
})
