import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../src/cli/testing/run-cli.ts'
import type { CellResult, RunResult, Suite } from '../../src/contract/index.ts'
import {
  expectNoSidewaysScroll,
  findViolations,
  makeDataFolder,
  openBrowser,
  removeFolder,
  signIn,
  startApp,
  type App,
} from './app.ts'

const ids = Array.from({ length: 120 }, (_, index) => `case-${String(index).padStart(3, '0')}`)
const makeSuite = (prompt = (id: string) => `How much is ${id}?`): Suite => ({
  name: 'Sums',
  testCases: ids.map((id) => ({
    id,
    prompt: prompt(id),
    expectedOutput: 'four',
    scoringMethod: 'exact-match',
    weight: 1,
  })),
})

interface Answers {
  [modelId: string]: (index: number) => number | 'error' | undefined
}

function makeRun(id: string, startedAt: number, answers: Answers, more: Partial<RunResult> = {}): RunResult {
  const testSuiteSnapshot = more.testSuiteSnapshot ?? makeSuite()
  return {
    id,
    startedAt,
    testSuiteId: 'sums',
    testSuiteName: 'Sums',
    status: 'completed',
    ...more,
    testSuiteSnapshot,
    models: Object.keys(answers),
    results: Object.entries(answers).flatMap(([modelId, answer]) =>
      ids.flatMap((testCaseId, index): CellResult[] => {
        const score = answer(index)
        if (score === undefined) return []
        if (score === 'error') return [{ testCaseId, modelId, status: 'failed', outcome: 'error', error: 'refused' }]
        const response =
          score === 1
            ? 'It is four apples.'
            : `It is five apples and two pears, whoever counts what lies on the kitchen table after lunch, says ${modelId}.`
        return [{ testCaseId, modelId, status: 'completed', outcome: 'ok', response, score: { score } }]
      }),
    ),
  }
}

const day = (date: number) => Date.UTC(2026, 10, date, 12)
const LONG = `org/${'very-long-model-name-'.repeat(8)}b`
const runs = [
  makeRun('older', day(12), { 'lab/x': (index) => (index < 60 ? 1 : 0) }),
  makeRun('newer', day(19), { [LONG]: (index) => (index < 90 ? 1 : 0.5) }),
  makeRun('again', day(20), { 'lab/x': (index) => (index === 0 ? 0 : index < 63 ? 1 : 0) }),
  makeRun(
    'stopped',
    day(21),
    { 'lab/x': (index) => (index < 10 ? 1 : index < 12 ? 'error' : undefined) },
    { status: 'cancelled' },
  ),
  makeRun(
    'edited',
    day(22),
    { 'lab/x': () => 1 },
    { testSuiteSnapshot: makeSuite((id) => (id === 'case-007' ? 'How many is case-007?' : `How much is ${id}?`)) },
  ),
]

/** Other tests may keep the machine busy. */

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]
beforeAll(async () => {
  const data = makeDataFolder()
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-compared-'))
  writeFileSync(join(folder, 'runs.json'), JSON.stringify({ runs }))
  expect(await runCli(['import', join(folder, 'runs.json'), '--data', data])).toMatchObject({ exitCode: 0 })
  removeFolder(folder)
  app = await startApp({ data })
  browser = await openBrowser()
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

it('compares one model of a run with another of a later run, case by case, down to the two answers', async () => {
  await page.goto(`${app.origin}/compare`)
  await page.getByLabel('Before (A)').selectOption('older')
  await page.getByLabel('After (B)').selectOption('newer')
  await page.getByText(/beats lab\/x by/).waitFor()
  await page.getByText('is better on 60 cases, worse on 0, the same on 60.').waitFor()
  expect(await page.getByText(/; 30 failed in A and pass in B \(/).count()).toBe(1)

  await page.getByRole('button', { name: /^Worse/ }).click()
  await page.getByText('No cases.').waitFor()
  await page.getByRole('button', { name: 'Swap' }).click()
  await page.getByText('lab/x is better on 0 cases, worse on 60, the same on 60.').waitFor()
  const rows = page.getByRole('table').last().locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(50)
  // Lost passes come first, although the others changed as much.
  expect(await rows.first().innerText()).toMatch(/case-060[^]*100\.0 ✓[^]*0\.0 ✗[^]*−100\.0[^]*passed → failed/)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–60 of 60').waitFor()
  expect(await findViolations(page)).toEqual([])

  await rows.first().getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'case-110' }).waitFor()
  const [a, b] = [page.getByRole('group', { name: 'Answer of A' }), page.getByRole('group', { name: 'Answer of B' })]
  await expect.poll(() => a.locator('del').allInnerTexts()).toEqual(LONG.split(/(?<=org)\//))
  expect(await b.locator('ins').allInnerTexts()).toEqual(['lab', 'x'])
  expect(await b.innerText()).toBe(
    'It is five apples and two pears, whoever counts what lies on the kitchen table after lunch, says lab/x.',
  )
  await page.keyboard.press('j')
  await page.getByRole('heading', { level: 1, name: 'case-111' }).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await page.getByRole('heading', { level: 1, name: 'case-109' }).waitFor()
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Comparison' }).click()
  await page.getByText('51–60 of 60').waitFor()
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(pageErrors).toEqual([])
})

it('tells the same model of two runs apart, and names errors, unasked and changed cases apart', async () => {
  await page.goto(`${app.origin}/compare?a=older&b=again`)
  await page.getByText('3 got better, 1 got worse, 116 stayed the same.').waitFor()
  const heading = page.getByRole('heading', { level: 2 }).first()
  expect(await heading.innerText()).toMatch(/^A: lab\/x · .*12.* → B: lab\/x · .*20/)
  expect(await page.getByText(/1 case passed in A and fails in B \(.*; 3 failed in A and pass in B \(/).count()).toBe(1)

  await page.goto(`${app.origin}/compare?a=older&b=stopped`)
  await page.getByText('0 got better, 0 got worse, 10 stayed the same.').waitFor()
  await page.getByText('Not compared: 2 errors, 108 not run.').waitFor()
  expect(await page.getByText(/, stopped\./).count()).toBe(1)

  await page.goto(`${app.origin}/compare?a=older&b=edited`)
  await page
    .getByText('1 case changed between the runs (prompt) and is left out of the comparison: case-007.')
    .waitFor()
  await page.getByText('60 got better, 0 got worse, 59 stayed the same.').waitFor()
  await page.getByLabel('Compare changed cases too').check()
  await page.getByText('60 got better, 0 got worse, 60 stayed the same.').waitFor()
  await page.goto(`${app.origin}/compare/case?a=older&b=edited&pa=lab/x&pb=lab/x&id=case-007`)
  await page.getByText('Prompt is not the same in A and B').waitFor()
  await expect.poll(() => page.getByRole('group', { name: 'Prompt in B' }).locator('ins').innerText()).toBe('many')
  expect(await findViolations(page)).toEqual([])
  expect(pageErrors).toEqual([])
})
