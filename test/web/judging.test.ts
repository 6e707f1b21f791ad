import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let pageErrors: string[]

async function send<T>(path: string, data: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', origin: app.origin }
  const reply = await context.request.post(`${app.origin}/api${path}`, { headers, data })
  expect([path, reply.ok() ? '' : await reply.text()]).toEqual([path, ''])
  return reply.json()
}

/** Runs the suite with the simulated models and waits until it is finished. */
async function runSuite(suiteId: string): Promise<string> {
  const { runId } = await send<{ runId: string }>('/runs', {
    suiteId,
    models: ['demo/good', 'demo/poor'],
    judgeModelIds: ['demo/judge'],
  })
  const isFinished = async () => {
    const reply = await context.request.get(`${app.origin}/api/results/${runId}`)
    const { runs }: { runs: { state: string }[] } = await reply.json()
    return runs.every(({ state }) => state === 'done')
  }
  await vi.waitUntil(isFinished, { timeout: 60_000, interval: 100 })
  return runId
}

const prompts = [
  'What is the capital of Australia? Answer with the name only.',
  'What is the capital of Kazakhstan? Answer with the name only.',
  'Who wrote Middlemarch? Answer with the name only.',
]
const compared = (comparedBy: string) => ({
  name: `Compared by ${comparedBy}`,
  testCases: prompts.map((prompt, index) => ({
    id: `case-${index}`,
    prompt,
    scoringMethod: 'pairwise',
    comparedBy,
    expectedOutput: ['Canberra', 'Astana', 'George Eliot'][index],
  })),
})

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context, page, pageErrors } = await signIn(browser, app))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
})

afterAll(async () => {
  await browser?.close()
  await app?.stop()
  if (app) removeFolder(app.data)
})

describe('judges that compare and check', () => {
  it('a rubric is written in the form, and its criteria are shown by model and by case', async () => {
    const { id } = await send<{ id: string }>('/suites', {
      suite: {
        name: 'By a rubric',
        testCases: [{ id: 'capital', prompt: prompts[0], scoringMethod: 'llm-judge', expectedOutput: 'Canberra' }],
      },
    })
    await page.goto(`${app.origin}/suites/${id}`)
    await page.getByLabel('Scoring method').selectOption('rubric')
    await page.getByRole('button', { name: 'Add criterion' }).click()
    await page.getByLabel('Criterion 1', { exact: true }).fill('Names Canberra')
    await page.getByLabel('Weight of criterion 1').fill('3')
    await page.getByRole('button', { name: 'Add criterion' }).click()
    await page.getByLabel('Criterion 2', { exact: true }).fill('Says bonjour')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor()

    const runId = await runSuite(id)
    await page.goto(`${app.origin}/results/${runId}/statistics`)
    const table = page.getByRole('region', { name: 'Criteria by model' })
    await table.getByRole('button', { name: /Names Canberra/ }).click()
    await expect.poll(() => table.getByRole('link', { name: 'capital', exact: true }).count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await table
      .getByRole('link', { name: /^demo\/good: / })
      .first()
      .click()
    await page
      .getByText(/^Names Canberra \(weight 3\): (?:met|partly met|not met),/)
      .first()
      .waitFor()
  })

  it('compared answers show their ratings, and each answer whom it beat', async () => {
    const { id } = await send<{ id: string }>('/suites', { suite: compared('judges') })
    const runId = await runSuite(id)
    await page.goto(`${app.origin}/results/${runId}/statistics`)
    const ratings = page.getByRole('group', { name: 'Ratings from comparisons' })
    await ratings.getByRole('row', { name: /demo\/good/ }).waitFor()
    await page.getByText(/changed with the order of the answers and count as ties/).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.origin}/results/${runId}/case?id=case-1&model=demo/good`)
    await page
      .getByText(/^(?:Beat|Tied with|Lost to)/)
      .first()
      .waitFor()
  })

  it('people compare answers without names, by keyboard, and their votes are the scores', async () => {
    const { id } = await send<{ id: string }>('/suites', { suite: compared('people') })
    const runId = await runSuite(id)
    await page.goto(`${app.origin}/results/${runId}/statistics`)
    await page.getByRole('link', { name: 'Compare answers' }).click()
    await page.getByLabel('Your name').fill('Ann')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('region', { name: 'Task' }).waitFor()
    await expect.poll(() => page.getByText(/demo\//).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('1')
    await page.getByText(/^You preferred demo\//).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await vi.waitUntil(async () => (await page.getByText(/^You preferred/).count()) === 0, { timeout: 60_000 })
    for (;;) {
      const done = page.getByText('You have compared every pair.')
      await page.getByRole('region', { name: 'Task' }).or(done).first().waitFor()
      if (await done.isVisible()) break
      const before = await page.getByText(/of \d+ pairs? compared/).innerText()
      await page.getByRole('button', { name: /B is better/ }).click()
      await page.getByText(before, { exact: true }).waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'View the results' }).click()
    await page.getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('group', { name: 'Ratings from comparisons' }).waitFor()
    expect(pageErrors).toEqual([])
  })
})
