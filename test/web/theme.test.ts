import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

const DARK_INK = 'rgb(233, 235, 239)'
const LIGHT_CANVAS = 'rgb(250, 250, 250)'
const DARK_CANVAS = 'rgb(17, 19, 23)'

let app: App
let browser: Browser
let page: Page

beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  ;({ page } = await signIn(browser, app, { colorScheme: 'dark' }))
})

afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

describe('the theme', () => {
  it('is set before the app starts, whether it is chosen or the system’s', async () => {
    // At this point the page is parsed, but no module has run.
    await page.addInitScript(
      "document.addEventListener('readystatechange', () => { window.firstTheme ??= document.documentElement.dataset.theme ?? 'system' })",
    )
    const reopen = async () => {
      await page.goto(`${app.origin}/settings`)
      await page.getByRole('radio', { name: 'Light' }).waitFor()
      return page.evaluate<unknown>('({ theme: firstTheme, canvas: getComputedStyle(document.body).backgroundColor })')
    }
    expect(await reopen()).toEqual({ theme: 'system', canvas: DARK_CANVAS })
    await page.getByRole('radio', { name: 'Light' }).check()
    expect(await reopen()).toEqual({ theme: 'light', canvas: LIGHT_CANVAS })
  })

  it('changes every colour at once, without a transition, for people who prefer reduced motion', async () => {
    await page.goto(`${app.origin}/settings`)
    await page.getByRole('radio', { name: 'Light' }).check()
    await page.getByRole('radio', { name: 'Dark' }).check()
    // A transition of any length would be listed here as soon as the new colours are computed.
    const transitions = await page.evaluate<number>(`(() => {
      document.documentElement.dataset.theme = 'light'
      getComputedStyle(document.body).color
      document.documentElement.dataset.theme = 'dark'
      getComputedStyle(document.body).color
      return document.getAnimations().length
    })()`)
    expect(transitions).toBe(0)
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color")).toBe(DARK_INK)
  })
})
