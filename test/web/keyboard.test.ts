import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page } = await signIn(browser, app))
  await page.getByRole('button', { name: 'Run Benchmark' }).waitFor()
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

/** Presses Tab until the element has the focus, and checks that the focus is visible. */
async function tabTo(name: RegExp | string, role: 'button' | 'link'): Promise<void> {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' }).first()
  for (let presses = 0; presses < 120; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(name)}`)
}

describe('without a mouse', () => {
  it('a user can start a benchmark, watch it, and read the results case by case', async () => {
    await page
      .getByText(/at most \$/i)
      .first()
      .waitFor()
    await tabTo('Run Benchmark', 'button')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/results\//)
    await page.getByRole('button', { name: 'Run again…' }).waitFor()
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor()
    await tabTo(/^Cases/, 'link')
    await page.keyboard.press('Enter')

    await page.locator('#cell-0-0').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('l')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/cases\?.*case=/)
    const first = page.url()
    await page.getByRole('button', { name: 'Next case' }).waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => page.url()).not.toBe(first)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next case' }).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid')
  })

  it('every screen is two keys away, and ? lists the shortcuts', async () => {
    for (const [key, title] of [
      ['s', 'Suites'],
      ['r', 'Results'],
      ['t', 'Tool Calls'],
      ['p', 'Playground'],
      ['j', 'Judges'],
      [',', 'Settings'],
      ['c', 'Code Arena'],
      ['a', 'Arena'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })
  })

  it('a dialog that is longer than the window can be scrolled', async () => {
    await page.setViewportSize({ width: 375, height: 500 })
    await page.keyboard.press('?')
    const last = page.getByRole('dialog').getByText('This list')
    await last.waitFor()
    expect(await findViolations(page)).toEqual([])
    const isInWindow = async () => (await last.boundingBox())!.y < 450
    expect(await isInWindow()).toBe(false)
    for (let presses = 0; presses < 2; presses++) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('End')
    }
    await expect.poll(isInWindow).toBe(true)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    // Where nothing has to be scrolled, there is nothing to stop at.
    await page.keyboard.press('?')
    await last.waitFor()
    expect(await page.locator('[data-dialog=body][tabindex]').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('/ focuses the search field, and the run menu opens and closes', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('searchbox', { name: 'Search suites' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('everyday')
    await expect.poll(() => page.getByRole('link', { name: 'First look' }).count()).toBe(0)
    await page.goto(`${app.origin}/arena`)
    await page
      .getByText(/at most \$/i)
      .first()
      .waitFor()
    await tabTo('Run several times', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /Run 3 times/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })
})
