import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app, { acceptDownloads: true }))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const source = `name: Capitals and sums
testCases:
  - { id: france, prompt: What is the capital of France?, scoringMethod: exact-match, expectedOutput: Paris }
  - { id: japan, prompt: What is the capital of Japan?, scoringMethod: exact-match, expectedOutput: Tokyo }
  - { id: sum, prompt: What is 17 + 25?, scoringMethod: numeric-tolerance, expectedOutput: '42' }
  - { id: product, prompt: What is 12 * 12?, scoringMethod: numeric-tolerance, expectedOutput: '144' }
  - { id: colour, prompt: Name a colour of the French flag., scoringMethod: regex-match, expectedOutput: /blue|white|red/i }
  - { id: planet, prompt: Which planet is closest to the sun?, scoringMethod: boolean, expectedOutput: Mercury, weight: 2 }
`

/** The tests build on each other. */
describe('a user’s own suite, from its first case to a report', () => {
  it('is written by hand, tried with an answer, and saved', async () => {
    await page.goto(`${app.origin}/suites`)
    await page.getByRole('link', { name: 'New suite' }).click()
    await page.getByRole('tab', { name: 'Suite', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Written by hand')
    await page.getByRole('tab', { name: 'Cases' }).click()
    const form = page.getByRole('form', { name: 'Test case' })
    if ((await form.count()) === 0) await page.getByRole('button', { name: /add/i }).first().click()
    await form.getByLabel('Prompt', { exact: true }).fill('What is 6 times 7?')
    await form.getByLabel('Scoring method').selectOption('numeric-tolerance')
    await form.getByLabel('Expected output').fill('42')
    const tryIt = page.getByRole('region', { name: 'Try it' })
    await tryIt.getByLabel('Answer to try').fill('It is 42.')
    await tryIt
      .getByText(/100(\.0)?/)
      .first()
      .waitFor()
    await tryIt.getByLabel('Answer to try').fill('It is 47.')
    await tryIt
      .getByText(/\b31\.0|\b30\.\d/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Version 1').first().waitFor()
  })

  it('gives a new case no credit for near misses, and shows what partial credit would give to a wrong answer', async () => {
    const form = page.getByRole('form', { name: 'Test case' })
    await page.getByRole('button', { name: 'Add case' }).first().click()
    await form.getByLabel('Prompt', { exact: true }).fill('What is the capital of France?')
    await form.getByLabel('Scoring method').selectOption('exact-match')
    await form.getByLabel('Expected output').fill('Paris')
    const partial = form.getByLabel('Partial')
    expect(await partial.isChecked()).toBe(false)
    const tryIt = page.getByRole('region', { name: 'Try it' })
    await tryIt.getByLabel('Answer to try').fill('paris')
    await tryIt.getByText('failed').waitFor()
    await partial.check()
    await form.getByText('“It is not Paris, it is Lyon” would get 66.').waitFor()
    await tryIt.getByText('passed').waitFor()
    await form.locator('summary', { hasText: 'Details' }).click()
    await form.getByLabel('Passing score').fill('96')
    await tryIt.getByText('failed').waitFor()
    await form.getByRole('button', { name: 'Give no partial credit' }).click()
    await form.getByText('would get').waitFor({ state: 'detached' })
    expect(await partial.isChecked()).toBe(false)
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.getByText('passAt: 0.96').waitFor()
    await page.getByText('partial: false').waitFor()
    await page.getByRole('tab', { name: 'Cases' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Version 2').first().waitFor()
  })

  it('rejects a case that cannot be scored, and shows where', async () => {
    const form = page.getByRole('form', { name: 'Test case' })
    await form.getByLabel('Expected output').fill('   ')
    await form.getByText(/needs an expected output/).waitFor()
    await form.getByLabel('Expected output').fill('42')
  })

  it('is imported from pasted text, and saved only after a preview', async () => {
    await page.goto(`${app.origin}/suites`)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Suite text').fill(source)
    await dialog.getByRole('button', { name: /read/i }).click()
    await dialog
      .getByText(/6 cases/)
      .first()
      .waitFor()
    await dialog
      .getByRole('button', { name: /save|add|import/i })
      .last()
      .click()
    await page.getByText('Capitals and sums').first().waitFor()
  })

  it('runs three times in sequence, and Multi-Run Analysis appears by itself', async () => {
    await page.goto(`${app.origin}/arena`)
    await page.getByRole('button', { name: /^Suite to run/ }).click()
    await page
      .getByRole('dialog', { name: 'Suites' })
      .getByRole('button', { name: 'Capitals and sums 6 cases' })
      .click()
    await page.getByText('18 answers').first().waitFor()
    await page.getByRole('button', { name: 'Run several times' }).click()
    await page.getByRole('menuitem', { name: /Run 3 times/ }).click()
    await page.waitForURL(/\/results\/series/)
    await page.getByRole('button', { name: 'Run again…' }).waitFor()
    await page.getByRole('link', { name: 'Statistics' }).click()
    const panel = page.getByRole('region', { name: 'Multi-Run Analysis' })
    await panel.waitFor()
    await panel.getByText('Copy for a report').click()
    await panel
      .getByText(/demo\/good: \d+\.\d ± \d+\.\d \(95% CI: \[\d+\.\d, \d+\.\d\]\)/)
      .first()
      .waitFor()
    await panel.getByText('95 % CI over runs').waitFor()
  })

  it('counts the answers that passed beside every mean', async () => {
    await page.getByRole('link', { name: 'Overview' }).click()
    const leaderboard = page.getByRole('region', { name: 'Leaderboard' })
    await leaderboard.getByRole('button', { name: 'Columns of the leaderboard' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Pass rate' }).click()
    await page.keyboard.press('Escape')
    await leaderboard
      .getByText(/^\d+\/18$/)
      .first()
      .waitFor()
    await leaderboard
      .getByText(/^\d+\.\d % \(\d+\.\d to \d+\.\d\)$/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: /^Cases/ }).click()
    await page
      .getByRole('region', { name: 'Cases' })
      .getByText(/^[0-3]\/3$/)
      .first()
      .waitFor()
  })

  it('plans for the difference in the address, also after a reload', async () => {
    await page.getByRole('link', { name: 'Statistics' }).click()
    await page.getByText(/^All \d+ comparisons$/).click()
    const field = page.getByLabel('Smallest difference that matters (points)')
    await field.fill('0')
    await page.getByText('Use a number from 0.1 to 100.').waitFor()
    expect(page.url()).not.toContain('difference')
    await field.fill('5')
    await page.getByText('would detect a 5.0-point gap').first().waitFor()
    expect(page.url()).toContain('difference=5')
    await page.reload()
    await page.getByText(/^All \d+ comparisons$/).click()
    await page.getByText('would detect a 5.0-point gap').first().waitFor()
    expect(await field.inputValue()).toBe('5')
    await field.fill('')
    await page.getByText('would detect a 5.0-point gap').first().waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('difference')
  })

  it('compares two models and shows the effect size', async () => {
    const panel = page.getByRole('region', { name: 'Multi-Run Analysis' })
    await panel.getByText('Compare two models, case by case').click()
    await panel.getByLabel('Model A').selectOption('demo/good')
    await panel.getByLabel('Model B').selectOption('demo/poor')
    await panel
      .getByText(/demo\/good (beats|and) demo\/poor/)
      .first()
      .waitFor()
    await panel
      .getByText(/Hedges|effect/i)
      .first()
      .waitFor()
    expect(page.url()).toContain('b=demo')
  })

  it('keeps the rating of a cell after a reload', async () => {
    await page.goto(`${page.url().replace(/\/statistics.*/, '')}/case?id=sum`)
    const rating = page.getByRole('group', { name: 'Your rating' }).first()
    // The reply to the first save never arrives: later changes must not wait for it.
    await page.evaluate(`{
      const send = fetch
      window.fetch = (path, init) => {
        if (init?.method !== 'PUT') return send(path, init)
        window.fetch = send
        void send(path, init)
        return new Promise(() => undefined)
      }
    }`)
    await rating.getByRole('button', { name: 'Rate 75 of 100' }).click()
    await rating.getByLabel('Note').fill('right, but <b>long</b>')
    // The page is left before the note is saved; it must be saved anyway.
    const ratingAfterReload = page.getByRole('group', { name: 'Your rating' }).first()
    const readNote = async () => {
      await page.reload()
      return ratingAfterReload.getByLabel('Note').inputValue()
    }
    // The last save runs in parallel with the new page's first requests, so the first check may be too early.
    await expect.poll(readNote).toBe('right, but <b>long</b>')
    expect(await ratingAfterReload.getByRole('button', { name: 'Rate 75 of 100' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
  })

  it('is exported as one HTML file that opens without the program', async () => {
    await page.goto(page.url().replace(/\/case\?.*/, ''))
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'HTML report' }).click(),
    ])
    const file = await download.path()
    expect(readFileSync(file, 'utf8')).toContain('Capitals and sums')
    const report = await browser.newPage()
    await report.setContent(readFileSync(file, 'utf8'))
    await report.getByText('demo/good').first().waitFor()
    await report.close()
  })

  it('causes no page errors', () => expect(pageErrors).toEqual([]))
})
