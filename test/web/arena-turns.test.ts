import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'

let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let pageErrors: string[]

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp({ env: { BENCHMAKER_DEMO_DELAY_MS: '0' } }), openBrowser()])
  ;({ context, page, pageErrors } = await signIn(browser, app))
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

async function send<T>(path: string, data: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', origin: app.origin }
  const reply = await context.request.post(`${app.origin}/api${path}`, { headers, data })
  if (!reply.ok()) throw new Error(await reply.text())
  return reply.json()
}

async function finish(runId: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      const reply = await context.request.get(`${app.origin}/api/results/${runId}`)
      const { runs }: { runs: { state: string }[] } = await reply.json()
      return runs.every(({ state }) => state === 'done')
    },
    { timeout: 60_000, interval: 200 },
  )
}

/** The page in the frame with this title, once it shows the text. */
async function frameWith(title: string, text: string): Promise<Frame> {
  const element = page.locator(`iframe[title="${title}"]`)
  await element.contentFrame().getByText(text).first().waitFor()
  return (await (await element.elementHandle())!.contentFrame())!
}

const backgroundOf = (frame: Frame) => frame.evaluate<string>('getComputedStyle(document.body).backgroundColor')
const isEditorFocused = () => page.evaluate<boolean>("document.activeElement?.closest('.cm-editor') !== null")

async function replaceCode(code: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(code)
}

/** The tests build on each other. One model: its name is never hidden for a vote. */
describe('a conversation with a model about its page', () => {
  let runId: string

  it('continues with “make it blue”, is compared turn by turn, and is in the history with pictures', async () => {
    ;({ runId } = await send<{ runId: string }>('/code-arena', {
      prompt: 'a pricing page with three plans',
      models: ['demo/good'],
      judgeModelIds: ['demo/judge'],
    }))
    await page.goto(`${app.origin}/code-arena/${runId}`)
    const field = page.getByLabel('Request a change')
    await field.fill('make it blue')
    await field.press('Enter')
    await page.waitForURL((url) => !url.href.includes(runId))
    const shown = page.getByRole('navigation', { name: 'Turns' }).locator('[aria-current=step]')
    await shown.getByText('Turn 2').waitFor()
    await page.getByLabel('Request a change').waitFor()

    await page.getByRole('button', { name: 'Compare turns' }).click()
    const before = await frameWith('Turn 1 by demo/good', 'One price, no surprises')
    const after = await frameWith('Turn 2 by demo/good', 'One price, no surprises')
    expect(await backgroundOf(after)).toBe('rgb(219, 232, 255)')
    expect(await backgroundOf(before)).not.toBe(await backgroundOf(after))
    const grades = page.getByRole('group', { name: 'Grades by turn' }).getByRole('row', { name: /demo\/good/ })
    expect(await grades.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/^\d/),
      expect.stringMatching(/^\d/),
    ])
    expect(await findViolations(page)).toEqual([])

    await page.goto(`${app.origin}/code-arena?tab=history`)
    const pictures = page.getByRole('img', { name: 'Page by demo/good' })
    await expect
      .poll(() => pictures.evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth'))), {
        timeout: 60_000,
      })
      .toEqual([240, 240])
    await page.getByText('turn 2').waitFor()
  })

  it('is forked: the page follows the code as one types, cannot take the keyboard, and is kept', async () => {
    await page.goto(`${app.origin}/code-arena/${runId}/edit?model=demo%2Fgood`)
    await frameWith('Edited page of demo/good', 'One price, no surprises')
    await replaceCode('<!doctype html><h1>Forked</h1>')
    await frameWith('Edited page of demo/good', 'Forked')
    expect(await isEditorFocused()).toBe(true)

    await page.mouse.move(5, 5)
    await replaceCode(
      `<!doctype html><h1>Thief</h1><input><input><script>const fields = document.querySelectorAll('input'); let at = 0; setInterval(() => { window.focus(); fields[at++ % 2].focus() }, 50)</script>`,
    )
    // The page is shown, takes the focus again and again, and is then paused while one types.
    await page.getByText('Paused while you type.').waitFor()
    await page.keyboard.insertText('<p>typed after it</p>')
    expect(await page.locator('.cm-content').innerText()).toContain('<p>typed after it</p>')

    await replaceCode('<!doctype html><h1>Mine</h1>')
    await page.getByRole('button', { name: 'Keep as a fork' }).click()
    await page.waitForURL(/fork=/)
    await page.reload()
    await page.getByRole('heading', { name: 'fork of demo/good' }).waitFor()
    await frameWith('Edited page of demo/good', 'Mine')
    await page.getByRole('button', { name: 'Reset' }).click()
    await frameWith('Edited page of demo/good', 'One price, no surprises')
    expect(await findViolations(page)).toEqual([])

    await page.getByRole('link', { name: 'All pages of the run' }).click()
    await page.getByRole('region', { name: 'Forks' }).getByRole('link', { name: 'fork of demo/good' }).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('is saved as one file that opens offline, and the pages of prompt sets are shown with their cases', async () => {
    await page.getByRole('button', { name: 'Share' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Save as HTML', exact: true }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    const offline = await browser.newContext({ offline: true })
    const file = await offline.newPage()
    const problems: string[] = []
    file.on('console', (message) => problems.push(message.text()))
    await file.setContent(text)
    const widths = await file
      .locator('img')
      .evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth')))
    expect(widths).toEqual([375, 768, 1440, 1440])
    expect([await file.locator('script').count(), problems]).toEqual([0, []])
    await offline.close()

    const { id: suiteId } = await send<{ id: string }>('/suites', {
      suite: {
        name: 'Pages',
        testCases: [{ id: 'counter', prompt: 'A counter with two buttons', scoringMethod: 'code-arena' }],
      },
    })
    const { runId: suiteRun } = await send<{ runId: string }>('/runs', {
      suiteId,
      models: ['demo/good'],
      judgeModelIds: ['demo/judge'],
    })
    await finish(suiteRun)
    await page.goto(`${app.origin}/results/${suiteRun}/case?id=counter`)
    await page.locator('iframe[title="Page by demo/good"]').contentFrame().getByRole('button').first().waitFor()
    await page.getByRole('button', { name: /Open the screenshot at 768 px/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect([...new Set(pageErrors)]).toEqual([])
  })
})
