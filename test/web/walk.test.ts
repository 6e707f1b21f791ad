import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let models: ModelServer
let app: App
let browser: Browser
let page: Page
let context: BrowserContext
let pageErrors: string[]

const MODELS = ['one', 'two', 'three', 'four', 'broken']
const testCases = Array.from({ length: 6 }, (_, index) => ({
  id: `case-${index}`,
  prompt: `Say ${index}`,
  scoringMethod: 'boolean',
  expectedOutput: 'e',
}))

async function api(method: 'post' | 'put', path: string, data: unknown): Promise<Record<string, string>> {
  const reply = await context.request[method](`${app.origin}/api/${path}`, { headers: { origin: app.origin }, data })
  expect(reply.status(), await reply.text()).toBeLessThan(300)
  return reply.json()
}

const soon = { timeout: 30_000 }

/** The accessible name of the focused element. */
const focusedName = () =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? e.tagName })()`,
  )

beforeAll(async () => {
  models = await startModelServer({
    models: MODELS,
    cost: 0.001,
    reply: ({ model }) =>
      model === 'broken'
        ? { status: 400, headers: { 'content-type': 'application/json' }, pieces: ['{"error": "this one is broken"}'] }
        : undefined,
  })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, context, pageErrors } = await signIn(browser, app))
  // A page in headless Chromium cannot show notifications; this records them.
  await page.addInitScript(`
    window.shown = []
    window.Notification = class extends EventTarget {
      static requestPermission = () => Promise.resolve('granted')
      constructor(title, options) {
        super()
        window.shown.push({ title, ...options })
      }
    }
  `)
  await api('put', 'settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
  await api('post', 'suites', { suite: { name: 'Walk', testCases } })
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  removeFolder(app.data)
})

describe('a run', () => {
  it('starts with Ctrl+Enter, shows its progress in the title, tells when it is done, and opens its own errors', async () => {
    const { id: suiteId } = await api('post', 'suites', { suite: { name: 'Waits', testCases } })
    await page.goto(`${app.origin}/arena?suite=${suiteId}`)
    await page.getByRole('button', { name: 'Run Benchmark' }).waitFor()
    await page.getByText(/at most \$/).waitFor()
    await page.getByLabel('Search all models').fill('demo')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/arena\/run\//)
    await expect.poll(() => page.title(), soon).toBe('✓ Completed · Waits · Benchmaker')

    const { runId } = await api('post', 'runs', {
      suiteId,
      models: MODELS.map((name) => `local/${name}`),
      repeat: 3,
      concurrency: 1,
    })
    await page.goto(`${app.origin}/arena/run/${runId}`)
    await page.getByRole('button', { name: 'Tell me when it is done' }).click()
    await page.getByRole('button', { name: 'You will be told', pressed: true }).waitFor()
    await expect.poll(() => page.title(), soon).toMatch(/^\d+ % · Waits/)
    // Three runs of 6 cases × 5 models.
    await page.getByText(/\d+ of 90 cells in the series/).waitFor()
    await page.getByText('90 of 90 cells in the series').waitFor({ timeout: 60_000 })
    await expect.poll(() => page.evaluate('window.shown'), soon).toHaveLength(1)
    expect(await page.evaluate('window.shown')).toMatchObject([
      {
        title: 'Waits: completed',
        body: expect.stringMatching(/^90 of 90 cells · 6 errors in the last run · best: local\//),
      },
    ])

    await page
      .getByTitle(/^error: .*this one is broken/)
      .first()
      .click()
    await page.waitForURL(/\/case\?.*model=local%2Fbroken/)
    await page
      .getByText(/this one is broken/)
      .first()
      .waitFor()
  })
})

describe('a dialog', () => {
  it('opens at its first field, or its main action, and gives the focus back', async () => {
    await page.goto(`${app.origin}/settings`)
    const set = page.getByRole('button', { name: /Set the OpenAI key|Set the key for OpenAI/ })
    await set.click()
    await page.getByRole('dialog').waitFor()
    expect(await focusedName()).toMatch(/key/i)
    await page.keyboard.press('Escape')
    await expect.poll(() => set.and(page.locator(':focus')).count(), soon).toBe(1)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await focusedName()).not.toBe('Close')
    await page.keyboard.press('Escape')
    await expect.poll(() => set.and(page.locator(':focus')).count(), soon).toBe(1)

    await page.goto(`${app.origin}/suites`)
    const actions = page.getByRole('button', { name: 'Actions for Walk' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Walk?' })
    await dialog.waitFor()
    await expect.poll(focusedName, soon).toBe('Cancel')
    await page.keyboard.press('Escape')
    await expect.poll(() => actions.and(page.locator(':focus')).count(), soon).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete suite' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.id'), soon).toBe('main')
    expect(pageErrors).toEqual([])
  })
})
