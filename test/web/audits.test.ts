import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'

let app: App
let browser: Browser
let models: ModelServer
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  models = await startModelServer({
    tokenDelayMs: 2,
    models: ['mute', 'slow'],
    answer: ({ model }) =>
      model === 'slow' ? `{"score": 5, "reasoning": "${'so '.repeat(150)}"}` : 'I would rather not say.',
  })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
  await page.request.put(`${app.origin}/api/settings/endpoints/local`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data: { name: 'local', baseUrl: models.baseUrl },
  })
  await page.goto(`${app.origin}/judges`)
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  removeFolder(app.data)
})

const section = () => page.getByRole('region', { name: 'Audits' })
const card = (judge: string) => page.getByRole('article', { name: `Audit of ${judge}`, exact: true })

async function start(judge: string, only: string[]): Promise<void> {
  await section().getByLabel('Judge to audit').selectOption(judge)
  if (!(await section().getByLabel('Position').isVisible()))
    await section().locator('summary', { hasText: 'Options' }).click()
  for (const name of ['Test-retest', 'Position', 'Verbosity', 'Self-preference', 'Canaries'])
    await section().getByLabel(name).setChecked(only.includes(name))
  await section()
    .getByText(/requests, /)
    .waitFor()
  await section().getByRole('button', { name: 'Audit', exact: true }).click()
}

describe('audits in the web app', () => {
  it('are estimated, run, found with their cases, kept by judge, and can be deleted', async () => {
    await start('demo/judge-first', ['Position'])
    const found = card('demo/judge-first')
    await found.getByText(/24 times in favour of the answer shown first/).waitFor()
    await found.locator('summary', { hasText: '24 pairs' }).click()
    const firstCase = found.locator('details details').first()
    await firstCase.locator('summary').click()
    await firstCase.getByText('A first: the first wins').first().waitFor()
    expect(await findViolations(page)).toEqual([])

    await start('demo/judge-first', ['Position'])
    await found.locator('summary', { hasText: '1 earlier audit' }).click()
    await found.getByRole('link').last().click()
    await page.getByRole('heading', { level: 1, name: 'Audit of demo/judge-first' }).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Judges' }).waitFor()
    await card('demo/judge-first').waitFor()
    await expect.poll(() => page.getByText('1 earlier audit').count()).toBe(0)
  })

  it('say "not tested" if the judge cannot be read, and can be stopped', async () => {
    await start('local/mute', ['Position'])
    await card('local/mute')
      .getByText(/Not tested: 24 of 24 pairs got no usable reply/)
      .waitFor()
    await expect.poll(() => card('local/mute').getByText('Not tested', { exact: true }).count()).toBe(1)

    await start('local/slow', ['Test-retest', 'Canaries'])
    await page
      .getByRole('article', { name: 'Audit of local/slow in progress' })
      .getByRole('button', { name: 'Stop' })
      .click()
    await card('local/slow')
      .getByText(/stopped/)
      .first()
      .waitFor()
    expect(pageErrors).toEqual([])
  })
})
