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
/** What the models' answers wait for. */
let held: Promise<void> | undefined

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

/** The accessible name of the focused element. */
const focusedName = () =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? e.tagName })()`,
  )

beforeAll(async () => {
  models = await startModelServer({
    models: MODELS,
    cost: 0.001,
    hold: () => held,
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
    // With a real endpoint, no simulated model is chosen or listed until the switch is on.
    await page.getByText('Choose at least one model.').waitFor()
    await page.getByRole('button', { name: 'Add model' }).click()
    const list = page.getByRole('listbox', { name: 'All models' })
    await list.getByRole('option').first().waitFor()
    expect(await list.getByRole('option', { name: /^demo/ }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Simulated models' }).click()
    await page.getByLabel('Search all models').fill('demo')
    for (const name of ['good', 'fair']) await list.getByRole('option', { name: new RegExp(`^demo/${name},`) }).click()
    await page.keyboard.press('Escape')
    await page.getByText(/at most \$/i).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Run Benchmark' }).isEnabled()).toBe(true)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/results\//)
    await expect.poll(() => page.title()).toBe('✓ Completed · Waits · Benchmaker')

    const gate = Promise.withResolvers<void>()
    held = gate.promise
    const { seriesId } = await api('post', 'runs', {
      suiteId,
      models: MODELS.map((name) => `local/${name}`),
      repeat: 3,
      concurrency: 1,
    })
    await page.goto(`${app.origin}/results/series:${seriesId}`)
    await page.getByRole('button', { name: 'Notify me' }).click()
    await page.getByRole('button', { name: 'You will be notified', pressed: true }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\d+ % · Waits/)
    // Three runs of 6 cases × 5 models.
    await page.getByText(/Too early to call: \d+ of 90 answers/).waitFor()
    await page.getByRole('link', { name: /^Cases/ }).click()
    await page.getByRole('link', { name: 'local/one: sent' }).first().waitFor()
    held = undefined
    gate.resolve()
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('✓ Completed · Waits · Benchmaker')
    await expect.poll(() => page.evaluate('window.shown')).toHaveLength(1)
    expect(await page.evaluate('window.shown')).toMatchObject([
      {
        title: 'Waits: completed',
        body: expect.stringMatching(/^Everything fails.* · 6 errors in the last run$/),
      },
    ])

    await page
      .getByRole('link', { name: /^local\/broken: .*error/ })
      .first()
      .click()
    await page.waitForURL(/\/cases\?.*model=local%2Fbroken/)
    await page
      .getByText(/this one is broken/)
      .first()
      .waitFor()

    // Stopped before its first request: nothing was asked, and nothing is an error.
    const stopped = await api('post', 'runs', { suiteId, models: ['demo/good'], maxCost: 0.0001, repeat: 2 })
    await page.goto(`${app.origin}/results/series:${stopped['seriesId']}`)
    await page.getByText(/Stopped at its budget/).waitFor()
    // Of both runs of the series.
    await page.getByRole('button', { name: 'Resume (12 cells left)' }).waitFor()
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
    await expect.poll(() => set.and(page.locator(':focus')).count()).toBe(1)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await focusedName()).not.toBe('Close')
    await page.keyboard.press('Escape')
    await expect.poll(() => set.and(page.locator(':focus')).count()).toBe(1)

    await page.goto(`${app.origin}/suites`)
    const actions = page.getByRole('button', { name: 'Actions for Walk' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Walk?' })
    await dialog.waitFor()
    await expect.poll(focusedName).toBe('Cancel')
    await page.keyboard.press('Escape')
    await expect.poll(() => actions.and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete suite' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    expect(pageErrors).toEqual([])
  })
})

describe('a suite', () => {
  const cases = () => page.getByRole('listbox', { name: 'Cases' }).getByRole('option')

  it('has a history of all edits, and its unsaved changes are listed', async () => {
    const { id } = await api('post', 'suites', { suite: { name: 'History', testCases } })
    await page.goto(`${app.origin}/suites/${id}`)
    await cases().first().click()
    const remove = page.getByRole('button', { name: 'Delete case' })
    for (const left of [5, 4, 3]) {
      await remove.click()
      await expect.poll(() => cases().count()).toBe(left)
    }
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => cases().count()).toBe(5)
    await page.keyboard.press('Control+Shift+Z')
    await expect.poll(() => cases().count()).toBe(4)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => cases().count()).toBe(6)
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
    await page.getByText('Version 1 · saved').waitFor()

    // A checkbox has the focus, but no undo of its own.
    const method = page.getByLabel('Scoring method')
    await method.selectOption('exact-match')
    const partial = page.getByLabel('Partial')
    const before = await partial.isChecked()
    await partial.click()
    await expect.poll(() => partial.isChecked()).toBe(!before)
    await page.keyboard.press('Control+z')
    await expect.poll(() => partial.isChecked()).toBe(before)
    await page.keyboard.press('Control+z')
    await expect.poll(() => method.inputValue()).toBe('boolean')

    // In a text field, the browser's own undo.
    const prompt = page.getByLabel('Prompt', { exact: true })
    await prompt.fill('Something else')
    await prompt.press('Control+z')
    await expect.poll(() => cases().count()).toBe(6)
    await prompt.fill('Unsaved words')
    await page.getByRole('link', { name: 'Suites', exact: true }).click()
    await page.getByText('History has unsaved changes. This browser keeps them; Suites lists them.').waitFor()
    await page.getByRole('link', { name: 'Open the draft of History' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Unsaved words')
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.getByText('Unsaved words').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByText('Unsaved words').count()).toBe(0)
    await page.getByRole('link', { name: 'Suites', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for History' }).waitFor()
    expect(await page.getByText('Unsaved drafts').count()).toBe(0)
  })

  it('can be one of several dropped files, and its actions are in view at any width', async () => {
    await page.goto(`${app.origin}/suites`)
    await page.getByRole('button', { name: 'Actions for History' }).waitFor()
    // A real drop, as far as a page can make one.
    await page.evaluate(`(() => {
      const transfer = new DataTransfer()
      const add = (name, text) => transfer.items.add(new File([text], name))
      add('first.yaml', 'name: First dropped\\ntestCases: [{ id: a, prompt: x, scoringMethod: boolean, expectedOutput: y }]')
      add('second.csv', 'id,prompt,scoringMethod,expectedOutput\\na,x,boolean,y\\n')
      add('third.json', '{"no": "suite"}')
      const target = document.querySelector('main table')
      for (const type of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    })()`)
    const dialog = page.getByRole('dialog', { name: 'Import 3 files' })
    await dialog.getByText('First dropped').waitFor()
    await dialog.getByText('third.json').waitFor()
    await dialog.getByText(/is not a suite/).waitFor()
    await dialog.getByRole('button', { name: 'Save 2 suites' }).click()
    await page.getByText('Imported 2 suites.').waitFor()
    const actions = page.getByRole('button', { name: 'Actions for First dropped' })
    for (const width of [1536, 1280, 1024, 768, 375]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await actions.boundingBox()
      expect(box!.x + box!.width, `${width} px`).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('a model that its server does not list', () => {
  it('can be typed in, and the price of its endpoint gives the estimate', async () => {
    await page.goto(`${app.origin}/settings`)
    await page.getByRole('button', { name: 'Set the price of local' }).click()
    const dialog = page.getByRole('dialog', { name: 'Price of local' })
    expect(await focusedName()).toBe('$ per million input tokens')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await dialog.getByText('The price must be a number from 0 to 1000000.').waitFor()
    await dialog.getByLabel('$ per million output tokens').fill('10')
    await page.keyboard.press('Enter')
    await page.getByText('$2.00 in, $10.00 out per million tokens').waitFor()

    await page.goto(`${app.origin}/arena`)
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByRole('button', { name: 'Add model' }).click()
    await page.getByLabel('Search all models').fill('local/secret-model')
    await page.getByRole('button', { name: 'Use local/secret-model' }).click()
    await page.getByRole('button', { name: 'Done · 1 chosen' }).click()
    await page.getByLabel('Chosen models').getByText('local/secret-model').waitFor()
    await page.getByText(/at most \$0\.\d+/i).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Budget in USD').fill('0.001')
    await page.getByText(/One request can cost up to \$0\.02\d*, more than the budget of \$0\.001/).waitFor()
    expect(await page.getByLabel('Timeout in seconds').inputValue()).toBe('120')
    // The server refuses a file that is not a suite.
    expect(pageErrors.filter((error) => !error.includes('/api/suites/import'))).toEqual([])
  })
})
