import type { PreviewView } from './preview-page.ts'
import type { ArenaRunList } from './arena-list.ts'
import type { ArenaRanking } from '../../report/model/arena/arena-ranking.ts'
import type { RunVotes } from './run-votes.ts'
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
import { rateBradleyTerry } from '../../statistics/index.ts'
import { startServer, type StartedServer, type StreamedEvent } from '../testing/started-server.ts'

const PROMPT = 'a pricing page with three plans and a monthly/yearly switch'
const DEMO = ['demo/good', 'demo/fair', 'demo/poor']
const PNG = [137, 80, 78, 71]

let server: StartedServer
let models: ModelServer
let judgeReply: ((request: ChatRequest) => ScriptedReply | undefined) | undefined
let pageReply: ((request: ChatRequest) => ScriptedReply | undefined) | undefined

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
    reply: (request) => (request.model === 'judge' ? judgeReply : pageReply)?.(request),
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

describe('votes on a run', () => {
  const cast = (runId: string, votes: object[], more: object = {}) =>
    server.try('POST', `/api/code-arena/${runId}/votes`, { voter: 'me', isBlind: true, votes, ...more })
  const votesOf = (runId: string, voter = 'me') =>
    server.get<RunVotes>(`/api/code-arena/${runId}/votes?names=shown&voter=${voter}`)
  const undo = (runId: string, castAt: number | undefined, voter = 'me') =>
    server.try('DELETE', `/api/code-arena/${runId}/votes/${castAt}?voter=${voter}`)
  const countVotes = async () => (await server.get<ArenaRanking>('/api/code-arena/ranking')).voteCount
  const [left, right, third] = ['local/plain', 'local/other', 'local/third']

  it('take each pair once and determine the ranking', async () => {
    const runId = await finish({ models: [left, right, third], prompt: 'a page to vote on' })
    const votes = [
      { left, right, choice: 'left' },
      { left: right, right: third, choice: 'tie' },
      { left: third, right: left, choice: 'both-bad' },
    ]
    expect((await cast(runId, votes.slice(0, 1))).status).toBe(201)
    // The first of these has a vote already; the others count.
    expect((await cast(runId, [{ left: right, right: left, choice: 'left' }, ...votes.slice(1)])).status).toBe(201)
    expect((await cast(runId, votes)).json<{ error: unknown }>()).toMatchObject({ error: { code: 'voted' } })
    const stored = (await votesOf(runId)).votes.map((vote) => ({
      left: vote.left,
      right: vote.right,
      choice: vote.choice,
    }))
    expect(stored).toHaveLength(3)
    expect(stored).toEqual(expect.arrayContaining(votes))

    const ranking = await server.get<ArenaRanking>('/api/code-arena/ranking')
    const expected = rateBradleyTerry(
      votes.map((vote) => ({ a: vote.left!, b: vote.right!, scoreA: vote.choice === 'left' ? 1 : 0.5 })),
    )
    expect(ranking.voteCount).toBe(3)
    for (const { id, rating, low, high, games } of expected) {
      const ranked = ranking.votes.find(({ modelId }) => modelId === id)!
      expect(ranked.rating).toBeCloseTo(rating, 8)
      expect(ranked).toMatchObject({ low: expect.closeTo(low, 8), high: expect.closeTo(high, 8), games })
    }
    expect((await server.get<ArenaRunList>('/api/code-arena')).runs.find((run) => run.runId === runId)?.votes).toBe(3)
  })

  it('keep the names of the models on the server until there is nothing left to vote on', async () => {
    const runId = await finish({
      models: [left, right],
      prompt: 'a page without a name',
      judgeModelIds: ['local/judge'],
    })
    const texts = async (query: string) => {
      const [view, turns, votes] = [`?${query}`, `/turns?${query}`, `/votes?voter=me&${query}`].map((path) =>
        server.get(`/api/code-arena/${runId}${path}`),
      )
      const events = await server.watch(`/api/runs/${runId}/events?${query}`).rest()
      // The answers themselves name their model in this test.
      return JSON.stringify([await view, await turns, await votes, events]).replaceAll(/"text":\{[^}]*\}/g, '')
    }
    const hidden = await texts('')
    for (const secret of ['local/plain', 'local/other', 'latencyMs', '"score":']) expect(hidden).not.toContain(secret)
    expect(await texts('names=shown')).toContain('local/plain')
    const { models: shown } = await server.get<LiveSnapshot>(`/api/code-arena/${runId}`)
    const page = await server.send<PreviewView>('POST', '/api/code-arena/preview', { runId, modelId: shown[0] })
    expect(page.url).toBeDefined()
    expect((await cast(runId, [{ left: shown[0], right: shown[1], choice: 'left' }])).status).toBe(201)
    const [vote] = (await votesOf(runId)).votes
    expect([vote!.left, vote!.right].toSorted()).toEqual(['local/other', 'local/plain'])
    expect((await server.get<LiveSnapshot>(`/api/code-arena/${runId}`)).models).toEqual([left, right])
    expect(await texts('')).toContain('local/plain')
  })

  it('take a pair once from two tabs, are undone together and only by who cast them, and go with their run', async () => {
    const runId = await finish({ models: [left, right, third], prompt: 'a page for two tabs' })
    const before = await countVotes()
    const pair = { left, right, choice: 'left' }
    const replies = await Promise.all([cast(runId, [pair]), cast(runId, [pair])])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    const best = [
      { left: third, right: left, choice: 'left' },
      { left: third, right, choice: 'left' },
    ]
    expect((await cast(runId, best)).status).toBe(201)
    expect(await countVotes()).toBe(before + 3)

    const { lastCastAt } = await votesOf(runId)
    const theirs = await votesOf(runId, 'someone-else')
    expect([theirs.lastCastAt, theirs.votes.map(({ isMine }) => isMine)]).toEqual([undefined, [false, false, false]])
    expect((await undo(runId, lastCastAt, 'someone-else')).status).toBe(404)
    const undone = await Promise.all([undo(runId, lastCastAt), undo(runId, lastCastAt)])
    expect(undone.map(({ status }) => status)).toContain(200)
    expect((await votesOf(runId)).votes).toEqual([{ ...pair, isBlind: true, isMine: true }])

    expect((await undo(runId, (await votesOf(runId)).lastCastAt)).status).toBe(200)
    expect(await countVotes()).toBe(before)
    expect((await cast(runId, [{ ...pair, choice: 'tie' }], { isBlind: false })).status).toBe(201)
    expect((await votesOf(runId)).votes).toEqual([{ ...pair, choice: 'tie', isBlind: false, isMine: true }])
    const blind = await server.get<ArenaRanking>('/api/code-arena/ranking?votes=blind')
    expect([await countVotes(), blind.voteCount]).toEqual([before + 1, before])

    await server.send('DELETE', `/api/runs/${runId}`)
    expect(await countVotes()).toBe(before)
    expect((await cast(runId, [pair])).status).toBe(404)
  })

  it('need two different pages of the run that are written', async () => {
    const runId = await finish({ models: [left, right] })
    for (const pair of [
      { left, right: left },
      { left, right: third },
    ])
      expect((await cast(runId, [{ ...pair, choice: 'left' }])).status).toBe(422)
    pageReply = ({ model }) => (model === 'other' ? { pieces: [], ending: 'hang' } : undefined)
    const { runId: half } = await start({ models: [left, right] })
    const early = await cast(half, [{ left, right, choice: 'left' }])
    expect([early.status, early.text]).toEqual([409, expect.not.stringContaining('local/')])
    pageReply = undefined
    await server.send('POST', `/api/runs/${half}/stop`)
  })

  it('do not have to wait for the judge', async () => {
    judgeReply = () => ({ pieces: [], ending: 'hang' })
    const { runId: judging } = await start({ models: [left, right], judgeModelIds: ['local/judge'] })
    const events = eventsOf(judging)
    const judged = new Set<number>()
    while (judged.size < 2) {
      const event = await events.until(isUpdate)
      if (isUpdate(event)) for (const { step, model } of event.data.cells) if (step === 'scoring') judged.add(model)
    }
    expect((await cast(judging, [{ left, right, choice: 'left' }])).status).toBe(201)
    judgeReply = undefined
    await server.send('POST', `/api/runs/${judging}/stop`)
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
