import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

const caseOf = (id: string, scoringMethod: string) => ({
  id,
  prompt: `Say ${id}`,
  scoringMethod,
  expectedOutput: 'yes',
})

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
  for (const [name, method, count] of [
    ['Alpha', 'boolean', 3],
    ['Beta', 'exact-match', 2],
    ['Gamma', 'exact-match', 1],
  ] as const) {
    const testCases = Array.from({ length: count }, (_, index) => caseOf(`case-${index}`, method))
    const data = { suite: { name, testCases } }
    const reply = await page.request.post(`${app.origin}/api/suites`, { headers: { origin: app.origin }, data })
    expect(reply.status()).toBe(201)
  }
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const links = () => page.locator('[data-suite-link]')

describe('the list of suites', () => {
  it('is filtered and sorted by its address', async () => {
    await page.goto(`${app.origin}/suites?q=a&sort=name`)
    await expect.poll(() => links().allTextContents()).toEqual(expect.arrayContaining(['Alpha', 'Beta', 'Gamma']))
    await page.getByLabel('Search suites').fill('')
    await page.getByLabel('Scoring method', { exact: true }).selectOption('exact-match')
    await page.getByLabel('Order').selectOption('Most cases first')
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=cases&method=exact-match')
    const names = await links().allTextContents()
    expect(names.filter((name) => ['Alpha', 'Beta', 'Gamma'].includes(name))).toEqual(['Beta', 'Gamma'])
    await page.getByLabel('Search suites').fill('no such suite')
    await page.getByText('No matching suites.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => links().allTextContents()).toContain('Alpha')
  })

  it('starts a suite from its row: the Arena has it chosen', async () => {
    await page.goto(`${app.origin}/suites`)
    await page.getByRole('link', { name: 'Run Beta…' }).click()
    await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
    await page.getByRole('button', { name: /Beta/ }).first().waitFor()
  })

  it('deletes the selected suites together, after asking, and only those that are shown', async () => {
    await page.goto(`${app.origin}/suites`)
    for (const name of ['Alpha', 'Beta', 'Gamma']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByText('3 suites selected').waitFor()
    await page.getByLabel('Search suites').fill('ta')
    await page.getByText('1 suite selected').waitFor()
    await page.getByLabel('Search suites').fill('')
    await page.getByRole('checkbox', { name: 'Select Beta' }).uncheck()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 suites?' })
    expect((await dialog.getByRole('listitem').allTextContents()).toSorted()).toEqual(['Alpha', 'Gamma'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Alpha' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: 'Delete 2 suites' }).click()
    await dialog.waitFor({ state: 'detached' })
    for (const name of ['Alpha', 'Gamma'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).waitFor({ state: 'detached' })
    expect(await page.getByRole('checkbox', { name: 'Select Beta' }).count()).toBe(1)
    expect(pageErrors).toEqual([])
  })
})
