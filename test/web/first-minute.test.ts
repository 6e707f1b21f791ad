import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

describe('the first minute, without a key and with an empty database', () => {
  it('offers a benchmark to run, shows it live, and explains that the models are simulated', async () => {
    const { page, pageErrors, context } = await signIn(browser, app)
    await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Suite to run: First look, 30 cases' }).waitFor()
    expect(await page.locator('input:visible, select:visible, textarea:visible').count()).toBe(0)
    const chosen = page.getByRole('list', { name: 'Chosen models' })
    for (const model of ['demo/good', 'demo/fair', 'demo/poor']) await chosen.getByText(model).waitFor()
    await page.getByText('The chosen models are simulated').waitFor()

    // Choose, then run: what differs from the defaults is behind Options.
    expect(await page.locator('main').locator('input, textarea, select').filter({ visible: true }).count()).toBe(0)
    // One click from here to the verdict.
    await page.getByRole('button', { name: 'Run Benchmark' }).click()
    await page.waitForURL(/\/results\//)
    await page.getByRole('button', { name: 'Run again…' }).waitFor()
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor()
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText(/^(demo\/good is best: it beats|Too close to call: between) demo\/\w+ /)
      .waitFor()
    expect(await page.getByText('simulated').count()).toBeGreaterThan(0)
    expect(pageErrors).toEqual([])
    await context.close()
  })

  it('accepts the link once; a browser without a session sees how to sign in, and no data', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const reply = await page.goto(app.url)
    expect(reply!.status()).toBeGreaterThanOrEqual(400)
    expect(await page.content()).toMatch(/link/i)
    const bare = await page.goto(`${app.origin}/results`)
    expect(await page.content()).not.toContain('demo/good')
    expect((await context.request.get(`${app.origin}/api/runs`)).status()).toBe(401)
    expect(bare!.headers()['content-security-policy']).not.toMatch(/script-src[^;]*unsafe-inline/)
    await context.close()
  })
})
