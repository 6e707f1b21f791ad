import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectNoSidewaysScroll, findViolations, openBrowser, removeFolder, signIn, startApp, type App } from './app.ts'
import { hostileTexts } from './hostile-texts.ts'

let app: App
let browser: Browser
let context: BrowserContext
let page: Page
let pageErrors: string[]
const pending = new Set<Request>()
const addresses: Record<string, string> = {}

const json = () => ({ 'content-type': 'application/json', origin: app.origin })

async function send<T>(path: string, data: unknown): Promise<T> {
  const reply = await context.request.post(`${app.origin}/api${path}`, { headers: json(), data })
  expect([path, reply.status(), reply.ok() ? '' : await reply.text()]).toEqual([path, reply.status(), ''])
  return reply.json()
}

async function finish(selection: string): Promise<void> {
  const areFinished = async (): Promise<boolean> => {
    const { runs }: { runs: { state: string }[] } = await (
      await context.request.get(`${app.origin}/api/results/${selection}`)
    ).json()
    return runs.every(({ state }) => state === 'done')
  }
  await vi.waitUntil(areFinished, { timeout: 60_000, interval: 200 })
}

const hostileSuite = {
  name: `Hostile ${hostileTexts[1]} ${hostileTexts[4]}`,
  description: hostileTexts.join(' '),
  systemPrompt: hostileTexts[0],
  testCases: hostileTexts.map((text, index) => ({
    id: `case ${index} ${text}`,
    prompt: `Repeat: ${text}`,
    expectedOutput: text,
    scoringMethod: 'exact-match',
    metadata: { category: text, tags: [text], difficulty: text },
  })),
}

beforeAll(async () => {
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ context, page, pageErrors } = await signIn(browser, app))
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
  const suites: { id: string; name: string }[] = await (await context.request.get(`${app.origin}/api/suites`)).json()
  const example = suites.find(({ name }) => name === 'First look')!
  const models = ['demo/good', 'demo/fair', 'demo/poor']
  const one = await send<{ runId: string }>('/runs', { suiteId: example.id, models })
  const series = await send<{ runId: string; seriesId: string }>('/runs', {
    suiteId: example.id,
    models,
    repeat: 3,
    concurrency: 50,
  })
  const hostile = await send<{ id: string }>('/suites', { suite: hostileSuite })
  const hostileRun = await send<{ runId: string }>('/runs', { suiteId: hostile.id, models: ['demo/good', 'demo/poor'] })
  const arena = await send<{ runId: string }>('/code-arena', {
    prompt: 'a counter',
    models: ['demo/good'],
    isQuickJudge: true,
  })
  await finish(one.runId)
  await finish(arena.runId)
  await finish(hostileRun.runId)
  await finish(`series:${series.seriesId}`)
  const calibration = await send<{ id: string }>('/calibrations', { judgeModelId: 'demo/judge' })
  await page.evaluate("window.localStorage.setItem('benchmaker-rater', 'Ann')")
  const hostileQueue = await send<{ id: string }>('/ratings', { selection: hostileRun.runId, perModel: 3 })
  const audit = await send<{ id: string }>('/audits', {
    judgeModelId: 'demo/judge-first',
    only: ['position'],
    limit: 8,
  })
  const isAudited = async () => (await context.request.get(`${app.origin}/api/audits/${audit.id}`)).ok()
  await vi.waitUntil(isAudited, { timeout: 60_000, interval: 100 })
  const toolFile = await send<{ id: string }>('/tool-calls?name=results.json&credit=calls', [
    {
      task_id: 0,
      reward: 0,
      trial: 0,
      info: { task: { actions: [{ name: 'book', kwargs: { to: 'SFO', note: hostileTexts[1] } }] } },
      traj: [
        {
          role: 'assistant',
          tool_calls: [{ function: { name: 'book', arguments: JSON.stringify({ to: hostileTexts[0] }) } }],
        },
      ],
    },
  ])
  Object.assign(addresses, {
    arena: '/arena',
    suites: '/suites',
    'a new suite': '/suites/new',
    'a suite': `/suites/${example.id}`,
    'the source of a suite': `/suites/${example.id}?tab=source`,
    'what is wrong with a suite': `/suites/${example.id}?tab=check`,
    'the history of a suite': `/suites/${example.id}/history`,
    'the trend of a suite': `/suites/${example.id}/trend`,
    'the trend of a hostile suite': `/suites/${hostile.id}/trend`,
    'a hostile suite': `/suites/${hostile.id}`,
    results: '/results',
    'a run': `/results/${one.runId}`,
    'the cases of a run': `/results/${one.runId}/cases?state=failed`,
    'the statistics of a run': `/results/${one.runId}/statistics`,
    'the cost of a run': `/results/${one.runId}/cost`,
    'a series': `/results/series:${series.seriesId}`,
    'the cases of a series': `/results/series:${series.seriesId}/cases?sort=worst&case=capital-australia`,
    'the statistics of a series': `/results/series:${series.seriesId}/statistics`,
    'a case': `/results/${one.runId}/case?id=${encodeURIComponent('capital-australia')}`,
    playground: `/playground/${one.runId}?case=capital-australia&model=${encodeURIComponent('demo/poor')}`,
    'a hostile playground': `/playground/${hostileRun.runId}?${new URLSearchParams({ case: hostileSuite.testCases[1]!.id, model: 'demo/poor' })}`,
    'a hostile run': `/results/${hostileRun.runId}`,
    'the cases of a hostile run': `/results/${hostileRun.runId}/cases?answers=1`,
    'the statistics of a hostile run': `/results/${hostileRun.runId}/statistics`,
    'a hostile case': `/results/${hostileRun.runId}/case?id=${encodeURIComponent(hostileSuite.testCases[1]!.id)}`,
    'rating answers': `/results/${one.runId}/rate`,
    'a hostile rating queue': `/results/${hostileRun.runId}/rate?queue=${hostileQueue.id}`,
    'answers to compare': `/vote/${one.runId}`,
    rankings: '/rankings',
    comparison: `/compare?a=${one.runId}&b=series:${series.seriesId}`,
    'two answers': `/compare/case?a=${one.runId}&b=series:${series.seriesId}&pa=demo/good&pb=demo/poor&id=capital-australia`,
    'two hostile answers': `/compare/case?a=${hostileRun.runId}&b=${hostileRun.runId}&pa=demo/good&pb=demo/poor&id=${encodeURIComponent(hostileSuite.testCases[1]!.id)}`,
    'tool calls': '/tool-calls',
    'a file of tool calls': `/tool-calls/${toolFile.id}?record=0`,
    judges: '/judges',
    'a calibration': `/judges/${calibration.id}`,
    'an audit': `/judges/audits/${audit.id}`,
    'code arena': '/code-arena',
    'an edited page': `/code-arena/${arena.runId}/edit?model=${encodeURIComponent('demo/good')}`,
    settings: '/settings',
    'an unknown address': '/nowhere',
  })
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  removeFolder(app.data)
})

const names = [
  'arena',
  'a finished run',
  'suites',
  'a new suite',
  'a suite',
  'the source of a suite',
  'what is wrong with a suite',
  'the history of a suite',
  'the trend of a suite',
  'the trend of a hostile suite',
  'a hostile suite',
  'results',
  'a run',
  'the cases of a run',
  'the statistics of a run',
  'the cost of a run',
  'a series',
  'the cases of a series',
  'the statistics of a series',
  'a case',
  'playground',
  'a hostile playground',
  'a hostile run',
  'the cases of a hostile run',
  'the statistics of a hostile run',
  'a hostile case',
  'answers to compare',
  'rating answers',
  'a hostile rating queue',
  'rankings',
  'comparison',
  'two answers',
  'two hostile answers',
  'tool calls',
  'a file of tool calls',
  'judges',
  'a calibration',
  'an audit',
  'code arena',
  'an edited page',
  'settings',
  'an unknown address',
]
const folder = process.env['SCREENSHOTS']

/** True if nothing is being loaded, and after two frames still nothing is: one reply may be the reason for a request. */
async function isSettled(): Promise<boolean> {
  if (pending.size > 0) return false
  const isBusy = await page.evaluate<boolean>(`new Promise((resolve) => {
    const look = () => resolve(document.querySelector('[aria-busy="true"], .animate-pulse') !== null)
    requestAnimationFrame(() => requestAnimationFrame(look))
  })`)
  return !isBusy && pending.size === 0
}

async function openScreen(name: string): Promise<void> {
  pending.clear()
  await page.goto(`${app.origin}${addresses[name]}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Not `networkidle`, which waits for half a second on every screen.
  await vi.waitUntil(isSettled, { timeout: 20_000, interval: 20 })
}

async function show(name: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 800 : 900 })
  await page.emulateMedia({ colorScheme })
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  if (folder !== undefined && existsSync(folder))
    await page.screenshot({
      path: join(folder, `${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`),
      fullPage: true,
    })
}

/**
 * Whether axe looks at a screen at this width: at one of the two, in turns, because it takes half of the time here. Hostile texts
 * are there for what they do, on the same screens. `EVERY_VIEW=1` examines everything.
 */
function isExamined(name: string, width: number): boolean {
  const isItsTurn = (names.indexOf(name) % 2 === 0) === (width === 375)
  return process.env['EVERY_VIEW'] === '1' || (isItsTurn && !name.includes('hostile'))
}

describe.each(names)('%s', (name) => {
  it('has no serious violations at 1440 px in dark and at 375 px in light, where it does not scroll sideways', async () => {
    await openScreen(name)
    for (const [width, colorScheme] of [
      [1440, 'dark'],
      [375, 'light'],
    ] as const) {
      await show(name, width, colorScheme)
      if (isExamined(name, width))
        expect([width, colorScheme, await findViolations(page)]).toEqual([width, colorScheme, []])
      if (width === 375) await expectNoSidewaysScroll(page)
    }
  })
})

it('no hostile text ran, nothing was fetched from elsewhere, and there were no page errors', async () => {
  expect(await page.evaluate('window.harmed')).toBeUndefined()
  expect(pageErrors).toEqual([])
})
