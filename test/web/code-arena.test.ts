import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
  page.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const models = ['demo/good', 'demo/fair', 'demo/poor']

/** The tests build on each other. */
describe('pages that models write', () => {
  it('appear side by side, live, in frames with separate origins, and are judged by their looks', async () => {
    await page.goto(`${app.origin}/code-arena`)
    await page.getByRole('button', { name: 'Pricing page' }).click()
    await page.getByRole('button', { name: 'Run Code Arena' }).click()
    await page.waitForURL(/\/code-arena\/\d/)
    for (const model of models) await page.getByRole('article', { name: model }).getByText('Judged').waitFor()
    const origins = new Set<string>()
    for (const model of models) {
      const frame = page.getByRole('article', { name: model }).locator('iframe').first()
      const source = await frame.getAttribute('src')
      expect(source).toMatch(/^http:\/\/[\w-]+\.localhost:\d+\//)
      expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
      origins.add(new URL(source!).origin)
    }
    expect(origins.size).toBe(models.length)
    const good = page
      .frames()
      .find((frame) => frame.url().includes('.localhost:') && frame.parentFrame() === page.mainFrame())
    expect((await good!.locator('body').innerText()).length).toBeGreaterThan(20)
  })

  it('show their code, console and findings, including screenshots', async () => {
    const panel = page.getByRole('article', { name: 'demo/poor' })
    await panel.getByRole('tab', { name: /Code/ }).click()
    await panel
      .getByText(/<html|<div|<body/i)
      .first()
      .waitFor()
    await panel.getByRole('tab', { name: /Findings/ }).click()
    const thumbnail = panel.getByRole('button', { name: /Open the screenshot at 768 px/ }).first()
    const picture = thumbnail.locator('img')
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((element) => 'naturalWidth' in element && Number(element.naturalWidth) > 0))
      .toBe(true)
    expect(await findViolations(page)).toEqual([])
  })

  it('are voted on blind, which reveals and ranks the models', async () => {
    await page.getByRole('link', { name: 'Vote blind' }).click()
    await page.getByRole('button', { name: 'A is better' }).waitFor()
    const before = await page.locator('main').innerHTML()
    for (const model of models) expect(before).not.toContain(model)
    await page.getByRole('button', { name: 'A is better' }).click()
    await page.getByRole('button', { name: 'Next pair' }).waitFor()
    expect(models.filter((model) => page.getByText(model).first().isVisible()).length).toBeGreaterThan(1)
    // A slip can be undone while the names are shown.
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Tie' }).click()
    await page.getByText(/You saw no difference between/).waitFor()
    await page.goto(`${app.origin}/code-arena?tab=ranking`)
    await page.getByRole('region', { name: 'Ranking by votes' }).getByText('demo/').first().waitFor()
    await page.getByRole('region', { name: 'Ranking by judgements' }).getByText('demo/good').first().waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  it('are in the history, fit a phone, and follow the dark theme', async () => {
    await page.goto(`${app.origin}/code-arena?tab=history`)
    await page
      .getByRole('link', { name: /pricing page/i })
      .first()
      .click()
    await page.getByRole('article', { name: 'demo/good' }).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.getByRole('article', { name: 'demo/good' }).getByText('Judged').waitFor()
    await expectNoSidewaysScroll(page)
    expect(await findViolations(page)).toEqual([])
    // The poor page has a bug on purpose; there must be no other errors.
    expect([...new Set(pageErrors)]).toEqual(['prices is not defined'])
  })
})
