import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const testCases = Array.from({ length: 300 }, (_, index) => ({
  id: `sum-${index}`,
  prompt: `What is ${index} + ${index * 3}?`,
  scoringMethod: 'numeric-tolerance',
  expectedOutput: String(index * 4),
}))

it('a run stops when decided, with the evidence drawn against its line and what it saved', async () => {
  const saved = await page.request.post(`${app.origin}/api/suites`, { data: { suite: { name: 'Sums', testCases } } })
  const { id: suiteId }: { id: string } = await saved.json()
  await page.goto(`${app.origin}/arena?suite=${suiteId}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('switch', { name: 'Stop when decided' }).click()
  await page.getByLabel('Decide', { exact: true }).selectOption('Only the best')
  // The simulated models take their time: these two are decided within a few cases.
  await page.getByRole('button', { name: 'Remove demo/fair' }).click()
  // The choice is still there after a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.poll(() => page.getByRole('switch', { name: 'Stop when decided' }).isChecked()).toBe(true)
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/runs') && request.method() === 'POST')
  await page.getByRole('button', { name: 'Run Benchmark' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ until: 'decided', decide: 'best' })

  const verdict = page.getByRole('region', { name: 'Verdict' })
  await verdict.getByText(/Saved \d+ of 600 requests, about \$/).waitFor({ timeout: 60_000 })
  await verdict
    .getByText(/demo\/good beats demo\/poor/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Statistics' }).click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await evidence.getByText(/Stopped when decided after \d+ of 300 cases/).waitFor()
  await evidence.getByRole('img', { name: /Evidence against a line/ }).waitFor()
  await evidence.getByText('demo/good').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)

  await page.getByRole('link', { name: 'Overview' }).click()
  await verdict.getByText(/Saved/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  await expectNoSidewaysScroll(page)
  expect(pageErrors).toEqual([])
})
