import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'

let models: ModelServer
let app: App
let browser: Browser

const cases = Array.from({ length: 24 }, (_, index) => ({
  id: `case-${index}`,
  prompt: `Say ${index}`,
  scoringMethod: 'boolean',
  expectedOutput: 'e',
}))

beforeAll(async () => {
  models = await startModelServer({ latencyMs: 400 })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  removeFolder(app.data)
})

describe('a run whose server dies', () => {
  it('shows the same in two tabs, survives kill -9, and can be resumed from an open tab', async () => {
    const { page, context } = await signIn(browser, app)
    const session = context.request
    const json = { 'content-type': 'application/json', origin: app.origin }
    await session.put(`${app.origin}/api/settings/endpoints/local`, {
      headers: json,
      data: { name: 'local', baseUrl: models.baseUrl },
    })
    const suite = await (
      await session.post(`${app.origin}/api/suites`, {
        headers: json,
        data: { suite: { name: 'Slow', testCases: cases } },
      })
    ).json()
    const started = await session.post(`${app.origin}/api/runs`, {
      headers: json,
      data: { suiteId: suite.id, models: ['local/slow'], concurrency: 2 },
    })
    expect(started.status()).toBeLessThan(300)
    const { runId } = await started.json()

    await page.goto(`${app.origin}/arena/run/${runId}`)
    await page
      .getByText(/\b[2-9] of 24/)
      .first()
      .waitFor()
    const second = await context.newPage()
    await second.goto(`${app.origin}/arena/run/${runId}`)
    await second.getByText(/of 24/).first().waitFor()

    const port = Number(new URL(app.origin).port)
    await app.kill()
    await page.getByText('The connection to Benchmaker was lost').waitFor()
    app = await startApp({ data: app.data, port })

    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('24 of 24').first().waitFor({ timeout: 60_000 })
    await second.getByText('24 of 24').first().waitFor({ timeout: 60_000 })
    const results = await (await session.get(`${app.origin}/api/results/${runId}`)).json()
    expect(results.rows[0].score.n).toBe(24)
    // Two requests were in flight when it was killed: only those may have been sent twice.
    expect(models.stats().byModel['slow']).toBeLessThanOrEqual(24 + 2)
    await context.close()
  })
})

describe('a run that stops at its budget', () => {
  it('says so even after a reload, and can be resumed with a higher one', async () => {
    const { page, context, pageErrors } = await signIn(browser, app)
    const json = { 'content-type': 'application/json', origin: app.origin }
    const send = async (path: string, data: object) =>
      (await context.request.post(`${app.origin}/api/${path}`, { headers: json, data })).json()
    const { id } = await send('suites', { suite: { name: 'Expensive', testCases: cases.slice(0, 6) } })
    const request = { suiteId: id, models: ['demo/good'], concurrency: 1, parameters: { maxTokens: 50 } }
    const { cost } = await send('estimate', request)
    const { runId } = await send('runs', { ...request, maxCost: cost / 2 })

    await page.goto(`${app.origin}/arena/run/${runId}`)
    await page.getByText('The budget is used up').waitFor()
    await page.getByRole('heading', { name: 'Leaderboard so far' }).waitFor()
    await page.reload()
    await page.getByText('The budget is used up').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resume with a higher budget' })
    const budget = dialog.getByLabel('New budget in USD')
    await budget.fill(String(cost / 4))
    expect(await dialog.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true)
    expect(await findViolations(page)).toEqual([])
    await budget.fill(String(cost * 2))
    await budget.press('Enter')
    await page.getByText('6 of 6 cells').first().waitFor()
    await page.getByRole('heading', { name: 'Leaderboard', exact: true }).waitFor()
    expect(pageErrors).toEqual([])
    await context.close()
  })
})
