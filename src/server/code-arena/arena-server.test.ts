import type { PreviewView } from './preview-page.ts'
import type { ArenaRunList } from './arena-list.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import type { RunList } from '../runs/routes.ts'
import type { LiveSnapshot, LiveUpdate } from '../../contract/index.ts'
import { createLiveRunStore, type ShownPage } from '../../stores/liveRunStore.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type ScriptedReply,
} from '../../../test/fakes/model-server.ts'
import { previewsFolder } from '../../../test/preview/browser.ts'
import { startServer, type StartedServer, type StreamedEvent } from '../testing/started-server.ts'

const PROMPT = 'a pricing page with three plans and a monthly/yearly switch'
const DEMO = ['demo/good', 'demo/fair', 'demo/poor']
const PNG = [137, 80, 78, 71]

let server: StartedServer
let models: ModelServer
let judgeReply: ((request: ChatRequest) => ScriptedReply | undefined) | undefined

const GRADES = JSON.stringify(
  Object.fromEntries(
    ['visualAccuracy', 'codeQuality', 'functionality', 'responsiveness'].map((name) => [
      name,
      { score: 70, reason: 'fine' },
    ]),
  ),
)

function write({ model }: ChatRequest): string {
  if (model === 'judge') return GRADES
  if (model === 'prose') return 'I would rather describe it: three plans, side by side.'
  return `Here is the page of ${model}:\n\`\`\`html\n<!doctype html><title>${model}</title><h1>Plans</h1><button onclick="this.textContent='yearly'">monthly</button>\n\`\`\`\n`
}

beforeAll(async () => {
  models = await startModelServer({
    cost: 0.001,
    tokenDelayMs: 5,
    answer: write,
    models: ['plain', 'other', 'prose', 'judge'],
    reply: (request) => (request.model === 'judge' ? judgeReply?.(request) : undefined),
  })
  server = await startServer({
    compose: composeServer,
    env: { BENCHMAKER_PREVIEWS_FOLDER: previewsFolder, BENCHMAKER_DEMO_DELAY_MS: '600' },
  })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

const start = (body: object = {}) =>
  server.send<StartedRun>('POST', '/api/code-arena', { prompt: PROMPT, models: DEMO, ...body })
const viewOf = async (runId: string) => {
  const data = await server.get<LiveSnapshot>(`/api/code-arena/${runId}?names=shown`)
  return { ...data, pages: show([{ event: 'snapshot', data }]) }
}
const eventsOf = (runId: string) => server.watch(`/api/runs/${runId}/events?names=shown`)
const finish = async (body: object = {}) => {
  const { runId } = await start(body)
  await eventsOf(runId).rest()
  return runId
}

const isSnapshot = (event: StreamedEvent): event is { event: 'snapshot'; data: LiveSnapshot } =>
  event.event === 'snapshot'
const isUpdate = (event: StreamedEvent): event is { event: 'update'; data: LiveUpdate } => event.event === 'update'

const hasText = (event: StreamedEvent) => isUpdate(event) && event.data.cells.some(({ text }) => text !== undefined)
const isInspected = (event: StreamedEvent) => isUpdate(event) && event.data.cells.some(({ page }) => page?.inspection)

/** What a screen shows after these events. */
function show(events: StreamedEvent[]): readonly ShownPage[] {
  const store = createLiveRunStore(() => undefined)
  for (const event of events) {
    if (isSnapshot(event)) store.receiveSnapshot(event.data)
    if (isUpdate(event)) expect(store.receiveUpdate(event.data)).toBe(true)
  }
  return store.getPages()
}

describe('a run of the Code Arena', () => {
  it('can be watched from its first word to its judged pages, and looks the same afterwards', async () => {
    const { runId } = await start({ judgeModelIds: ['demo/judge'] })
    const first = eventsOf(runId)
    const early = [await first.until(isSnapshot), await first.until(hasText)]
    // A viewer who joins halfway sees the same in the end.
    const second = await eventsOf(runId).rest()
    const events = [...early, ...(await first.rest())]
    expect(events.at(-1)).toEqual({ event: 'finished', data: {} })
    expect(events.filter(hasText).length).toBeGreaterThan(3)
    expect(events.findLast(isUpdate)?.data.progress).toMatchObject({ state: 'done', done: 3, scored: 3 })

    const view = await viewOf(runId)
    expect(view).toMatchObject({
      progress: { state: 'done' },
      arena: { prompt: PROMPT, judgeModel: 'demo/judge', isQuickJudge: false, seriesRuns: [runId] },
    })
    expect(view.pages.map(({ modelId, state }) => [modelId, state])).toEqual(DEMO.map((model) => [model, 'scored']))
    for (const shown of [show(events), show(second)]) expect(shown).toEqual(view.pages)

    const [good, , poor] = view.pages.map(({ page }) => page)
    expect(good!.score!.score).toBeGreaterThan(poor!.score!.score)
    expect(good!.score!.criteria?.map(({ name, weight }) => [name, weight])).toEqual([
      ['visualAccuracy', 0.4],
      ['codeQuality', 0.3],
      ['functionality', 0.2],
      ['responsiveness', 0.1],
    ])
    expect(good!.inspection).toMatchObject({
      errors: [],
      screenshots: [{ width: 375 }, { width: 768 }, { width: 1440 }, { width: 1440, isAfterInteraction: true }],
    })

    const picture = await server.ask(good!.inspection!.screenshots[0]!.url, { headers: { cookie: server.cookie } })
    expect(picture).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
    })
    expect([...Buffer.from(picture.text.slice(1, 4))]).toEqual(PNG.slice(1))
    expect(
      (await server.try('GET', `/api/code-arena/${runId}/artifacts?model=demo%2Fgood&name=inspection.json`)).status,
    ).toBe(404)
  })

  it('is a run like any other: in both lists with its scores, and can be deleted', async () => {
    const runId = await finish({ models: ['local/plain', 'local/other'], judgeModelIds: ['local/judge'] })
    const { runs } = await server.get<ArenaRunList>('/api/code-arena?names=shown')
    expect(runs.find((run) => run.runId === runId)).toMatchObject({
      prompt: PROMPT,
      judgeModel: 'local/judge',
      state: 'done',
      scores: { 'local/plain': expect.closeTo(0.7), 'local/other': expect.closeTo(0.7) },
      votes: 0,
    })
    expect((await server.get<RunList>('/api/runs?names=shown')).runs.find(({ id }) => id === runId)).toMatchObject({
      testSuiteName: `Code Arena: ${PROMPT}`,
      means: { 'local/plain': expect.closeTo(0.7) },
    })
    await server.send('DELETE', `/api/runs/${runId}`)
    expect((await server.try('GET', `/api/code-arena/${runId}`)).status).toBe(404)
  })

  it('does not include runs of another kind', async () => {
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good'],
      limit: 1,
    })
    expect((await server.try('GET', `/api/code-arena/${runId}`)).status).toBe(404)
    expect((await server.get<ArenaRunList>('/api/code-arena')).runs.some((run) => run.runId === runId)).toBe(false)
    await server.try('POST', `/api/runs/${runId}/stop`)
  })

  it('without a judge has pages and no scores', async () => {
    const runId = await finish({ models: ['local/plain', 'local/prose'] })
    const [page, prose] = (await viewOf(runId)).pages
    expect(page).toMatchObject({
      state: 'unscored',
      page: { unscored: { code: 'not-judged' }, inspection: { screenshots: { length: 4 } } },
    })
    expect(prose).toMatchObject({
      state: 'unscored',
      page: { inspection: { screenshots: [], problem: expect.stringContaining('code') } },
    })
  })

  it('can be stopped during judging, and resumes without asking for the page again', async () => {
    judgeReply = () => ({ pieces: [], ending: 'hang' })
    const { runId } = await start({ models: ['local/plain'], judgeModelIds: ['local/judge'] })
    const events = eventsOf(runId)
    const seen = await events.until(isInspected)
    expect(seen.data).toMatchObject({
      cells: [{ state: 'running', step: 'scoring', page: { inspection: { screenshots: { length: 4 } } } }],
    })
    await server.send('POST', `/api/runs/${runId}/stop`)
    expect(await viewOf(runId)).toMatchObject({
      progress: { state: 'stopped' },
      pages: [
        {
          state: 'pending',
          response: expect.stringContaining('```html'),
          message: expect.stringContaining('Answered'),
        },
      ],
    })

    judgeReply = undefined
    const before = models.stats().byModel['plain']
    await server.send('POST', `/api/runs/${runId}/resume`)
    const shown = show(await eventsOf(runId).rest())
    expect(shown).toMatchObject([
      { modelId: 'local/plain', state: 'scored', response: expect.stringContaining('```html') },
    ])
    expect(await viewOf(runId)).toMatchObject({
      progress: { state: 'done' },
      pages: [{ state: 'scored', page: { score: { score: expect.closeTo(0.7) } } }],
    })
    expect(models.stats().byModel['plain']).toBe(before)
  })

  it('that its budget ended says so afterwards, in the list too', async () => {
    const runId = await finish({ models: DEMO.slice(0, 2), maxCost: 0.000001 })
    expect(await viewOf(runId)).toMatchObject({
      progress: {
        state: 'stopped',
        stopped: expect.stringContaining('Stopped at its budget of'),
        usedUpBudget: 0.000001,
      },
    })
    const { runs } = await server.get<ArenaRunList>('/api/code-arena')
    expect(runs.find((run) => run.runId === runId)).toMatchObject({ stopReason: 'budget', usedUpBudget: 0.000001 })
  })

  it('can be repeated as a series: a viewer sees one run after another', async () => {
    const { runId, seriesId } = await start({
      models: ['local/plain'],
      judgeModelIds: ['local/judge'],
      repeat: 2,
      isQuickJudge: true,
    })
    const events = await eventsOf(runId).rest()
    const seen = new Set(events.filter(isSnapshot).map(({ data }) => data.runId))
    expect(seen.size).toBe(2)
    expect(await viewOf(runId)).toMatchObject({
      seriesId,
      arena: { seriesRuns: [...seen], isQuickJudge: true },
      pages: [{ page: { inspection: { screenshots: [], problem: expect.stringContaining('Quick judge') } } }],
    })
  })
})

describe('a preview', () => {
  const preview = (body: object) => server.send<PreviewView>('POST', '/api/code-arena/preview', body)

  it('has its own origin, for an answer still arriving and for a complete one', async () => {
    const partial = await preview({ response: '```html\n<!doctype html><h1>Pla', isComplete: false })
    expect(partial.url).toMatch(/^http:\/\/p[0-9a-f]{40}\.localhost:\d+\/$/)
    expect(partial.page).toBeUndefined()
    const whole = await preview({
      response: '```html\n<!doctype html><h1>Plans</h1><script src="https://cdn.tailwindcss.com"></script>\n```',
      isComplete: true,
    })
    expect(new URL(whole.url!).host).not.toBe(new URL(partial.url!).host)
    expect(whole).toMatchObject({ files: [{ name: 'index.html', language: 'html' }] })
    expect(whole.page).toContain('<h1>Plans</h1>')
    expect(whole.page).not.toMatch(/src="\/vendor/)
  })

  it('of an answer that cannot run says why', async () => {
    expect(await preview({ response: 'No code today.', isComplete: true })).toEqual({
      files: [],
      installable: [],
      problem: expect.stringMatching(/\w/),
      notes: [],
      blocked: [],
      missing: [],
    })
    expect((await server.try('POST', '/api/code-arena/preview', { runId: 'none', modelId: 'none' })).status).toBe(404)
  })
})

describe('the preview of hostile code', () => {
  it('is given up after 5 seconds, and the server answers meanwhile', async () => {
    let isDone = false
    const preview = server
      .send<PreviewView>('POST', '/api/code-arena/preview', {
        response: '```html\n<p>\n'.repeat(20_000),
        isComplete: true,
      })
      .finally(() => (isDone = true))
    const other = await server.try('GET', '/api/app')
    expect([other.status, isDone]).toEqual([200, false])
    const plain = await server.send<PreviewView>('POST', '/api/code-arena/preview', {
      response: '```html\n<p>Hello\n```',
      isComplete: true,
    })
    expect(plain.url).toBeDefined()
    expect(await preview).toMatchObject({ problem: 'The page’s code could not be compiled within 5 s.' })
  })
})

describe('a request', () => {
  it.each([
    { prompt: '' },
    { models: [] },
    { models: Array.from({ length: 7 }, (_, index) => `demo/${index}`) },
    { unknown: true },
  ])('%j is refused', async (body) => {
    expect((await server.try('POST', '/api/code-arena', { prompt: 'x', models: ['demo/good'], ...body })).status).toBe(
      422,
    )
  })

  it('needs a session', async () => {
    for (const path of ['', '/ranking', '/x', '/x/votes', '/x/events', '/x/artifacts?model=a&name=b'])
      expect((await server.ask(`/api/code-arena${path}`)).status).toBe(401)
  })
})
