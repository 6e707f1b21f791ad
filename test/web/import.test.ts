import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-import-'))
let app: App
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context, page } = await signIn(browser, app))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
}, 120_000)
afterAll(async () => {
  await context.close()
  await browser.close()
  await app.stop()
  removeFolder(app.data)
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await page.goto(`${app.origin}/suites`)
  await page.getByRole('button', { name: 'Import' }).click()
})

const dialog = () => page.getByRole('dialog')

describe('importing', () => {
  it('a promptfoo folder: prompts become variants, and the summary says what was lost', async () => {
    const config = join(folder, 'translate')
    mkdirSync(join(config, 'prompts'), { recursive: true })
    writeFileSync(
      join(config, 'promptfooconfig.yaml'),
      'description: Translations\nprompts: [file://prompts/*.txt]\nproviders:\n  - { id: openai:gpt-4o, config: { temperature: 0 } }\ntests: file://tests.csv\n',
    )
    writeFileSync(join(config, 'prompts/formal.txt'), 'Translate formally: {{text}}')
    writeFileSync(join(config, 'prompts/short.txt'), '{{text}} in French')
    writeFileSync(join(config, 'tests.csv'), 'text,__expected\nHello,icontains: bonjour\nBye,python: x\n')
    await page.getByLabel('Folder to import').setInputFiles(config)
    await dialog().getByText('From promptfoo: 2 prompts, 2 tests as 2 cases, 2 assertions: 1 whole, 1 lost').waitFor()
    await dialog().getByText('2 cases, 2 variants, 2 warnings').waitFor()
    await dialog().getByText('promptfooconfig.yaml with 3 files of its folder').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Save suite' }).click()
    await page.getByText('Imported 2 cases.').waitFor()
    await page
      .getByRole('tab', { name: /suite|settings|prompts/i })
      .first()
      .click()
    const prompts = page.getByLabel('Prompt of this variant', { exact: true })
    expect(await prompts.evaluateAll((fields) => fields.map((field) => Reflect.get(field, 'value')))).toEqual([
      'Translate formally: {{text}}',
      '{{text}} in French',
    ])
  })
  it('a table with other columns: they are chosen over its first rows', async () => {
    await page.setViewportSize({ width: 375, height: 800 })
    const table = join(folder, 'qa.csv')
    writeFileSync(table, 'nr,question,solution\n1,What is 2+2?,4\n2,Capital of Peru?,Lima\n')
    await page.getByLabel('File to import').setInputFiles(table)
    await dialog().getByText('Read as facts').waitFor()
    expect(await dialog().getByLabel('Read the dataset as').inputValue()).toBe('facts')
    await dialog().getByLabel('Read the dataset as').selectOption('guess')
    await dialog().getByText('Read as guess').waitFor()
    await dialog().getByLabel('Read the dataset as').selectOption('instructions')
    await dialog().getByText('cannot be used').waitFor()
    await dialog().getByRole('button', { name: 'Choose columns' }).click()
    await dialog().getByText('Choose what the columns of the table hold').waitFor()
    expect(await dialog().getByLabel('Prompt').inputValue()).toBe('question')
    expect(await dialog().getByLabel('Expected output').inputValue()).toBe('solution')
    await dialog().getByLabel('Id', { exact: true }).selectOption('nr')
    expect(await findViolations(page)).toEqual([])
    await expectNoSidewaysScroll(page)
    await dialog().getByRole('button', { name: 'Use these columns' }).click()
    await dialog().getByText('2 cases, 1 warning').waitFor()
    await dialog().getByRole('button', { name: 'Save suite' }).click()
    await page.getByText('Imported 2 cases.').waitFor()
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})
