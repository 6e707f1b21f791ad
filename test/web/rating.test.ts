/** People rate drawn answers by keyboard, without learning model or score, and the estimates narrow. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callApi,
  expectNoSidewaysScroll,
  findViolations,
  openBrowser,
  removeFolder,
  signIn,
  startApp,
  type App,
} from './app.ts'

/** As long as a name can be. */
const LONG_NAME = 'B'.repeat(80)

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]
let runId: string

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
  const { id } = await callApi<{ id: string }>(page, app, 'POST', '/suites', {
    suite: { name: 'Explanations', testCases },
  })
  const started = await callApi<{ runId: string }>(page, app, 'POST', '/runs', {
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
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Rate answers' }).click()
    await page.getByRole('heading', { name: 'Rate answers', level: 1 }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Answers of each model').fill('12')
    await page.getByRole('button', { name: 'Sample answers' }).click()
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
    const section = page.getByRole('region', { name: 'Corrected by human ratings', exact: true }).first()
    await expect.poll(() => section.textContent()).toMatch(/demo\/good/)
    await expect.poll(() => section.textContent()).toMatch(/of 14 cases/)
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${app.origin}/judges`)
    await page.getByText(/23 of 24 answers rated by Ann/).waitFor()
    expect(pageErrors).toEqual([])
  })

  it('keeps the note on an answer when its case is opened again, and when another tab rates it', async () => {
    const address = `${app.origin}/results/${runId}/case?id=explain-3&show=demo%2Fgood`
    const formIn = (tab: Page) => tab.getByRole('group', { name: 'Your rating' })
    const isRated = (tab: Page, points: number) =>
      formIn(tab)
        .getByRole('button', { name: `Rate ${points} of 100` })
        .getAttribute('aria-pressed')
    const noteIn = (tab: Page) => formIn(tab).getByLabel('Note', { exact: true })
    const other = await page.context().newPage()
    await Promise.all([page.goto(address), other.goto(address)])
    await noteIn(other).waitFor()
    await noteIn(page).fill('Cites the wrong page')
    // The case is left before the note is saved.
    await noteIn(page).blur()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'explain-4', level: 1 }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'explain-3', level: 1 }).waitFor()
    await formIn(page).getByRole('button', { name: 'Rate 50 of 100' }).click()
    await formIn(page).getByText('Saved').waitFor()
    expect(await noteIn(page).inputValue()).toBe('Cites the wrong page')

    // The other tab was opened before the note was written.
    await formIn(other).getByRole('button', { name: 'Rate 75 of 100' }).click()
    await formIn(other).getByText('Saved').waitFor()
    await expect.poll(() => noteIn(other).inputValue()).toBe('Cites the wrong page')
    await page.reload()
    await expect.poll(() => isRated(page, 75)).toBe('true')
    expect(await noteIn(page).inputValue()).toBe('Cites the wrong page')

    // An emptied note and a rating that is clicked again are removed.
    await noteIn(page).fill('')
    await formIn(page).getByRole('button', { name: 'Rate 75 of 100' }).click()
    await formIn(page).getByText('Saved').waitFor()
    await other.reload()
    await noteIn(other).waitFor()
    expect([await noteIn(other).inputValue(), await isRated(other, 75)]).toEqual(['', 'false'])
    await other.close()
  })

  it('works at 375 px, by touch, with pass or fail', async () => {
    const { id } = await callApi<{ id: string }>(page, app, 'POST', '/ratings', {
      selection: runId,
      scale: 'pass-fail',
      perModel: 2,
    })
    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto(`${app.origin}/results/${runId}/rate?queue=${id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Your name').fill(LONG_NAME)
    await page.getByRole('button', { name: 'Start rating' }).click()
    await page.getByRole('button', { name: /^Pass/ }).click()
    await expect.poll(() => status().textContent()).toContain('1 of 4 answers rated')
    await page.getByRole('button', { name: /^Fail/ }).click()
    await expect.poll(() => status().textContent()).toContain('2 of 4 answers rated')
    await expectNoSidewaysScroll(page)
    expect(await findViolations(page)).toEqual([])
    for (const path of [
      `results/${runId}/statistics`,
      `results/${runId}/rate`,
      `results/${runId}/rate?queue=${id}`,
      'judges',
    ]) {
      await page.goto(`${app.origin}/${path}`)
      await page.getByText(LONG_NAME).first().waitFor()
      await expectNoSidewaysScroll(page)
    }
    expect(pageErrors).toEqual([])
  })
})
