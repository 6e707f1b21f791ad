import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]
beforeAll(async () => {
  // Long enough to see conversations while they go on.
  app = await startApp({ env: { BENCHMAKER_DEMO_DELAY_MS: '8000' } })
  browser = await openBrowser()
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

/** A conversation of `turns` turns, whose last but one call fails. */
const conversation = (model: string, order: string, turns: number) => ({
  config: { model },
  messages: [
    { role: 'user', content: 'Cancel order W7, please. My mail is mia@example.org.' },
    ...Array.from({ length: turns }, (_, turn) => [
      {
        role: 'assistant',
        content: `Looking at page ${turn}.`,
        tool_calls: [{ id: `l${turn}`, function: { name: 'get_order', arguments: `{"page": ${turn}}` } }],
      },
      {
        role: 'tool',
        tool_call_id: `l${turn}`,
        content: turn === turns - 2 ? 'Error: no such page' : `page ${turn} of orders`,
      },
    ]).flat(),
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c', function: { name: 'cancel_order', arguments: `{"order_id": "${order}"}` } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
    { role: 'assistant', content: 'It is cancelled.' },
  ],
})

const fileOf = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
})

it('reads recorded runs, names their tasks, grades them and shows each as a conversation', async () => {
  await page.goto(`${app.origin}/agents`)
  await page.getByText('No recorded runs yet').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page
    .getByLabel('Files of recorded runs')
    .setInputFiles([
      fileOf('cancel-1.json', conversation('opus', 'W7', 3)),
      fileOf('cancel-2.json', conversation('haiku', 'W8', 400)),
    ])
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()

  // Pointing at a part of the path, and at a field.
  await page.getByLabel('What cancel is').selectOption('Task')
  await page.getByLabel('What 1 is').selectOption('Trial')
  expect(await page.getByLabel('Task from', { exact: true }).inputValue()).toBe('{task}-{trial}.json')
  await page.getByLabel('A field that names the model').selectOption('$.config.model')
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.getByRole('heading', { name: 'Compared without a key' }).waitFor()
  expect(await page.getByText('They are no score').count()).toBe(1)

  await page
    .getByLabel('Key', { exact: true })
    .setInputFiles(fileOf('key.yaml', 'tasks: { cancel: [{ name: cancel_order, arguments: { order_id: W7 } }] }'))
  await page.getByRole('heading', { name: 'Grades' }).waitFor()
  expect(await page.getByText('Without excused').count()).toBeGreaterThan(0)
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'cancel #2' }).click()
  await page.getByText('Whose fault').waitFor()
  const steps = page.getByRole('list', { name: /^Conversation/ })
  // 804 rows, of which only those in sight are there.
  expect(await steps.getByRole('listitem').count()).toBeLessThan(80)
  await page.keyboard.press('e')
  await page.getByText('Error: no such page').waitFor()
  expect(new URL(page.url()).searchParams.get('step')).toBe('799')
  await page.keyboard.press('j')
  expect(new URL(page.url()).searchParams.get('step')).toBe('800')
  // The address brings the step back.
  await page.reload()
  await page.locator('[aria-current=step]').waitFor()
  expect(await page.locator('[aria-current=step]').innerText()).toContain('Looking at page 399')
  await page.keyboard.press('k')
  await page.keyboard.press('o')
  await expect.poll(() => page.getByText('Error: no such page').count()).toBe(0)

  await page.keyboard.press('/')
  await page.keyboard.type('page 120 of')
  await page.getByText('1 found').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('mark', { hasText: 'page 120 of' }).waitFor()
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: /First lost credit/ }).click()
  await page.getByText('Credit was lost here').waitFor()

  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('list', { name: 'Secrets found' }).getByText('mail address').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('trajectory.json')
  expect(pageErrors).toEqual([])
})

it('fits on a phone', async () => {
  await page.setViewportSize({ width: 375, height: 800 })
  const address = page.url().replace(/\?.*/, '')
  for (const path of [`${app.origin}/agents`, address.replace(/\/\d+$/, ''), address]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectNoSidewaysScroll(page)
    expect(await findViolations(page)).toEqual([])
  }
})

it('says what it could not read', async () => {
  await page.goto(`${app.origin}/agents`)
  await page.getByLabel('Files of recorded runs').setInputFiles([fileOf('colours.json', { colour: 'red' })])
  await page.getByText('None of the files holds recorded runs of agents').waitFor()
})

it('runs a suite of agents in the Arena, with their conversations and what they change side by side while they go on', async () => {
  pageErrors.splice(0)
  await page.goto(`${app.origin}/suites`)
  await page
    .getByRole('button', { name: /Import/ })
    .first()
    .click()
  await page.getByLabel('File to import').setInputFiles('examples/shop-agent/suite.yaml')
  await page.getByRole('button', { name: 'Save suite' }).click()
  await page.getByText('Imported 12 cases.').waitFor()

  await page.goto(`${app.origin}/arena`)
  await page.getByRole('button', { name: /Suite to run/ }).click()
  await page.getByRole('list', { name: 'Suites' }).getByText('First look').click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  expect(await page.getByLabel('User', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: /Suite to run/ }).click()
  await page.getByRole('list', { name: 'Suites' }).getByText('Shop agent').click()
  await page.getByLabel('User', { exact: true }).fill('demo/user')
  await page.getByLabel('Filter cases').fill('cancel-all-pending')
  await page.getByRole('button', { name: 'Run Benchmark' }).click()
  await page.waitForURL(/\/results\//)
  await page.goto(`${app.origin}/results/${page.url().split('/').at(-1)}/case?id=cancel-all-pending`)
  const column = page.getByRole('region', { name: 'demo/good' })
  await column.getByText('cancel_order', { exact: true }).first().waitFor()
  expect(await column.getByText('/orders/W2/status').count()).toBe(1)
  expect(await page.getByRole('list', { name: /^Conversation with/ }).count()).toBe(3)
  expect(await findViolations(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  // The conversations give way to the answers.
  await column.getByText('passed').waitFor()
  await column.getByRole('link', { name: 'Conversation' }).click()
  await page.getByText('the world is as it should be').waitFor()
  // Before it begins, a conversation is not there.
  expect(pageErrors.filter((error) => !error.includes('/conversation?'))).toEqual([])
})
