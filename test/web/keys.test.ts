import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningServer } from '../../src/server/http/server-file.ts'
import { openStorage } from '../../src/storage/index.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let models: ModelServer
beforeAll(async () => {
  ;[app, browser, models] = await Promise.all([startApp(), openBrowser(), startModelServer({ models: ['small'] })])
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  await models?.close()
  if (app) removeFolder(app.data)
})

/** Changes the saved endpoints as a restored backup or someone else at a shared database would. */
async function changeDatabase(endpoints: { name: string; baseUrl: string }[]): Promise<void> {
  const storage = await openStorage({ file: join(app.data, 'benchmaker.db') })
  await storage.saveDocument({ kind: 'settings', id: 'endpoints', content: { endpoints } })
  await storage.close()
}

describe('keys', () => {
  it('the private page signs a real browser in, once, and is deleted', async () => {
    const running = await findRunningServer(app.data, { wantsPage: true })
    expect(running?.url.startsWith(`${app.origin}/?token=`)).toBe(true)
    const file = running!.page!
    const page = await browser.newPage()
    await page.goto(pathToFileURL(file).href)
    await page.waitForURL(`${app.origin}/**`)
    await page.getByRole('link', { name: 'Settings' }).first().waitFor()
    expect(page.url()).not.toContain('token')
    expect(existsSync(file)).toBe(false)
    await page.close()
  })

  it('Settings says which keys are not sent and why, and takes them again', async () => {
    const { context, page, pageErrors } = await signIn(browser, app)
    await page.goto(`${app.origin}/settings`)
    const add = async (name: string, baseUrl: string) => {
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('textbox', { name: 'Base URL' }).fill(baseUrl)
      await page.getByRole('textbox', { name: 'API key' }).fill(`key-of-${name}`)
      await page.getByRole('button', { name: 'Add endpoint' }).click()
      await page.getByRole('button', { name: `Replace the key for ${name}` }).waitFor()
    }
    await add('lab', 'http://127.0.0.1:9/v1')
    expect(await page.getByText('sent unencrypted').count()).toBe(0)
    await add('far', 'http://192.0.2.7/v1')
    await page.getByText('The key for http://192.0.2.7 is sent unencrypted').waitFor()
    await changeDatabase([
      { name: 'lab', baseUrl: models.baseUrl },
      { name: 'far', baseUrl: 'http://192.0.2.7/v1' },
      { name: 'openai', baseUrl: 'http://192.0.2.7/v1' },
    ])

    await page.reload()
    await page.getByText('The key was given for http://127.0.0.1:9;').waitFor()
    await page.getByText('The endpoint openai is not used').waitFor()
    expect(await findViolations(page)).toEqual([])
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)

    await page.getByRole('button', { name: 'Set the key for lab' }).click()
    await page.getByText(`Sent only to ${new URL(models.baseUrl).origin}.`).waitFor()
    await page.getByRole('dialog').getByLabel('API key').fill('newer-key-of-the-lab')
    await page.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('It works').waitFor()
    expect(await page.getByText('The key was given for').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove the endpoint lab' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Remove the endpoint lab' }).waitFor()
    await page.getByRole('button', { name: 'Remove the endpoint openai' }).click()
    await page.getByText('The endpoint openai is not used').waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
    await context.close()
  })
})
