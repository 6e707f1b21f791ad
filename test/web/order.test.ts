import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

/** Names, tags, notes, search and a suite's trend, as people use them; the terminal works on the same data. */
let app: App
let browser: Browser
let page: Page
let pageErrors: string[]
const suiteId = 'example-first-look'

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

async function run(request: object): Promise<string> {
  const { runId } = await callApi<{ runId: string }>(page, app, 'POST', '/runs', {
    suiteId,
    models: ['demo/good'],
    ...request,
  })
  await expect
    .poll(
      async () =>
        (await callApi<{ runs: { id: string; status: string }[] }>(page, app, 'GET', '/runs')).runs.find(
          ({ id }) => id === runId,
        )?.status,
      { timeout: 60_000 },
    )
    .toBe('completed')
  return runId
}

const terminal = (...args: string[]) =>
  promisify(execFile)(process.execPath, [builtProgram, ...args, '--data', app.data], { env: process.env })

const isFocused = async (target: Locator) => (await target.and(page.locator(':focus')).count()) === 1
const button = (name: RegExp) => page.getByRole('button', { name })

describe('keeping order', () => {
  it('a run is named, tagged and found again, in the list and on its page', async () => {
    const named = await run({ limit: 2 })
    const other = await run({ limit: 1 })
    const hostile = '<img src=x onerror=alert(1)> \u202Eevil'
    await page.goto(`${app.origin}/results`)
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
    const row = rows.filter({ has: page.locator(`a[href="/results/${named}"]`) })
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Name, tags, note…' }).click()
    const form = page.getByRole('form', { name: 'Name, tags and note of the run' })
    await expect.poll(() => isFocused(form.getByLabel('Name'))).toBe(true)
    await page.keyboard.type(hostile)
    await form.getByLabel('Tags').fill(`Baseline, v2, baseline, ${'x'.repeat(51)}`)
    await form.getByText('Must have at most 50 characters.').waitFor()
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await form.getByLabel('Tags').fill('Baseline, v2, baseline')
    await form.getByLabel('Note').fill('Kept for the report.\nSecond line.')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await form.waitFor({ state: 'detached' })
    await row.getByText(hostile, { exact: true }).waitFor()
    expect(await row.getByRole('list', { name: 'Tags' }).getByRole('listitem').allTextContents()).toEqual([
      'Baseline',
      'v2',
    ])
    await expect.poll(() => isFocused(button(/^Actions for <img/))).toBe(true)

    await row.getByRole('link', { name: hostile }).click()
    await page.getByText('Second line.').waitFor()
    await page.getByRole('button', { name: 'Edit name, tags and note' }).click()
    const onPage = page.getByRole('form', { name: 'Name, tags and note of the run' })
    await onPage.getByLabel('Name').fill('thrown away')
    await page.keyboard.press('Escape')
    await page.locator('[data-label=name]', { hasText: hostile }).waitFor()
    await expect.poll(() => isFocused(button(/^Edit name, tags and note$/))).toBe(true)

    // Meanwhile another process changes a field; what is saved here keeps it.
    await page.keyboard.press('Enter')
    await onPage.getByLabel('Name').fill('Renamed')
    await terminal('label', named, '--tag', 'from-terminal')
    await onPage.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'from-terminal' }).waitFor()
    await page.locator('[data-label=name]', { hasText: 'Renamed' }).waitFor()
    expect(await findViolations(page)).toEqual([])

    await page.getByRole('link', { name: 'from-terminal' }).click()
    expect(new URL(page.url()).search).toBe('?tag=from-terminal')
    await page.getByText('1 run found').waitFor()
    await page.reload()
    await page.getByText('1 run found').waitFor()
    expect(await rows.count()).toBe(2)
    await page.getByRole('button', { name: 'from-terminal' }).click()
    const search = page.getByRole('searchbox', { name: 'Search runs' })
    await search.fill('second LINE completed')
    await page.getByText('1 run found').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('second LINE completed')
    await search.fill('failed')
    await page.getByText('No runs match “failed”.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show all runs' }).click()
    await page.locator(`a[href="/results/${other}"]`).waitFor()
    const { stdout } = await terminal('list', '--search', 'renamed first', '--json')
    expect(JSON.parse(stdout).runs).toMatchObject([
      { id: named, label: { name: 'Renamed', tags: ['from-terminal'], note: 'Kept for the report.\nSecond line.' } },
    ])
    expect(pageErrors).toEqual([])
  })

  it('a suite’s trend joins only complete runs of the same cases, and says what changed', async () => {
    const { id } = await callApi<{ id: string }>(page, app, 'POST', '/suites', {
      suite: {
        name: 'Trend',
        testCases: ['a', 'b'].map((caseId) => ({
          id: caseId,
          prompt: `Say ${caseId}`,
          expectedOutput: caseId,
          scoringMethod: 'boolean',
        })),
      },
    })
    await page.goto(`${app.origin}/suites/${id}/trend`)
    await page.getByText('No trend yet: this suite has not been run.').waitFor()
    const first = await run({ suiteId: id, label: { name: 'First' } })
    await page.reload()
    await page.getByText('No trend yet: the suite has one run.').waitFor()
    await run({ suiteId: id, limit: 1 })
    const { suite, version } = await callApi<{ suite: object; version: number }>(page, app, 'GET', `/suites/${id}`)
    await callApi(page, app, 'PUT', `/suites/${id}`, { suite: { ...suite, systemPrompt: 'Be exact.' }, after: version })
    await run({ suiteId: id, parameters: { temperature: 0 } })
    // A run that was stopped, from a file.
    const { stdout } = await terminal('export', first, '--format', 'json')
    const exported = JSON.parse(stdout)
    const [copy] = exported.runs
    writeFileSync(
      join(app.data, 'stopped.json'),
      JSON.stringify({
        runs: [
          {
            ...copy,
            id: 'stopped',
            label: { name: 'Stopped' },
            status: 'cancelled',
            results: copy.results.slice(0, 1),
          },
        ],
      }),
    )
    await terminal('import', join(app.data, 'stopped.json'))

    await page.goto(`${app.origin}/suites`)
    await page
      .getByRole('button', { name: /Trend$/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Trend' }).click()
    const table = page.getByRole('group', { name: 'Runs of this suite over time' })
    await table.waitFor()
    expect(new URL(page.url()).pathname).toBe(`/suites/${id}/trend`)
    const rows = await table.getByRole('row').allInnerTexts()
    expect(rows).toHaveLength(5)
    expect(rows[1]).toMatch(/Stopped[^]*stopped[^]*1 of 2 cases scored/)
    expect(rows[2]).toMatch(/suite version 1 → 2; system prompt edited; temperature 0\.7 → 0/)
    expect(rows[3]).toMatch(/1 of 2 cases[^]*1 case instead of 2/)
    expect(rows[4]).toMatch(/First[^]*all 2 cases/)
    const chart = page.getByRole('img', { name: /^demo\/good: 4 runs, from/ })
    // Of four dots, the first and the third are joined.
    expect(await chart.locator('path').count()).toBe(4)
    expect(await chart.locator('path[fill="var(--surface)"]').count()).toBe(1)
    expect(await chart.locator('line[stroke="var(--accent)"][stroke-width="1.5"]').count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await table.getByRole('link', { name: 'First' }).click()
    await page.getByRole('region', { name: 'Leaderboard' }).waitFor()
    expect(pageErrors).toEqual([])
  })
})
