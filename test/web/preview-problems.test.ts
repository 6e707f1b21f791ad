/** What a preview says about its page, and that libraries run in it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { npmVariables, startRegistry, type Registry } from '../../src/preview/packages/testing/registry.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'
import { readAnswer } from '../preview/corpus.ts'
import {
  expectNoSidewaysScroll,
  findViolations,
  makeDataFolder,
  openBrowser,
  removeFolder,
  signIn,
  startApp,
  type App,
} from './app.ts'

const answers: Record<string, string> = {
  missing: 'react-missing-package',
  failing: 'html-missing-pixi',
  three: 'html-three-importmap',
  svelte: 'svelte-runes',
  several: 'html-alternatives',
}

/** Everything that it asks for is on the network, which no page has here. */
const pageOfNetwork = `<!doctype html><html lang="en"><title>Team</title><h1>Team</h1>
<svg width="100" height="100"><image href="https://cdn.example.com/a.png" width="100" height="100"/></svg>
<script>
  fetch('https://api.example.com/team')
  const style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = 'https://fonts.example.com/css2?family=Inter'
  style.onerror = () => {
    const video = document.createElement('video')
    video.src = '//cdn.example.com/v.mp4'
    video.onerror = () => document.body.append('All tried')
    document.body.append(video)
  }
  document.head.append(style)
</script></html>`

let app: App
let browser: Browser
let models: ModelServer
let registry: Registry
let page: Page

beforeAll(async () => {
  models = await startModelServer({
    models: [...Object.keys(answers), 'network'],
    answer: ({ model }) => (model === 'network' ? pageOfNetwork : readAnswer(answers[model] ?? '')),
  })
  registry = await startRegistry()
  registry.publish({
    name: 'pixi.js',
    version: '8.6.0',
    files: { 'dist/pixi.min.js': 'window.PIXI = { Application: class {} }', 'index.js': '' },
  })
  const data = makeDataFolder()
  const env = npmVariables(registry, join(data, 'npm'))
  ;[app, browser] = await Promise.all([startApp({ data, env }), openBrowser()])
  ;({ page } = await signIn(browser, app))
  await page.context().request.put(`${app.origin}/api/settings/endpoints/local`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data: { name: 'local', baseUrl: models.baseUrl },
  })
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  await registry.close()
  removeFolder(app.data)
})

/** Set to a folder to look at the screens. */
const pictures = process.env['BENCHMAKER_TEST_PICTURES']

it('a preview names what is missing and its first error above the page, and libraries run from the app itself', async () => {
  const started = await page.context().request.post(`${app.origin}/api/code-arena`, {
    headers: { 'content-type': 'application/json', origin: app.origin },
    data: {
      prompt: 'a page',
      models: [...Object.keys(answers), 'network'].map((model) => `local/${model}`),
      judgeModelIds: [],
      isQuickJudge: true,
    },
  })
  expect(started.status(), await started.text()).toBe(201)
  const { runId } = await started.json()
  await page.goto(`${app.origin}/code-arena/${runId}`)
  await page.getByRole('button', { name: 'Show names without voting' }).click()
  const panel = (model: string) => page.getByRole('article', { name: `local/${model}` })
  const about = (model: string) => panel(model).getByRole('list', { name: 'About this page' })

  await expect
    .poll(() => about('missing').innerText(), { timeout: 60_000 })
    .toBe(
      'react-spring and react-flowchart are not available here; stand-ins are shown. “benchmaker install packages react-spring react-flowchart” installs them. The page is judged by its code.\nInstall 2 packages',
    )
  await expect
    .poll(() => about('failing').innerText(), { timeout: 60_000 })
    .toBe(
      'The page has an error: it uses PIXI, which is not defined.\npixi.js is not available here. “benchmaker install packages pixi.js” installs it. The page is judged by its code.\nInstall pixi.js',
    )
  await panel('three').frameLocator('iframe').first().getByText('4 planets').waitFor()
  const svelte = panel('svelte').frameLocator('iframe').first()
  await svelte.getByRole('checkbox', { name: 'Ship it' }).dispatchEvent('click')
  await svelte.getByText('0 left').waitFor()
  // The recommended one of several is shown, and another can be chosen.
  const several = panel('several').frameLocator('iframe').first()
  await several.getByText('Option B animated').waitFor()
  await panel('several').getByLabel('Alternatives in this answer').selectOption('Option C: minimal')
  await several.getByText('Option C minimal').waitFor()
  // What has to come from the network is not the page's fault, in its console either.
  await panel('network').frameLocator('iframe').first().getByText('All tried').waitFor()
  await panel('network')
    .getByRole('tab', { name: /Console/ })
    .click()
  await panel('network')
    .getByText(/cdn\.example\.com\/v\.mp4 \(media-src\)/)
    .waitFor()
  expect(await panel('network').innerText()).not.toMatch(/could not be loaded|Failed to fetch/)
  expect(await about('network').count()).toBe(0)
  expect(await about('three').count()).toBe(0)
  expect(await about('svelte').count()).toBe(0)

  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (pictures) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: `${pictures}/preview-${width}-${colorScheme}.png`, fullPage: true })
      }
    }
    await expectNoSidewaysScroll(page)
  }
  expect(await findViolations(page)).toEqual([])

  // The package that a page lacks is fetched only after the question, and the page then has it.
  await page.setViewportSize({ width: 1440, height: 900 })
  await panel('missing').getByRole('button', { name: 'Install 2 packages' }).waitFor()
  await panel('failing').getByRole('button', { name: 'Install pixi.js' }).click()
  const dialog = page.getByRole('dialog', { name: 'Install pixi.js?' })
  await dialog.getByText('No script of a package runs').waitFor()
  for (const width of [1440, 375])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      if (pictures) await page.screenshot({ path: `${pictures}/install-${width}-${colorScheme}.png` })
    }
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(registry.asked).toEqual([])
  await panel('failing').getByRole('button', { name: 'Install pixi.js' }).click()
  await dialog.getByRole('button', { name: 'Install' }).click()
  await panel('failing').frameLocator('iframe').first().getByText('started').waitFor({ timeout: 120_000 })
  await expect.poll(() => about('failing').count()).toBe(0)
  await page.getByText('Installed pixi.js 8.6.0.').waitFor()
  await panel('missing').getByRole('button', { name: 'Install 2 packages' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
  await page.getByRole('dialog').getByText('the registry has no such package').waitFor({ timeout: 120_000 })
  if (pictures) await page.screenshot({ path: `${pictures}/install-failed.png` })
  await page.goto(`${app.origin}/settings`)
  await page.getByRole('button', { name: 'Remove pixi.js' }).scrollIntoViewIfNeeded()
  for (const width of [1440, 375])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      if (pictures) await page.screenshot({ path: `${pictures}/installed-${width}-${colorScheme}.png` })
    }
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Remove pixi.js' }).click()
  await page.getByRole('button', { name: 'Remove pixi.js' }).waitFor({ state: 'detached', timeout: 120_000 })
})
