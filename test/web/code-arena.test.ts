import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findBarriers, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, complaints } = await signIn(browser, app))
  page.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const models = ['demo/good', 'demo/fair', 'demo/poor']

/** One story, told in steps that follow each other. */
describe('pages that models write', () => {
  it('appear side by side, live, in frames of origins of their own, and are judged by what they look like', async () => {
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

  it('show their code, their console and what was found, screenshots included', async () => {
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
    expect(await findBarriers(page)).toEqual([])
  })

  it('are voted on without names, which come afterwards, and rank the models', async () => {
    await page.getByRole('link', { name: 'Vote blind' }).click()
    await page.getByRole('button', { name: 'A is better' }).waitFor()
    const before = await page.locator('main').innerHTML()
    for (const model of models) expect(before).not.toContain(model)
    await page.getByRole('button', { name: 'A is better' }).click()
    await page.getByRole('button', { name: 'Next pair' }).waitFor()
    expect(models.filter((model) => page.getByText(model).first().isVisible()).length).toBeGreaterThan(1)
    await page.goto(`${app.origin}/code-arena?tab=ranking`)
    await page.getByRole('region', { name: 'Ranking by votes' }).getByText('demo/').first().waitFor()
    await page.getByRole('region', { name: 'Ranking by judgements' }).getByText('demo/good').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('are found again in the history, fit a phone, and are dark when asked', async () => {
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
    expect(await findBarriers(page)).toEqual([])
    // The poor page has a mistake of its own; nothing else complained.
    expect([...new Set(complaints)]).toEqual(['prices is not defined'])
  })
})
