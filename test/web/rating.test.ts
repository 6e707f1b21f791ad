/** People rate drawn answers by keyboard, without learning model or score, and the estimates narrow. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]
let runId: string

async function send<T>(method: 'post' | 'put', path: string, data: unknown): Promise<T> {
  const reply = await page.request[method](`${app.origin}/api${path}`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data,
  })
  expect([path, reply.ok() ? '' : await reply.text()]).toEqual([path, ''])
  return reply.json()
}

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
  const testCases = Array.from({ length: 14 }, (_, index) => ({
    id: `explain-${index}`,
    prompt: `Explain in one sentence why ${index} + ${index} is ${2 * index}.`,
    expectedOutput: `Because ${index} is counted twice.`,
    scoringMethod: 'llm-judge',
  }))
  const { id } = await send<{ id: string }>('post', '/suites', { suite: { name: 'Explanations', testCases } })
  const started = await send<{ runId: string }>('post', '/runs', {
    suiteId: id,
    models: ['demo/good', 'demo/poor'],
    judgeModelIds: ['demo/judge'],
  })
  ;({ runId } = started)
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const status = () => page.getByRole('status').filter({ hasText: 'rated' })

describe('rating answers', () => {
  it('goes from the results to a draw, blind ratings by keyboard and corrected scores', async () => {
    await expect
      .poll(
        async () => {
          const reply = await page.request.get(`${app.origin}/api/runs`)
          const { runs }: { runs: { id: string; status: string }[] } = await reply.json()
          return runs.find((run) => run.id === runId)?.status
        },
        { timeout: 60_000 },
      )
      .toBe('completed')
    const replies: string[] = []
    page.on('response', (reply) => {
      if (reply.url().includes('/api/ratings/'))
        void reply.text().then(
          (text) => replies.push(text),
          () => undefined,
        )
    })
    await page.goto(`${app.origin}/results/${runId}`)
    await page.getByRole('link', { name: 'Rate answers' }).first().click()
    await page.getByRole('heading', { name: 'Rate answers', level: 1 }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Answers of each model').fill('12')
    await page.getByRole('button', { name: 'Draw answers' }).click()
    await page.getByLabel('Your name').fill('Ann')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Answer', exact: true }).waitFor()

    // One digit is tens, two are exact, 100 has three; skip, note and undo have a letter each.
    const rate = async (keys: string, rated: number) => {
      for (const key of keys) await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await expect.poll(() => status().textContent()).toContain(`${rated} of 24 answers rated`)
    }
    await rate('8', 1)
    await rate('35', 2)
    await page.keyboard.press('u')
    await expect.poll(() => status().textContent()).toContain('1 of 24 answers rated')
    await expect.poll(() => page.getByRole('button', { name: /^Rate 35/ }).isVisible()).toBe(true)
    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('No reason given')
    await page.keyboard.press('Escape')
    await rate('', 2)
    await page.keyboard.press('s')
    await expect.poll(() => status().textContent()).toContain('1 skipped')

    // A reload goes on where it stopped.
    await page.reload()
    await expect.poll(() => status().textContent()).toContain('2 of 24 answers rated, 1 skipped')
    expect(await findViolations(page)).toEqual([])
    const content = async () => `${await page.locator('main').innerHTML()} ${page.url()}`
    for (let rated = 3; rated <= 23; rated++) {
      expect(await content()).not.toMatch(/demo\/|demo%2F/)
      await rate(rated % 2 === 0 ? '9' : '4', rated)
    }
    await page.getByText('You have rated every answer in this queue.').waitFor()
    expect(replies.length).toBeGreaterThan(24)
    expect(replies.join('\n')).not.toMatch(/demo\/|"score"|demo-|reasoning/)

    await page.getByRole('link', { name: 'See the results' }).click()
    const section = page.getByRole('region', { name: 'Corrected by people’s ratings', exact: true }).first()
    await expect.poll(() => section.textContent()).toMatch(/demo\/good/)
    await expect.poll(() => section.textContent()).toMatch(/of 14 cases/)
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${app.origin}/judges`)
    await page.getByText(/23 of 24 answers rated by Ann/).waitFor()
    expect(pageErrors).toEqual([])
  })

  it('works at 375 px, by touch, with pass or fail', async () => {
    const { id } = await send<{ id: string }>('post', '/ratings', { selection: runId, scale: 'pass-fail', perModel: 2 })
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto(`${app.origin}/results/${runId}/rate?queue=${id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Your name').fill('Bob')
    await page.getByRole('button', { name: 'Start rating' }).click()
    await page.getByRole('button', { name: /^Pass/ }).click()
    await expect.poll(() => status().textContent()).toContain('1 of 4 answers rated')
    await page.getByRole('button', { name: /^Fail/ }).click()
    await expect.poll(() => status().textContent()).toContain('2 of 4 answers rated')
    await expectNoSidewaysScroll(page)
    expect(await findViolations(page)).toEqual([])
    expect(pageErrors).toEqual([])
  })
})
