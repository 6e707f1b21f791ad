import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const others = ['Who wrote Faust?', 'Is a whale a fish?', 'Name the longest river of Africa.', 'What is HTTP?']
const story = (index: number) =>
  `Anna has ${7 * index} apples in a box and gives ${index} to a friend. How many apples are left in the box?`
const suite = {
  name: 'Mixed',
  testCases: [story(2), story(3), story(4), ...others].map((prompt, index) => ({
    id: `c${index}`,
    prompt,
    scoringMethod: 'exact-match',
    expectedOutput: `k${index}`,
  })),
}

it('warns of templates, keeps them as clusters, and counts groups afterwards', async () => {
  const { id } = await callApi<{ id: string }>(page, app, 'POST', '/suites', { suite })
  const run = async () => {
    const { runId } = await callApi<{ runId: string }>(page, app, 'POST', '/runs', {
      suiteId: id,
      models: ['demo/good', 'demo/fair'],
    })
    await page.goto(`${app.origin}/results/${runId}`)
  }
  await run()
  await expect
    .poll(() => page.getByRole('region', { name: 'Verdict' }).textContent())
    .toContain('3 of 7 cases look like variants of 1 template.')

  await page.goto(`${app.origin}/suites/${id}?tab=check`)
  const finding = page
    .getByRole('listitem')
    .filter({ hasText: '3 of 7 cases look like variants of 1 template' })
    .first()
  await finding.getByRole('button', { name: 'Keep these groups' }).click()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => page.getByRole('status').first().textContent()).toContain('saved')
  await page.goto(`${app.origin}/suites/${id}?case=c1`)
  expect(await page.getByLabel('Cluster').inputValue()).toBe('c0')
  await page.goto(`${app.origin}/suites/${id}?tab=suite`)
  expect(await page.getByLabel('Cluster cases by').inputValue()).toBe('')
  await page.goto(`${app.origin}/suites/${id}?tab=check`)
  await expect.poll(() => page.getByText('Nothing wrong found.').isVisible()).toBe(true)

  await run()
  await expect.poll(() => page.locator('main').textContent()).toContain('7 cases in 5 groups')
  expect(await page.locator('main').textContent()).not.toContain('look like variants')
  expect(pageErrors).toEqual([])
})
