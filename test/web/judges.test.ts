import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page

beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  page = (await signIn(browser, app, { viewport: { width: 1280, height: 900 } })).page
}, 120_000)
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

it('calibrates a judge on a set and with a preset, says how sure it is, and keeps a history by prompt', async () => {
  await page.goto(`${app.origin}/judges`)
  await page.getByLabel('Judge model').selectOption('demo/judge')
  await page.getByLabel('Samples', { exact: true }).selectOption('facts')
  await page.getByRole('button', { name: 'Calibrate' }).click()
  await page.getByRole('heading', { level: 1, name: 'demo/judge' }).waitFor()
  const figures = page.getByRole('table', { name: /Figures and the thresholds/ })
  await expect.poll(() => figures.getByRole('row', { name: /^Bias/ }).innerText()).toMatch(/to [+−]?\d/)
  expect(await page.getByText(/on these 26; /).innerText()).toMatch(/could be|hardly change/)
  await page.getByText('trap: confident and wrong').first().waitFor()
  await page.getByText('Why 0.0: A popular myth told as fact').waitFor()

  await page.goto(`${app.origin}/judges`)
  await page.getByLabel('Criteria').selectOption('faithfulness')
  await expect.poll(() => page.getByLabel('Samples', { exact: true }).inputValue()).toBe('faithfulness')
  await page.getByRole('button', { name: 'Calibrate' }).click()
  await page.getByText('prompt llm-judge/1+faithfulness/1').waitFor()

  await page.goto(`${app.origin}/judges`)
  const history = page.getByRole('region', { name: 'Calibrations' })
  await history.getByRole('cell', { name: 'llm-judge/1+faithfulness/1' }).waitFor()
  await expect.poll(() => history.getByRole('cell', { name: 'facts/1' }).count()).toBe(1)
})

it('takes own samples in points of 100 and lists only runs that have ratings', async () => {
  await page.goto(`${app.origin}/judges`)
  await page.getByLabel('Samples', { exact: true }).selectOption('own samples')
  const box = page.getByLabel('Your samples')
  const sample = { id: 'mine', prompt: 'Why?', response: 'Because.', expectedOutput: 'Because.' }
  await box.fill(JSON.stringify([{ ...sample, expectedScore: 0.8 }]))
  await page.getByText('write 80 for 0.8').waitFor()
  expect(await page.getByRole('button', { name: 'Calibrate' }).isDisabled()).toBe(true)
  await page.getByLabel('Samples', { exact: true }).selectOption('rated answers')
  await page.getByText('No run has ratings yet.').waitFor()
  await page.getByLabel('Samples', { exact: true }).selectOption('own samples')
  await box.fill(JSON.stringify([{ ...sample, expectedScore: 80, tolerance: 20 }]))
  await page.getByRole('button', { name: 'Calibrate' }).click()
  await page.getByRole('heading', { level: 1, name: 'demo/judge' }).waitFor()
  const row = page.getByRole('row', { name: /mine/ })
  await expect.poll(() => row.innerText()).toMatch(/80\.0\s+100\.0\s+\+20\.0/)
})

it('offers the presets where a suite is edited', async () => {
  await page.goto(`${app.origin}/suites/new`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByRole('tab', { name: /Suite|Settings/ })
    .first()
    .click()
  const choice = page.getByLabel('Judge preset')
  await choice.selectOption('safety')
  await page.getByText('Does it help where it should and refuse where it must?').waitFor()
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByText('preset: safety').waitFor()
})
