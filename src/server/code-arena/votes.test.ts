import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import type { LiveSnapshot, LiveUpdate } from '../../contract/index.ts'
import type { ArenaRanking } from '../../report/model/arena/arena-ranking.ts'
import { rateBradleyTerry } from '../../statistics/index.ts'
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type ScriptedReply,
} from '../../../test/fakes/model-server.ts'
import { previewsFolder } from '../../../test/preview/browser.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { startServer, type StartedServer, type StreamedEvent } from '../testing/started-server.ts'
import type { ArenaRunList } from './arena-list.ts'
import type { PreviewView } from './preview-page.ts'
import type { RunVotes } from './run-votes.ts'

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
  return `Here is the page of ${model}:\n\`\`\`html\n<!doctype html><title>${model}</title><h1>Plans</h1>\n\`\`\`\n`
}

beforeAll(async () => {
  // Votes are on pages, not on their pictures, which take most of the time.
  vi.stubEnv('BENCHMAKER_CHROMIUM', '/no-such-browser')
  models = await startModelServer({
    answer: write,
    models: ['plain', 'other', 'third', 'judge'],
    reply: (request) => (request.model === 'judge' ? judgeReply : pageReply)?.(request),
  })
  server = await startServer({ compose: composeServer, env: { BENCHMAKER_PREVIEWS_FOLDER: previewsFolder } })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.remove()
  await models.close()
})

const start = (body: object = {}) =>
  server.send<StartedRun>('POST', '/api/code-arena', { prompt: 'a pricing page', ...body })
const eventsOf = (runId: string) => server.watch(`/api/runs/${runId}/events?names=shown`)
const finish = async (body: object = {}) => {
  const { runId } = await start(body)
  await eventsOf(runId).rest()
  return runId
}
const isUpdate = (event: StreamedEvent): event is { event: 'update'; data: LiveUpdate } => event.event === 'update'

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
