import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let context: BrowserContext
let page: Page

/** A model server that lists its models, and answers, only while it is up. */
let isUp = false
const lab = createServer((request, reply) => {
  request.resume()
  if (!isUp) return reply.writeHead(503).end('starting')
  const message = { role: 'assistant', content: 'A short and polite letter.' }
  const body =
    request.method === 'GET' ? { data: [{ id: 'small' }] } : { choices: [{ message, finish_reason: 'stop' }] }
  return reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

beforeAll(async () => {
  lab.listen(0, '127.0.0.1')
  await once(lab, 'listening')
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context, page } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  lab.close()
  removeFolder(app.data)
})

function send(method: 'POST' | 'PUT', path: string, data: unknown) {
  const headers = { 'content-type': 'application/json', origin: app.origin }
  return context.request.fetch(`${app.origin}/api${path}`, { method, headers, data })
}

/** The tests build on each other. */
describe('the Arena', () => {
  it('starts nothing while the estimate is of another choice', async () => {
    await page.goto(`${app.origin}/arena`)
    const run = page.getByRole('button', { name: 'Run Benchmark' })
    const several = page.getByRole('button', { name: 'Run several times' })
    await page.getByText('90 answers').waitFor()
    await expect.poll(() => run.isEnabled()).toBe(true)
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/estimate', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Remove demo/poor' }).click()
    expect(await run.isEnabled()).toBe(false)
    expect(await several.isEnabled()).toBe(false)
    // What was estimated before stays, so that nothing jumps.
    await page.getByText('90 answers').waitFor()
    await page.keyboard.press('Control+Enter')
    release()
    await page.getByText('60 answers').waitFor()
    await expect.poll(() => run.isEnabled()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/arena')
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('says in one line which endpoint lists nothing, and lists its models after Retry', async () => {
    const baseUrl = `http://127.0.0.1:${(lab.address() as AddressInfo).port}/v1`
    expect((await send('PUT', '/settings/endpoints/lab', { name: 'lab', baseUrl })).ok()).toBe(true)
    await page.goto(`${app.origin}/arena`)
    await page.getByRole('button', { name: 'Add model' }).click()
    const retry = page.getByRole('button', { name: 'List the models of lab again' })
    const answered = page.waitForResponse(/\/api\/models/)
    await retry.click()
    await answered
    await expect.poll(() => retry.isEnabled()).toBe(true)
    expect(await page.getByRole('option', { name: /^lab\/small/ }).count()).toBe(0)
    isUp = true
    await retry.click()
    await page.getByRole('option', { name: /^lab\/small/ }).click()
    expect(await retry.count()).toBe(0)
    await page.getByRole('button', { name: /^Done/ }).click()
  })

  it('chooses no simulated judge for real answers, warns of one, and marks what it graded', async () => {
    const suite = await send('POST', '/suites', {
      suite: { name: 'Letters', testCases: [{ id: 'letter', prompt: 'Write a letter.', scoringMethod: 'llm-judge' }] },
    })
    const { id } = await suite.json()
    await page.goto(`${app.origin}/arena?suite=${id}`)
    const chosen = page.getByRole('list', { name: 'Chosen models' })
    await chosen.getByText('lab/small').waitFor()
    await page.getByRole('button', { name: 'Choose a judge' }).waitFor()
    expect(await page.getByText(/simulated judge/).count()).toBe(0)

    const started = await send('POST', '/runs', { suiteId: id, models: ['lab/small'], judgeModelIds: ['demo/judge'] })
    const { runId } = await started.json()
    await page.goto(`${app.origin}/results/${runId}`)
    await page
      .getByText(/demo\/judge is a simulated judge: its grades of real answers mean nothing/)
      .first()
      .waitFor()
    await page.goto(`${app.origin}/results/${runId}/case?id=letter`)
    await page.getByText('demo/judge is simulated: this score means nothing.').first().waitFor()
  })
})

describe('the list of results', () => {
  it('says what Rescore scores with before it does', async () => {
    await page.goto(`${app.origin}/results`)
    await page.getByRole('button', { name: /^Actions for Letters/ }).click()
    await page.getByRole('menuitem', { name: 'Rescore…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rescore?' })
    await dialog.getByText('scored with the suite as it is now').waitFor()
    const rescored = page.waitForRequest((request) => request.url().endsWith('/rescore'))
    await dialog.getByRole('button', { name: 'Rescore' }).click()
    await rescored
    await dialog.waitFor({ state: 'detached' })
  })
})
