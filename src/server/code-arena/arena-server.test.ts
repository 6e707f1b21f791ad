import type { PreviewView } from './preview-page.ts'
import type { ArenaRunList } from './arena-list.ts'
import type { ArenaRanking } from './ranking.ts'
import type { ArenaPair, VoteResult } from './arena-pairs.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import type { RunList } from '../runs/routes.ts'
import type { LiveProgress, ArenaPanel, ArenaText, ArenaView } from '../../contract/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type ScriptedReply,
} from '../../../test/fakes/model-server.ts'
import { makeVendor } from '../../../test/preview/browser.ts'
import { rateBradleyTerry } from '../../statistics/index.ts'
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
    models: ['plain', 'other', 'third', 'prose', 'judge'],
    reply: (request) => (request.model === 'judge' ? judgeReply?.(request) : undefined),
  })
  server = await startServer({
    compose: composeServer,
    env: { BENCHMAKER_VENDOR_FOLDER: await makeVendor(), BENCHMAKER_DEMO_DELAY_MS: '600' },
  })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

const start = (body: object = {}) =>
  server.send<StartedRun>('POST', '/api/code-arena', { prompt: PROMPT, models: DEMO, ...body })
const viewOf = (runId: string) => server.get<ArenaView>(`/api/code-arena/${runId}`)
const eventsOf = (runId: string) => server.watch(`/api/code-arena/${runId}/events`)
const finish = async (body: object = {}) => {
  const { runId } = await start(body)
  await eventsOf(runId).rest()
  return runId
}

const isView = (event: StreamedEvent): event is { event: 'view'; data: ArenaView } => event.event === 'view'
const isText = (event: StreamedEvent): event is { event: 'text'; data: ArenaText } => event.event === 'text'
const isPanel = (event: StreamedEvent): event is { event: 'panel'; data: Omit<ArenaPanel, 'response'> } =>
  event.event === 'panel'
const isProgress = (event: StreamedEvent): event is { event: 'progress'; data: LiveProgress } =>
  event.event === 'progress'

/** What a screen shows after these events. */
function show(events: StreamedEvent[]): Map<string, ArenaPanel> {
  const shown = new Map<string, ArenaPanel>()
  for (const event of events) {
    if (isView(event)) for (const panel of event.data.panels) shown.set(panel.modelId, panel)
    if (isPanel(event))
      shown.set(event.data.modelId, { ...event.data, response: shown.get(event.data.modelId)?.response ?? '' })
    if (isText(event)) {
      const { modelId, offset, text } = event.data
      const panel = shown.get(modelId)!
      expect(panel.response.length).toBeGreaterThanOrEqual(offset)
      shown.set(modelId, { ...panel, response: panel.response.slice(0, offset) + text })
    }
  }
  return shown
}

describe('a run of the Code Arena', () => {
  it('can be watched from its first word to its judged pages, and looks the same afterwards', async () => {
    const { runId } = await start({ judgeModelIds: ['demo/judge'] })
    const first = eventsOf(runId)
    const early = [await first.until(isView), await first.until(isText)]
    // A viewer who joins halfway sees the same in the end.
    const second = await eventsOf(runId).rest()
    const events = [...early, ...(await first.rest())]
    expect(events.at(-1)).toEqual({ event: 'finished', data: {} })
    expect(events.filter(isText).length).toBeGreaterThan(3)
    expect(events.findLast(isProgress)?.data).toMatchObject({ status: 'completed', done: 3, scored: 3 })

    const view = await viewOf(runId)
    expect(view).toMatchObject({
      prompt: PROMPT,
      status: 'completed',
      isLive: false,
      isInterrupted: false,
      judgeModel: 'demo/judge',
      isQuickJudge: false,
      seriesRuns: [runId],
    })
    expect(view.panels.map(({ modelId, state }) => [modelId, state])).toEqual(DEMO.map((model) => [model, 'scored']))
    for (const shown of [show(events), show(second)]) expect([...shown.values()]).toEqual(view.panels)

    const [good, , poor] = view.panels
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
    const { runs } = await server.get<ArenaRunList>('/api/code-arena')
    expect(runs.find((run) => run.runId === runId)).toMatchObject({
      prompt: PROMPT,
      judgeModel: 'local/judge',
      status: 'completed',
      scores: { 'local/plain': expect.closeTo(0.7), 'local/other': expect.closeTo(0.7) },
      votes: 0,
    })
    expect((await server.get<RunList>('/api/runs')).runs.find(({ id }) => id === runId)).toMatchObject({
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
    const [page, prose] = (await viewOf(runId)).panels
    expect(page).toMatchObject({
      state: 'unscored',
      unscored: { code: 'not-judged' },
      inspection: { screenshots: { length: 4 } },
    })
    expect(prose).toMatchObject({
      state: 'unscored',
      inspection: { screenshots: [], problem: expect.stringContaining('code') },
    })
  })

  it('can be stopped during judging, and resumes without asking for the page again', async () => {
    judgeReply = () => ({ pieces: [], ending: 'hang' })
    const { runId } = await start({ models: ['local/plain'], judgeModelIds: ['local/judge'] })
    const events = eventsOf(runId)
    const seen = await events.until((event) => isPanel(event) && event.data.inspection !== undefined)
    expect(seen.data).toMatchObject({ state: 'scoring', inspection: { screenshots: { length: 4 } } })
    await server.send('POST', `/api/runs/${runId}/stop`)
    expect(await viewOf(runId)).toMatchObject({
      status: 'cancelled',
      panels: [
        {
          state: 'waiting',
          response: expect.stringContaining('```html'),
          message: expect.stringContaining('Answered'),
        },
      ],
    })

    judgeReply = undefined
    const before = models.stats().byModel['plain']
    await server.send('POST', `/api/runs/${runId}/resume`)
    const shown = show(await eventsOf(runId).rest())
    expect(shown.get('local/plain')).toMatchObject({ state: 'scored', response: expect.stringContaining('```html') })
    expect(await viewOf(runId)).toMatchObject({
      status: 'completed',
      panels: [{ state: 'scored', score: { score: expect.closeTo(0.7) } }],
    })
    expect(models.stats().byModel['plain']).toBe(before)
  })

  it('can be repeated as a series: a viewer sees one run after another', async () => {
    const { runId, seriesId } = await start({
      models: ['local/plain'],
      judgeModelIds: ['local/judge'],
      repeat: 2,
      isQuickJudge: true,
    })
    const events = await eventsOf(runId).rest()
    const seen = new Set(events.filter(isView).map(({ data }) => data.runId))
    expect(seen.size).toBe(2)
    expect(await viewOf(runId)).toMatchObject({
      seriesId,
      seriesRuns: [...seen],
      isQuickJudge: true,
      panels: [{ inspection: { screenshots: [], problem: expect.stringContaining('Quick judge') } }],
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
    const others = []
    while (others.length < 20) others.push((await server.try('GET', '/api/app')).status)
    const plain = await server.send<PreviewView>('POST', '/api/code-arena/preview', {
      response: '```html\n<p>Hello\n```',
      isComplete: true,
    })
    expect([new Set(others), isDone]).toEqual([new Set([200]), false])
    expect(plain.url).toBeDefined()
    expect(await preview).toMatchObject({ problem: 'The page’s code could not be compiled within 5 s.' })
  })
})

describe('blind votes', () => {
  it('name no model before the vote, take each pair once, and determine the ranking', async () => {
    const runId = await finish({ models: ['local/plain', 'local/other', 'local/third'], prompt: 'a page to vote on' })
    const votes: VoteResult[] = []
    for (const choice of ['left', 'tie', 'both-bad'] as const) {
      const reply = await server.try('GET', `/api/code-arena/pair?runId=${runId}`)
      const pair = reply.json<ArenaPair>()
      expect(pair.remaining).toBe(3 - votes.length)
      const { left, right, ...rest } = pair
      expect(JSON.stringify(rest)).not.toMatch(/local\//)
      expect(Object.keys({ ...left, ...right })).not.toContain('modelId')
      expect(reply.text).not.toMatch(/local\//)
      const vote = await server.send<VoteResult>('POST', '/api/code-arena/votes', { pairId: pair.pairId, choice })
      expect(vote).toMatchObject({
        choice,
        left: expect.stringMatching(/^local\//),
        right: expect.stringMatching(/^local\//),
      })
      expect((await server.try('POST', '/api/code-arena/votes', { pairId: pair.pairId, choice })).status).toBe(409)
      votes.push(vote)
    }
    expect(new Set(votes.map(({ left, right }) => [left, right].sort().join())).size).toBe(3)
    expect((await server.try('GET', `/api/code-arena/pair?runId=${runId}`)).json<{ error: unknown }>()).toMatchObject({
      error: { code: 'all-voted' },
    })
    expect((await server.try('POST', '/api/code-arena/votes', { pairId: 'made-up', choice: 'left' })).status).toBe(404)

    const ranking = await server.get<ArenaRanking>('/api/code-arena/ranking')
    const expected = rateBradleyTerry(
      votes.map(({ left, right, choice }) => ({ a: left, b: right, scoreA: choice === 'left' ? 1 : 0.5 })),
    )
    expect(ranking.voteCount).toBe(3)
    for (const { id, rating, low, high, games } of expected) {
      const ranked = ranking.votes.find(({ modelId }) => modelId === id)!
      expect(ranked.rating).toBeCloseTo(rating, 8)
      expect(ranked).toMatchObject({ low: expect.closeTo(low, 8), high: expect.closeTo(high, 8), games })
    }
    expect((await server.get<ArenaRunList>('/api/code-arena')).runs.find((run) => run.runId === runId)?.votes).toBe(3)
  })

  it('take a pair once from two tabs, can be undone, and go with their run', async () => {
    const runId = await finish({ models: ['local/plain', 'local/other'], prompt: 'a page for two tabs' })
    const draw = () => server.get<ArenaPair>(`/api/code-arena/pair?runId=${runId}`)
    const count = async () => (await server.get<ArenaRanking>('/api/code-arena/ranking')).voteCount
    const before = await count()
    const [first, second] = [await draw(), await draw()]
    const cast = (pair: ArenaPair, choice: string) =>
      server.try('POST', '/api/code-arena/votes', { pairId: pair.pairId, choice })
    const undo = (pair: ArenaPair) => server.try('DELETE', `/api/code-arena/votes/${pair.pairId}`)
    const replies = await Promise.all([cast(first, 'left'), cast(second, 'left')])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await count()).toBe(before + 1)
    const [mine, theirs] = replies[0]!.status === 201 ? [first, second] : [second, first]
    expect((await undo(theirs)).status).toBe(404)

    const undone = await Promise.all([undo(mine), undo(mine)])
    expect(undone.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await count()).toBe(before)
    expect((await cast(mine, 'tie')).status).toBe(201)
    expect(await count()).toBe(before + 1)
    expect((await undo({ ...mine, pairId: 'made-up' })).status).toBe(404)

    await server.send('DELETE', `/api/runs/${runId}`)
    expect(await count()).toBe(before)
    expect((await undo(mine)).status).toBe(404)
  })

  it('on a run that was deleted meanwhile are refused', async () => {
    const runId = await finish({ models: ['local/plain', 'local/other'], prompt: 'a page that goes' })
    const pair = await server.get<ArenaPair>(`/api/code-arena/pair?runId=${runId}`)
    await server.send('DELETE', `/api/runs/${runId}`)
    const reply = await server.try('POST', '/api/code-arena/votes', { pairId: pair.pairId, choice: 'left' })
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('was deleted')])
  })

  it('need two pages that work', async () => {
    const runId = await finish({ models: ['local/plain', 'local/prose'] })
    expect((await server.try('GET', `/api/code-arena/pair?runId=${runId}`)).json<{ error: unknown }>()).toMatchObject({
      error: { code: 'no-pair' },
    })
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
    for (const path of ['', '/ranking', '/pair', '/x', '/x/events', '/x/artifacts?model=a&name=b'])
      expect((await server.ask(`/api/code-arena${path}`)).status).toBe(401)
  })
})
