import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

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

const say = (content: string) => [
  { role: 'assistant', content },
  { role: 'user', content: 'thanks' },
]
const task = (taskId: number, traj: object[], reward: number) => ({
  task_id: taskId,
  reward,
  trial: 0,
  info: { task: { actions: [{ name: 'cancel_pending_order', kwargs: { order_id: '#W1' } }], outputs: ['54.04'] } },
  traj,
})
const act = [
  { role: 'assistant', content: 'Action:\n{"name": "cancel_pending_order", "arguments": {"order_id": "#W1"}}' },
  { role: 'user', content: 'API output: {"status": "cancelled"}' },
]

async function add(name: string, records: object[]): Promise<void> {
  await page.goto(`${app.origin}/tool-calls`)
  await page.setInputFiles('input[type=file]', {
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(records)),
  })
  await page.getByRole('heading', { name }).waitFor()
}

it('shows effects credit first, with what the user was told, and calls credit beside it', async () => {
  await add('act.json', [task(0, [...act, ...say('You get $54.04.')], 1), task(1, [...act, ...say('Done.')], 0)])
  expect(await page.getByRole('radio', { name: 'Effects' }).isChecked()).toBe(true)
  await page.goto(`${page.url()}?record=1`)
  const told = page.getByRole('list', { name: 'What the user must be told' })
  expect(await told.innerText()).toMatch(/not said\s+tell the user\s+54\.04/)
  expect(await page.getByText('calls made 0.0, effects 50.0').count()).toBe(1)
  expect(await page.getByText('calls written as text').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByText('Calls made', { exact: true }).click()
  await page.getByText('2 of 2 records with calls written as text, which calls credit does not read').waitFor()
  expect(pageErrors).toEqual([])
})

it('warns of calls that cannot be read instead of showing zeros', async () => {
  const lost = say('CALL cancel_pending_order(#W1)')
  await add('lost.json', [task(0, lost, 1), task(1, lost, 0)])
  await page.getByText('lost.json: its successes have no calls that can be read').waitFor()
  await page.getByText('2 of 2 records with no readable call (not scored)').waitFor()
  await page.getByText('2 records were not scored').waitFor()
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)
  expect(pageErrors).toEqual([])
})
