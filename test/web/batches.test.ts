import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { startBatchServer, type BatchServer } from '../fakes/batch-server.ts'

const CASES = 4

let provider: BatchServer
let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  provider = await startBatchServer({ batchMs: Infinity, answer: () => 'yes' })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await provider.close()
  removeFolder(app.data)
})

async function send(path: string, data: unknown, method: 'POST' | 'PUT' = 'POST') {
  const headers = { 'content-type': 'application/json', origin: app.origin }
  return page.context().request.fetch(`${app.origin}/api${path}`, { method, headers, data })
}

it('a run in batches waits with the words of the provider, on every screen, and ends with the answers', async () => {
  await send('/settings/endpoints/slowly', { name: 'slowly', baseUrl: provider.baseUrl }, 'PUT')
  const testCases = Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Is ${index} a number?`,
    scoringMethod: 'exact-match',
    expectedOutput: 'yes',
  }))
  const { id: suiteId }: { id: string } = await (
    await send('/suites', { suite: { name: 'Numbers', testCases } })
  ).json()
  await page.goto(`${app.origin}/arena?suite=${suiteId}`)
  await page.getByRole('button', { name: 'Add model' }).click()
  await page.getByLabel('Search all models').fill('slowly/m')
  await page.getByRole('button', { name: 'Use slowly/m' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('switch', { name: 'Use the batch API' }).click()
  await page.getByRole('button', { name: 'Run Benchmark' }).click()
  const words = /Waiting for slowly: batch \w+ is "in progress", 0 of 4 requests done/
  await page.getByText(words).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  const runAddress = page.url()
  await page.getByRole('columnheader', { name: 'Pending' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Not run' }).count()).toBe(0)
  await page.getByRole('link', { name: /^Cases/ }).click()
  await page.getByRole('region', { name: 'Cases' }).getByText('sent', { exact: true }).first().waitFor()
  await page.goto(`${app.origin}/results`)
  const row = page.getByRole('row').filter({ hasText: 'Numbers' })
  await row.getByText('4 pending').waitFor()
  expect(await row.getByText('waiting', { exact: true }).getAttribute('title')).toMatch(words)
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByText('cost unknown').waitFor()
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto(runAddress)
  await page.getByText(words).waitFor()
  provider.endBatches()
  await page.getByRole('region', { name: 'Verdict' }).getByText('scored 100.0').waitFor({ timeout: 90_000 })
  expect([...provider.billed.values()]).toEqual([1, 1, 1, 1])
  expect(pageErrors).toEqual([])
})
