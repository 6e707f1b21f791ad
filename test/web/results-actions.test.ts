import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'

const LONG = 'llama-3.3-70b-instruct-with-a-long-name-q4_k_m'
const ALIKE = 'llama-3.3-70b-instruct-with-a-long-name-q8_0'
const CASES = 12

let models: ModelServer
let slow: ModelServer | undefined
let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let suiteId: string
/** While true, the server refuses every fourth question to the first model. */
let isBroken = true

const testCases = Array.from({ length: CASES }, (_, index) => ({
  id: `case-${index}`,
  prompt: `Say ${index}`,
  scoringMethod: 'exact-match',
  expectedOutput: `The answer is ${index}`,
  metadata: { category: index < 3 ? 'small' : 'large', tags: ['t'] },
}))

function send(path: string, data: unknown, method: 'POST' | 'PUT' = 'POST') {
  const headers = { 'content-type': 'application/json', origin: app.origin }
  return context.request.fetch(`${app.origin}/api${path}`, { method, headers, data })
}

async function startRun(request: Record<string, unknown>): Promise<string> {
  const reply = await send('/runs', { suiteId, concurrency: 2, ...request })
  expect(reply.status()).toBe(201)
  const { runId }: { runId: string } = await reply.json()
  return runId
}

async function readState(runId: string): Promise<string> {
  const { runs }: { runs: { state: string }[] } = await (
    await context.request.get(`${app.origin}/api/results/${runId}`)
  ).json()
  return runs[0]!.state
}

beforeAll(async () => {
  models = await startModelServer({
    models: [LONG, ALIKE, 'added'],
    answer: ({ prompt, model }) =>
      model === ALIKE ? 'No idea' : `The answer is ${prompt.replace('Say ', '')}\nsecond line`,
    reply: ({ prompt, model }) => {
      const isFourth = Number(prompt.replace('Say ', '')) % 4 === 0
      return isBroken && model === LONG && isFourth
        ? { status: 400, pieces: ['{"error":{"message":"no such luck"}}'] }
        : undefined
    },
  })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, context } = await signIn(browser, app))
  await send('/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl }, 'PUT')
  const suite = await send('/suites', { suite: { name: 'Echo', testCases } })
  ;({ id: suiteId } = await suite.json())
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  await slow?.close()
  removeFolder(app.data)
})

describe('the results page', () => {
  it('says who wins, retries the errors, adds a model and runs again', async () => {
    const runId = await startRun({ models: [`local/${LONG}`, `local/${ALIKE}`] })
    await expect.poll(() => readState(runId)).toBe('done')
    await page.goto(`${app.origin}/results/${runId}`)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    // Shortened in the middle, as far as the two differ.
    await verdict.getByText(/^llama-\S+…\S+q4_k_m beats llama-\S+…\S+q8_0 by .* points/).waitFor()
    await verdict.getByText(/^\(95 % CI /).waitFor()
    expect(await findViolations(page)).toEqual([])

    isBroken = false
    await verdict.getByRole('button', { name: 'Retry the 3 failed requests' }).click()
    await verdict.getByText('No more data needed').waitFor()
    expect(page.url()).toContain(`/results/${runId}`)
    expect(await verdict.getByText('Retry the 3 failed requests').count()).toBe(0)

    const asked = models.requests.length
    await page.getByRole('button', { name: 'Add a model' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a model' })
    expect(await dialog.getByRole('option', { name: new RegExp(LONG) }).count()).toBe(0)
    await dialog.getByRole('option', { name: /local\/added/ }).click()
    await dialog.getByRole('button', { name: 'Run 1 model' }).click()
    await page.getByRole('rowheader', { name: 'local/added' }).first().waitFor()
    await verdict.getByText(/tie: identical on every case|Too close to call/).waitFor()
    // The models that were there already were not asked again.
    expect(models.requests).toHaveLength(asked + CASES)

    await page.goto(`${app.origin}/results/${runId}`)
    await page.getByRole('rowheader', { name: 'local/added' }).first().waitFor()
    await page.getByRole('button', { name: 'Run again…' }).click()
    await page.getByText('3 models answer the same cases').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/results/') && !url.pathname.includes(runId))
    await page.getByRole('button', { name: 'Run again…' }).waitFor()
    expect(models.requests).toHaveLength(asked + CASES + 3 * CASES)
  })

  it.for([
    ['Run again', 'results/RUN', '/again'],
    ['Sample answers', 'results/RUN/rate', '/ratings'],
    ['Run Benchmark', 'arena', '/runs'],
    ['Run Code Arena', 'code-arena', '/code-arena'],
    ['Save', 'suites/new', '/suites'],
  ] as const)('a double-click on "%s" starts it once', async ([name, path, created]) => {
    const { runs }: { runs: { id: string }[] } = await (await context.request.get(`${app.origin}/api/runs`)).json()
    await page.goto(`${app.origin}/${path.replace('RUN', runs.at(-1)!.id)}`)
    if (name === 'Run again') await page.getByRole('button', { name: 'Run again…' }).click()
    if (path === 'code-arena') await page.getByRole('textbox', { name: 'Prompt' }).fill('A page')
    if (path === 'arena' || path === 'code-arena') {
      // With a real endpoint, no simulated model is chosen.
      await page.getByRole('button', { name: path === 'arena' ? 'Add model' : 'Choose models' }).click()
      await page.getByRole('switch', { name: 'Simulated models' }).click()
      await page.getByRole('option', { name: /^demo\/good,/ }).click()
      await page.getByRole('button', { name: /^Done/ }).click()
    }
    if (path === 'suites/new') {
      const form = page.getByRole('form', { name: 'Test case' })
      await form.getByLabel('Prompt', { exact: true }).fill('Say 1')
      await form.getByLabel('Expected output').fill('1')
      await page.getByRole('tab', { name: 'Suite', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('Saved once')
    }
    const button = page.getByRole('button', { name, exact: true })
    await expect.poll(() => button.isEnabled()).toBe(true)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith(created)) sent.push(request.url())
    })
    const before = page.url()
    // Faster than React can disable the button.
    await page.evaluate(`{
      const button = [...document.querySelectorAll('button')].find(({ innerText }) => innerText.trim() === '${name}')
      button.click()
      button.click()
    }`)
    await expect.poll(() => page.url()).not.toBe(before)
    expect(sent).toHaveLength(1)
  })

  it('shows a group, what filters hide, the chosen columns and answers, and fits a phone', async () => {
    const runId = await startRun({ models: [`local/${LONG}`, `local/${ALIKE}`] })
    await expect.poll(() => readState(runId)).toBe('done')
    await page.goto(`${app.origin}/results/${runId}/statistics`)
    await page.getByLabel('Group by').selectOption('category')
    await page.getByRole('button', { name: 'small', exact: true }).click()
    await page.getByText(/Only the category “small”: 3 of 12 cases, a small group/).waitFor()
    await page.getByRole('link', { name: /^Cases/ }).click()
    const cases = page.getByRole('region', { name: 'Cases' })
    await cases.getByText('3 of 12 cases: 9 hidden by category small').waitFor()
    await page.getByRole('button', { name: 'Show all cases' }).click()
    await cases.getByText('12 cases', { exact: true }).waitFor()

    await cases.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Score below').fill('50')
    await page.waitForURL(/below=50/)
    await page.keyboard.press('Escape')
    await cases.getByText(/hidden by score < 50|of 12 cases: none hidden/).waitFor()
    await cases.getByRole('button', { name: 'Show all' }).click()

    await page.getByRole('link', { name: 'Overview' }).click()
    const leaderboard = page.getByRole('region', { name: 'Leaderboard' })
    await leaderboard.getByRole('columnheader', { name: 'Latency' }).waitFor()
    await leaderboard.getByRole('button', { name: 'Columns of the leaderboard' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Latency' }).click()
    await page.keyboard.press('Escape')
    await leaderboard.getByRole('columnheader', { name: 'Latency' }).waitFor({ state: 'detached' })
    await page.reload()
    await leaderboard.getByRole('columnheader', { name: 'Score', exact: true }).waitFor()
    expect(await leaderboard.getByRole('columnheader', { name: 'Latency' }).count()).toBe(0)

    await page.getByRole('link', { name: /^Cases/ }).click()
    await cases.getByRole('button', { name: 'Answers' }).click()
    await cases.getByText('The answer is 0').first().waitFor()
    // Not only by colour: screen readers hear that an answer failed, and its cell has a bar.
    await cases
      .getByRole('link', { name: new RegExp(`${ALIKE}: .*failed`) })
      .first()
      .waitFor()
    expect(await findViolations(page)).toEqual([])

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.setViewportSize({ width: 375, height: 800 })
    await leaderboard.getByRole('listitem').first().waitFor()
    await expectNoSidewaysScroll(page)
    const [first, second] = await leaderboard.getByRole('listitem').all()
    for (const [item, end, score] of [
      [first!, 'q4_k_m', /^\d+\.\d$/],
      [second!, 'q8_0', /^\d+\.\d$/],
    ] as const) {
      const tail = item.locator(`[data-part$="${end}"]`)
      const box = await tail.boundingBox()
      expect(box!.x + box!.width).toBeLessThanOrEqual(375)
      expect(await item.getByText(score).first().isVisible()).toBe(true)
    }
    expect(await findViolations(page)).toEqual([])
    // Beside the navigation, a table of all columns has no room here.
    await page.setViewportSize({ width: 768, height: 900 })
    await leaderboard.getByRole('listitem').first().waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    const lastColumn = leaderboard.getByRole('columnheader').last()
    await lastColumn.waitFor()
    const { x, width } = (await lastColumn.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(1280)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('of a stopped run says why on every screen, calls the rest not run, and resumes', async () => {
    slow = await startModelServer({ latencyMs: 300, models: ['slow'], answer: () => 'x' })
    await send('/settings/endpoints/crawl', { name: 'crawl', baseUrl: slow.baseUrl }, 'PUT')
    const runId = await startRun({ models: ['crawl/slow'] })
    await expect.poll(() => slow?.stats().answered).toBeGreaterThan(1)
    expect((await send(`/runs/${runId}/stop`, {})).status()).toBe(200)

    await page.goto(`${app.origin}/results/${runId}`)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('Stopped before it finished.').waitFor()
    // One warning beside the verdict, the others where they have room.
    await verdict.getByRole('link', { name: /^\d more$/ }).click()
    await page.getByText(/^\d+ of 12 cells were not run\.$/).waitFor()
    expect(await page.getByText(/\d missing/i).count()).toBe(0)
    await page.getByRole('link', { name: /^Cases/ }).click()
    await page.getByRole('region', { name: 'Cases' }).getByText('not run', { exact: true }).first().waitFor()

    await page.goto(`${app.origin}/results`)
    const row = page.getByRole('row').filter({ has: page.getByTitle('crawl/slow') })
    await row.getByText('stopped', { exact: true }).waitFor()
    await row.getByText('by a user').waitFor()
    await row.getByText(/^\d+ not run$/).waitFor()

    await page.goto(`${app.origin}/results/${runId}`)
    await verdict.getByRole('button', { name: /^Resume \(\d+ cells left\)$/ }).click()
    await verdict.getByText(/not run/).waitFor({ state: 'detached' })
    await expect.poll(() => readState(runId)).toBe('done')
  })
})
