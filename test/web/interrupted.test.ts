import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

let models: ModelServer
let app: App
let browser: Browser

const cases = Array.from({ length: 24 }, (_, index) => ({
  id: `case-${index}`,
  prompt: `Say ${index}`,
  scoringMethod: 'boolean',
  expectedOutput: 'e',
}))

/** Alive, but without progress. Not while it holds the lock of the database: then nobody could go on. */
async function freeze(child: ChildProcess, file: string): Promise<void> {
  for (;;) {
    child.kill('SIGSTOP')
    const database = new DatabaseSync(file, { timeout: 1000 })
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      return
    } catch {
      child.kill('SIGCONT')
      await pause(20)
    } finally {
      database.close()
    }
  }
}

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

    await page.goto(`${app.origin}/results/${runId}`)
    await page
      .getByText(/: [2-9] of 24/)
      .first()
      .waitFor()
    const second = await context.newPage()
    await second.goto(`${app.origin}/results/${runId}`)
    await second.getByText(/of 24/).first().waitFor()

    const port = Number(new URL(app.origin).port)
    await app.kill()
    await page.getByText('The connection to Benchmaker was lost').waitFor()
    app = await startApp({ data: app.data, port })

    // The other tab knows by then that it was interrupted, and follows all the same.
    await second.getByRole('button', { name: 'Resume' }).waitFor()
    // What is left takes less time than there is between two looks of the other tab.
    const fast = await startModelServer()
    onTestFinished(() => fast.close())
    await session.put(`${app.origin}/api/settings/endpoints/local`, {
      headers: json,
      data: { name: 'local', baseUrl: fast.baseUrl },
    })
    await page.getByRole('button', { name: 'Resume' }).click()
    for (const tab of [page, second]) await tab.getByRole('cell', { name: /^\d+\/24$/ }).waitFor({ timeout: 60_000 })
    const results = await (await session.get(`${app.origin}/api/results/${runId}`)).json()
    expect(results.rows[0].score.n).toBe(24)
    // Two requests were in flight when it was killed: only those may have been sent twice.
    expect(models.stats().byModel['slow']! + fast.stats().byModel['slow']!).toBeLessThanOrEqual(24 + 2)
    await context.close()
  })
})

describe('a run that another process works on', () => {
  it('is not called interrupted; the page says who works on it, and takes it over only when asked', async () => {
    // A link works only once.
    const own = await startApp()
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-elsewhere-'))
    const file = join(folder, 'suite.json')
    writeFileSync(file, JSON.stringify({ name: 'Elsewhere', testCases: cases }))
    const places = ['--base-url', models.baseUrl, '--concurrency', '2', '--data', own.data]
    const other = spawn(process.execPath, [builtProgram, 'run', file, '--models', 'other', ...places], {
      stdio: 'ignore',
    })
    const ended = once(other, 'exit')
    const { page, context, pageErrors } = await signIn(browser, own)
    const find = async () => {
      const { runs } = await (await context.request.get(`${own.origin}/api/runs?limit=50`)).json()
      return runs.find(({ testSuiteName }: { testSuiteName: string }) => testSuiteName === 'Elsewhere')
    }
    while (((await find())?.cells.scored ?? 0) < 2) await new Promise((resolve) => setTimeout(resolve, 50))
    onTestFinished(() => void other.kill('SIGKILL'))
    await freeze(other, join(own.data, 'benchmaker.db'))
    const { id } = await find()
    const owner = new RegExp(`process ${other.pid} on host`)

    await page.goto(`${own.origin}/results`)
    const row = page.getByRole('row').filter({ hasText: 'Elsewhere' })
    await row.getByText('running in another process').waitFor()
    await page.goto(`${own.origin}/arena`)
    await page.getByText(owner).waitFor()
    await page.goto(`${own.origin}/results/${id}`)
    await page.getByText('Another process is working on this run').waitFor()
    await page.getByText(owner).first().waitFor()
    expect(await page.getByText('Interrupted').count()).toBe(0)
    await page.getByRole('button', { name: 'Take over…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take over the run?' })
    await dialog.getByText('only when you know that this process is dead').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('cell', { name: /^\d+\/24$/ }).waitFor({ timeout: 60_000 })

    // The other one notices that it lost the run, and stops.
    other.kill('SIGCONT')
    await ended
    expect(models.stats().byModel['other']).toBeLessThanOrEqual(24 + 2 * 2)
    expect(pageErrors).toEqual([])
    await context.close()
    await own.stop()
    removeFolder(own.data)
    rmSync(folder, { recursive: true, force: true })
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

    await page.goto(`${app.origin}/results/${runId}`)
    await page.getByText('Stopped at its budget').waitFor()
    await page.reload()
    await page.getByText('Stopped at its budget').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resume with a higher budget' })
    const budget = dialog.getByLabel('New budget in USD')
    await budget.fill(String(cost / 4))
    expect(await dialog.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true)
    expect(await findViolations(page)).toEqual([])
    await budget.fill(String(cost * 2))
    await budget.press('Enter')
    await page.getByText('Stopped at its budget').waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await (await context.request.get(`${app.origin}/api/results/${runId}`)).json()).resume)
      .toBeUndefined()
    expect(pageErrors).toEqual([])
    await context.close()
  })

  it('says so in the Code Arena too', async () => {
    const own = await startApp()
    const { page, context, pageErrors } = await signIn(browser, own)
    const reply = await context.request.post(`${own.origin}/api/code-arena`, {
      headers: { 'content-type': 'application/json', origin: own.origin },
      data: { prompt: 'A page about tea', models: ['demo/good', 'demo/fair'], maxCost: 0.000001 },
    })
    const { runId } = await reply.json()
    await page.goto(`${own.origin}/code-arena/${runId}`)
    await page.getByText('Stopped at its budget of').waitFor()
    await page.reload()
    await page.getByText('Stopped at its budget of').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resume with a higher budget' })
    await dialog.getByLabel('New budget in USD').fill('5')
    await dialog.getByLabel('New budget in USD').press('Enter')
    await page.getByText('Stopped at its budget of').waitFor({ state: 'hidden' })
    await dialog.waitFor({ state: 'hidden' })
    expect(pageErrors).toEqual([])
    await context.close()
    await own.stop()
    removeFolder(own.data)
  })
})
