import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const headers = () => ({ origin: app.origin })

describe('what was typed', () => {
  it('in the form of names survives Esc and a reload, and Cancel drops it', async () => {
    const data = { suiteId: 'example-first-look', models: ['demo/good'], limit: 1 }
    const started = await page.context().request.post(`${app.origin}/api/runs`, { headers: headers(), data })
    const { runId } = await started.json()
    await page.goto(`${app.origin}/results/${runId}`)
    const edit = page.getByRole('button', { name: 'Add a name, tags or a note' })
    const note = page.getByRole('textbox', { name: 'Note' })
    await edit.click()
    await note.fill('Compared before the release')
    await page.keyboard.press('Escape')
    await note.waitFor({ state: 'detached' })
    await page.reload()
    await edit.click()
    await expect.poll(() => note.inputValue()).toBe('Compared before the release')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await edit.click()
    await expect.poll(() => note.inputValue()).toBe('')
  })

  it('in two prompts survives Esc, Back and a reload, and so do the answers', async () => {
    await page.goto(`${app.origin}/judges`)
    await page.getByRole('link', { name: 'Playground' }).click()
    const [first, second] = [page.getByLabel('Prompt A'), page.getByLabel('Prompt B')]
    await first.fill('Name a river in France.')
    await second.fill('Name the longest river in France.')
    await second.press('Escape')
    expect(await second.inputValue()).toBe('Name the longest river in France.')
    await page.goBack()
    await page.getByRole('heading', { name: 'Judges', level: 1 }).waitFor()
    await page.goForward()
    await expect.poll(() => first.inputValue()).toBe('Name a river in France.')
    await page.getByRole('button', { name: 'Run both' }).click()
    await page.getByRole('heading', { name: 'Answers' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Answers' }).waitFor()
    expect(await second.inputValue()).toBe('Name the longest river in France.')
  })

  it('in Settings survives too, except for keys, and a click beside a dialog does not close it', async () => {
    await page.goto(`${app.origin}/settings`)
    const form = page.getByRole('form', { name: 'Add an endpoint' })
    await form.getByLabel('Name').fill('lab')
    await form.getByLabel('Base URL').fill('http://127.0.0.1:9/v1')
    await form.getByLabel('API key').fill('sk-secret')
    await page.reload()
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('lab')
    expect(await form.getByLabel('Base URL').inputValue()).toBe('http://127.0.0.1:9/v1')
    expect(await form.getByLabel('API key').inputValue()).toBe('')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('sk-secret')
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    // It is tried at once: nothing listens there.
    await page
      .getByText(/ECONNREFUSED|refused|reach/i)
      .first()
      .waitFor()
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('')

    await page.getByRole('button', { name: 'Set the price of lab' }).click()
    const price = page.getByLabel('$ per million input tokens')
    await price.fill('2.5')
    await page.mouse.click(5, 5)
    expect(await price.inputValue()).toBe('2.5')
    await page.keyboard.press('Escape')
    await price.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Set the price of lab' }).click()
    expect(await price.inputValue()).toBe('2.5')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Set the price of lab' }).click()
    expect(await price.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await price.waitFor({ state: 'detached' })
  })

  it('as a key, which is never kept, needs Esc or Close twice to be lost', async () => {
    const open = page.getByRole('button', { name: 'Set the key for OpenAI', exact: true })
    const key = page.getByRole('dialog').getByLabel('API key')
    await open.click()
    await page.keyboard.press('Escape')
    await key.waitFor({ state: 'detached' })
    await open.click()
    await key.fill('sk-secret')
    await page.keyboard.press('Escape')
    await page.getByText('Press Esc again to discard').waitFor()
    await key.press('End')
    await page.keyboard.type('-more')
    expect(await key.inputValue()).toBe('sk-secret-more')
    await page.getByText('Press Esc again to discard').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await key.waitFor({ state: 'detached' })
    await open.click()
    expect(await key.inputValue()).toBe('')
    await key.fill('sk-secret')
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
    await close.click()
    await page.getByText('Press Close again to discard').waitFor()
    await close.click()
    await key.waitFor({ state: 'detached' })
    await open.click()
    await page.keyboard.press('Escape')
    await key.waitFor({ state: 'detached' })
  })

  it('leads from the address that a run in progress once had to its results', async () => {
    await page.goto(`${app.origin}/arena/run/gone`)
    await page.waitForURL(`${app.origin}/results/gone`)
    await page.getByText('There is no').first().waitFor()
  })

  it('causes no page errors', () => {
    expect(pageErrors.filter((error) => !error.includes('/api/results/gone'))).toEqual([])
  })
})
