import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { LongInteger } from '../../src/contract/index.ts'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

/** Other tests may keep the machine busy. */

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
  expect(await page.getByText('effects 50.0, calls made 0.0').count()).toBe(1)
  expect(await page.getByText('calls written as text').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('group', { name: 'Type of credit' }).getByText('Calls made').click()
  await page.getByText('2 of 2 records with calls written as text, which calls credit does not read').waitFor()
  expect(pageErrors).toEqual([])
})

it('shows ids beyond 2^53 as they are in the file', async () => {
  const [expected, actual] = ['1234567890123456789', '1234567890123456780'].map((id) => new LongInteger(id))
  const call = { name: 'delete_account', arguments: { id: actual } }
  const traj = [{ role: 'assistant', tool_calls: [{ id: 'c', function: call }] }]
  const actions = [{ name: 'delete_account', kwargs: { id: expected } }]
  await add('ids.json', [{ task_id: 0, reward: 0, trial: 0, info: { task: { actions } }, traj }])
  await page.goto(`${page.url()}?record=0`)
  await page.getByText(`should be ${expected}, was ${actual}`).waitFor()
  await page.getByRole('region', { name: 'Transcript' }).getByText(`delete_account({"id":${actual}})`).waitFor()
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

it('shows the transcript beside the reasons, at the call in question, and at any call whose reason is clicked', async () => {
  const call = (index: number, name: string, args: object) => [
    {
      role: 'assistant',
      content: `Step ${index}. ${'I am thinking about it. '.repeat(40)}`,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content: `{"step": ${index}}` },
  ]
  const traj = [
    { role: 'user', content: 'Please cancel my order.' },
    ...Array.from({ length: 12 }, (_, index) => call(index, 'get_order_details', { order_id: `#W${index}` })).flat(),
    ...call(12, 'cancel_pending_order', { order_id: '#W2' }),
    ...call(13, 'modify_pending_order_address', { order_id: '#W9', city: 'Bonn' }),
  ]
  await page.setViewportSize({ width: 1440, height: 900 })
  await add('long.json', [task(0, traj, 0)])
  await page.goto(`${page.url()}?record=0`)
  const transcript = page.getByRole('region', { name: 'Transcript' })
  const isInView = async (text: string) => {
    const [box, found] = [await transcript.boundingBox(), await transcript.getByText(text).boundingBox()]
    return box !== null && found !== null && found.y >= box.y && found.y + found.height <= box.y + box.height
  }
  // The wrong argument comes first; the page itself did not move.
  await expect.poll(() => isInView('cancel_pending_order({"order_id":"#W2"})')).toBe(true)
  expect(await transcript.locator('[aria-current]').innerText()).toContain('call 13 cancel_pending_order')
  const reasons = page.getByRole('region', { name: 'Reasons' })
  await reasons.getByText('12 calls not counted').click()
  await reasons.getByRole('button', { name: 'call 3', exact: true }).click()
  await expect.poll(() => isInView('get_order_details({"order_id":"#W2"})')).toBe(true)
  expect(await isInView('cancel_pending_order({"order_id":"#W2"})')).toBe(false)
  expect(new URL(page.url()).searchParams.get('call')).toBe('2')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)
  expect(pageErrors).toEqual([])
})

it('compares tau-bench with tau2-bench only with a warning', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const simulations = [0, 1].map((taskId) => ({
    id: `s${taskId}`,
    task_id: String(taskId),
    trial: 0,
    reward_info: { reward: 1, action_checks: [] },
    messages: [{ role: 'assistant', content: 'Done.' }],
  }))
  await page.goto(`${app.origin}/tool-calls`)
  await page.setInputFiles('input[type=file]', {
    name: 'tau2.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ info: {}, tasks: [], simulations })),
  })
  await page.getByRole('heading', { name: 'tau2.json' }).waitFor()
  await page.getByLabel('Other file', { exact: true }).selectOption({ label: 'act.json (tau-bench)' })
  await page.getByText('These files measure different things').waitFor()
  await page.getByText(/tau2-bench has other tasks under the same numbers/).waitFor()
  await page.getByLabel('Other file', { exact: true }).selectOption({ index: 0 })
  await expect.poll(() => page.getByText('These files measure different things').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

it('asks before a file is deleted, and opens one by its row', async () => {
  await page.goto(`${app.origin}/tool-calls`)
  const row = page.getByRole('row').filter({ hasText: 'tau2.json' })
  await row.getByRole('button', { name: 'Delete tau2.json' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete tau2.json?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('cell').nth(1).click()
  await page.getByRole('heading', { name: 'tau2.json' }).waitFor()
  await page.goto(`${app.origin}/tool-calls`)
  await row.getByRole('button', { name: 'Delete tau2.json' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
})
