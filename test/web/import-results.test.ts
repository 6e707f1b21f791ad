import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeZip } from '../../src/import/results/testing/zip-file.ts'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-import-results-'))
let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context, page, pageErrors } = await signIn(browser, app))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
}, 120_000)
afterAll(async () => {
  await context.close()
  await browser.close()
  await app.stop()
  removeFolder(app.data)
  rmSync(folder, { recursive: true })
})

const dialog = () => page.getByRole('dialog')

function writeEval(name: string, model: string, isRight: (id: number) => boolean): string {
  const header = JSON.stringify({ version: 2, status: 'success', eval: { task: 'sums', model } })
  const samples = Array.from({ length: 12 }, (_, id) => ({
    name: `samples/${id}_epoch_1.json`,
    content: JSON.stringify({
      id,
      epoch: 1,
      input: `What is ${id} + ${id}?`,
      target: String(id * 2),
      output: { completion: isRight(id) ? String(id * 2) : 'no idea' },
      scores: { match: { value: isRight(id) ? 'C' : 'I' }, speed: { value: id + 1 } },
    }),
  }))
  const path = join(folder, name)
  writeFileSync(path, makeZip([{ name: 'header.json', content: header }, ...samples]))
  return path
}

describe('results of other tools', () => {
  it('two files: seen before they are stored, the metric chosen, then compared', async () => {
    const files = [writeEval('a.eval', 'lab/a', (id) => id < 2), writeEval('b.eval', 'lab/b', () => true)]
    await page.goto(`${app.origin}/results`)
    await page.getByRole('button', { name: 'Import' }).click()
    await dialog().getByLabel('Results files').setInputFiles(files)
    await dialog().getByText('Scores: match: C became 100 (2), I became 0 (10)').waitFor()
    await dialog().getByText('lab/b 100.0', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])

    // Another metric has a scale of its own, which only the user knows.
    const metric = dialog().getByLabel('Metric that counts').first()
    await expect.poll(() => metric.inputValue()).toBe('match')
    await metric.selectOption('speed')
    await dialog()
      .getByText(/speed has 12 scores from 1 to 12, which is not 0 to 1/)
      .waitFor()
    await dialog().getByLabel('Value that becomes 0').fill('0')
    await dialog().getByLabel('Value that becomes 100').fill('20')
    await dialog()
      .getByText(/Scores: speed: 0 became 0 and 20 became 100/)
      .waitFor()
    await metric.selectOption('match')
    await dialog().getByText('Scores: match: C became 100 (2), I became 0 (10)').waitFor()

    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog().getByRole('button', { name: 'Import and compare' }).click()
    await page.getByText('Imported 2 files.').waitFor()
    await page
      .getByText(/lab\/b beats lab\/a/)
      .first()
      .waitFor()

    // The same content again, under another name and dropped on the page of suites.
    await page.goto(`${app.origin}/suites`)
    await page.getByRole('heading', { name: 'Suites', level: 1 }).waitFor()
    const bytes = [...readFileSync(files[1]!)]
    // As text: these tests compile without the DOM.
    await page.evaluate(`{
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'again.eval'))
      document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }))
    }`)
    await dialog().getByText('lab/b 100.0', { exact: true }).waitFor()
    await dialog().getByRole('button', { name: 'Import 1 file' }).click()
    await page.getByText('This file was imported before; nothing was stored again.').waitFor()
    await page.getByText('b.eval').first().waitFor()
    expect(pageErrors).toEqual([])
  }, 90_000)

  it('samples of lm-evaluation-harness come with their summary, or say what they assume', async () => {
    const time = '2025-01-01T00-00-00.000001'
    const rows = [0, 1].map((id) => ({ doc_id: id, doc: 'q', target: '', resps: [['x']], politeness: 0.1 }))
    const samples = {
      name: `samples_talk_${time}.jsonl`,
      mimeType: '',
      buffer: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    }
    const about = { model_name: 'org/talker', higher_is_better: { talk: { politeness: false } } }
    const summary = { name: `results_${time}.json`, mimeType: '', buffer: Buffer.from(JSON.stringify(about)) }
    await page.goto(`${app.origin}/results`)
    await page.getByRole('button', { name: 'Import' }).click()
    await dialog().getByLabel('Results files').setInputFiles(samples)
    await dialog()
      .getByText(/higher values of politeness are assumed to be better/)
      .waitFor()
    await dialog()
      .getByText(/^samples_talk_.* 10\.0$/)
      .waitFor()
    await dialog().getByLabel('Lower is better').check()
    await dialog()
      .getByText(/^samples_talk_.* 90\.0$/)
      .waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog().getByLabel('Results files').setInputFiles([summary, samples])
    await dialog().getByText('org/talker 90.0', { exact: true }).waitFor()
    await dialog().getByText(`with results_${time}.json`).waitFor()
    expect(
      await dialog()
        .getByText(/assumed/)
        .count(),
    ).toBe(0)
    await dialog().getByRole('button', { name: 'Import 1 file' }).click()
    await page.getByText('Imported 1 file.').waitFor()
    expect(pageErrors).toEqual([])
  }, 90_000)

  it('a damaged file says what is wrong, and the suite’s page says what is wrong with a suite', async () => {
    await page.goto(`${app.origin}/results`)
    await page.getByRole('button', { name: 'Import' }).click()
    await dialog()
      .getByLabel('Results files')
      .setInputFiles({ name: 'broken.eval', mimeType: '', buffer: Buffer.from('PK nothing more') })
    await dialog()
      .getByText(/broken\.eval: is not a readable archive/)
      .waitFor()
    expect(await dialog().getByRole('button', { name: 'Import 1 file' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')

    // A folder: what is no results file is passed over, and what cannot be read is not imported.
    const mixed = join(folder, 'logs')
    mkdirSync(mixed)
    writeFileSync(join(mixed, 'notes.txt'), 'not results')
    writeFileSync(join(mixed, 'broken.eval'), 'PK nothing more')
    copyFileSync(
      writeEval('c.eval', 'lab/c', () => true),
      join(mixed, 'c.eval'),
    )
    const session = await context.newCDPSession(page)
    const data = { items: [], files: [mixed], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 700, y: 450, data })
    await dialog().getByText('lab/c 100.0', { exact: true }).waitFor()
    expect(await dialog().getByText('logs/broken.eval', { exact: true }).count()).toBe(1)
    expect(await dialog().getByText('notes.txt').count()).toBe(0)
    await dialog().getByRole('button', { name: 'Import 1 of 2 files' }).click()
    await page.getByText('Imported 1 file.').waitFor()

    const suite = {
      name: 'Faulty',
      testCases: [
        { id: 'first', prompt: 'Who painted the Mona Lisa?', scoringMethod: 'exact-match', expectedOutput: 'Leonardo' },
        { id: 'second', prompt: 'who painted the mona lisa', scoringMethod: 'exact-match', expectedOutput: 'Leonardo' },
      ],
    }
    const saved = await page.request.post(`${app.origin}/api/suites`, { data: { suite } })
    const { id }: { id: string } = await saved.json()
    await page.goto(`${app.origin}/suites/${id}?tab=check`)
    await page.getByText('first and second ask the same: together they count it twice.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Edit second' }).click()
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('who painted the mona lisa')
  }, 90_000)
})
