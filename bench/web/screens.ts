/**
 * The web app in a real Chromium with the real server (needs dist/: run `npm start -- --version` once): the size of the
 * first load, the time until the results of 100,000 cells are usable, scrolling and filtering, and the response to keys
 * while 500 cells stream. Run: `node bench/web/screens.ts [cases] [models]`
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { openStorage } from '../../src/storage/index.ts'
import { importRun } from '../../src/services/index.ts'
import { makeDataFolder, openBrowser, removeFolder, signIn, startApp } from '../../test/web/app.ts'
import { startModelServer } from '../../test/fakes/model-server.ts'
import { makeLargeRun } from './large-run.ts'

const [cases = 10_000, modelCount = 10] = process.argv.slice(2).map(Number)
const models = Array.from({ length: modelCount }, (_, index) => `lab/model-${index}`)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const worst = (values: number[]) => Math.max(...values)
const ms = (value: number) => `${value.toFixed(0)} ms`

function reportSizes(): void {
  const folder = join(import.meta.dirname, '../../dist/web')
  const entry = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8'))![1]!
  const loaded = new Set<string>()
  const follow = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const [, next] of readFileSync(join(folder, file), 'utf8').matchAll(
      /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
    ))
      follow(`assets/${next}`)
  }
  follow(entry)
  const arena = readdirSync(join(folder, 'assets')).find((file) => /^Arena-.*\.js$/.test(file))
  const sizeOf = () => [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  console.log(`first load, compressed: ${(sizeOf() / 1000).toFixed(0)} kB for any screen`)
  if (arena) follow(`assets/${arena}`)
  console.log(`first load, compressed: ${(sizeOf() / 1000).toFixed(0)} kB with the Arena (goal: under 300)`)
}

/** Runs in the page: records the time between frames until `benchStop` is set. */
const RECORD_FRAMES = `(() => {
  window.benchTimes = []
  let last = performance.now()
  const record = (now) => {
    window.benchTimes.push(now - last)
    last = now
    if (!window.benchStop) requestAnimationFrame(record)
  }
  requestAnimationFrame(record)
})()`

/**
 * Runs in each page: records when the first cell becomes visible, by the page's clock, which starts with the navigation.
 * Playwright's `waitFor` polls only every half second, which would dominate the measurement.
 */
const RECORD_FIRST_CELL = `(() => {
  const look = () => {
    const cell = document.querySelector('#cell-0-0')
    if (cell?.checkVisibility()) window.benchFirstCell = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`

const RECORD_EVENTS = `(() => {
  window.benchEvents = []
  new PerformanceObserver((list) => window.benchEvents.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'event', durationThreshold: 16, buffered: true,
  })
})()`

/** Milliseconds between frames while `act` runs. */
async function frameTimes(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(RECORD_FRAMES)
  await act()
  return page.evaluate<number[]>('(window.benchStop = true, window.benchTimes)')
}

async function measureResults(): Promise<void> {
  const data = makeDataFolder()
  const storage = await openStorage({ file: join(data, 'benchmaker.db') })
  await importRun(makeLargeRun('large', { cases, models }), storage, Date.now())
  await storage.close()
  const [app, browser] = await Promise.all([startApp({ data }), openBrowser()])
  const { page } = await signIn(browser, app)
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
  await page.addInitScript(RECORD_FIRST_CELL)
  const visits: number[] = []
  for (let visit = 0; visit < 5; visit++) {
    await page.goto(`${app.origin}/settings`)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.goto(`${app.origin}/results/large`)
    await page.locator('#cell-0-0').waitFor()
    visits.push(await page.evaluate<number>('window.benchFirstCell'))
  }
  console.log(
    `results of ${(cases * modelCount).toLocaleString('en')} cells, navigation to first cell: first ${ms(visits[0]!)}, then median ${ms(median(visits.slice(1)))} (goal: 1,500)`,
  )

  const grid = page.getByRole('grid', { name: /Cases by model/ })
  await grid.scrollIntoViewIfNeeded()
  const box = (await grid.boundingBox())!
  await page.mouse.move(box.x + 300, box.y + 200)
  const frames = await frameTimes(page, async () => {
    for (let step = 0; step < 120; step++) {
      await page.mouse.wheel(0, 80)
      await page.waitForTimeout(16)
    }
  })
  const sorted = frames.toSorted((a, b) => a - b)
  console.log(
    `scrolling: frames of median ${ms(median(frames))}, 95th percentile ${ms(sorted[Math.floor(sorted.length * 0.95)]!)}, longest ${ms(worst(frames))}`,
  )

  const filters: number[] = []
  for (const state of ['failed', 'disagree', 'all']) {
    const start = performance.now()
    const reply = page.waitForResponse((response) => response.url().includes('/cases?') && response.ok())
    await page.getByLabel('Show', { exact: true }).selectOption(state)
    await reply
    filters.push(performance.now() - start)
  }
  console.log(`filtering: median ${ms(median(filters))}, longest ${ms(worst(filters))}`)
  await browser.close()
  await app.stop()
  removeFolder(data)
}

async function measureStreaming(): Promise<void> {
  const server = await startModelServer({ latencyMs: 50, tokenDelayMs: 60, tokenCount: 300 })
  const [app, browser] = await Promise.all([startApp(), openBrowser()])
  const { page, context } = await signIn(browser, app)
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
  const headers = { 'content-type': 'application/json', origin: app.origin }
  const send = async (method: 'post' | 'put', path: string, body: unknown) =>
    (await context.request[method](`${app.origin}/api${path}`, { headers, data: body })).json()
  await send('put', '/settings/endpoints/local', { name: 'local', baseUrl: server.baseUrl })
  const testCases = Array.from({ length: 100 }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'a',
  }))
  const suite = await send('post', '/suites', { suite: { name: 'Streaming', testCases } })
  const { runId } = await send('post', '/runs', {
    suiteId: suite.id,
    models: ['a', 'b', 'c', 'd', 'e'].map((name) => `local/${name}`),
    concurrency: 500,
  })
  await page.goto(`${app.origin}/results/${runId}/cases`)
  await page.getByRole('grid').waitFor()
  await page.waitForTimeout(1500)
  await page.evaluate(RECORD_EVENTS)
  const search = page.getByLabel('Search')
  let keys = 0
  while (server.stats().inFlight > 400 && keys < 120) {
    await search.press(keys % 8 === 7 ? 'Control+A' : 'c')
    keys++
    await page.waitForTimeout(40)
  }
  const durations = await page.evaluate<number[]>('window.benchEvents')
  console.log(
    `${server.stats().maxInFlight} answers streaming concurrently: ${keys} keys pressed, ${durations.length} of their events took 16 ms or more, longest ${ms(Math.max(0, ...durations))} (goal: under 100)`,
  )
  await browser.close()
  await app.stop()
  await server.close()
  removeFolder(app.data)
}

reportSizes()
await measureStreaming()
await measureResults()
