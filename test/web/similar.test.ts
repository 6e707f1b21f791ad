import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

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

it('a case is compared by embeddings: tried only at the click of a button, then run', async () => {
  const tried: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/suites/try')) tried.push(request.postData() ?? '')
  })
  await page.goto(`${app.origin}/suites/new`)
  await page.getByRole('tab', { name: 'Suite', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('By meaning')
  await page.getByRole('tab', { name: 'Cases' }).click()
  const form = page.getByRole('form', { name: 'Test case' })
  if ((await form.count()) === 0) await page.getByRole('button', { name: /add/i }).first().click()
  await form.getByLabel('Prompt', { exact: true }).fill('What is the capital of France?')
  await form.getByLabel('Scoring method').selectOption('similar')
  await form.getByLabel('Expected output').fill('Paris')
  await form.getByLabel('Embedding model').fill('demo/embedding')
  tried.length = 0

  const tryIt = page.getByRole('region', { name: 'Try it' })
  await tryIt.getByLabel('Answer to try').fill('paris!')
  await tryIt.getByRole('button', { name: 'Score with embeddings' }).click()
  await tryIt.getByText('cosine similarity 1.000 (demo/embedding, simulated)').waitFor()
  await tryIt.getByText('passed').waitFor()
  expect(tried).toHaveLength(1)

  await page.getByRole('button', { name: 'Save and run' }).click()
  await page.getByRole('heading', { level: 1, name: 'Arena' }).waitFor()
  await page.getByRole('button', { name: 'Run Benchmark' }).click()
  await page.waitForURL(/\/results\//)
  await page.getByRole('button', { name: 'Run again…' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'By meaning' }).waitFor()
  expect(pageErrors).toEqual([])
})
