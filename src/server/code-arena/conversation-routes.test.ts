import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewsFolder } from '../../../test/preview/browser.ts'
import { composeServer } from '../../cli/compose-server.ts'
import type { LiveSnapshot } from '../../contract/index.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import type { ArenaRunList } from './arena-list.ts'
import type { ArenaTurns } from './arena-turns.ts'
import type { PreviewView } from './preview-page.ts'
import type { ArenaRanking } from '../../report/model/arena/arena-ranking.ts'

const MODELS = ['demo/good', 'demo/poor']

let server: StartedServer
/** Two turns, judged by the code alone. */
let first: string
let second: string

async function finish(path: string, body: object): Promise<string> {
  const { runId } = await server.send<StartedRun>('POST', path, body)
  await server.watch(`/api/runs/${runId}/events`).rest()
  return runId
}

beforeAll(async () => {
  server = await startServer({
    compose: composeServer,
    env: { BENCHMAKER_PREVIEWS_FOLDER: previewsFolder, BENCHMAKER_DEMO_DELAY_MS: '0' },
  })
  first = await finish('/api/code-arena', {
    prompt: 'a pricing page with three plans',
    models: MODELS,
    judgeModelIds: ['demo/judge'],
    isQuickJudge: true,
  })
  second = await finish(`/api/code-arena/${first}/follow-ups`, { prompt: 'make it blue' })
})
afterAll(() => server.remove())

const viewOf = (runId: string) => server.get<LiveSnapshot>(`/api/code-arena/${runId}?names=shown`)
const turnsOf = (runId: string) => server.get<ArenaTurns>(`/api/code-arena/${runId}/turns?names=shown`)

describe('follow-up turns', () => {
  it('are runs of their own, linked from either side, with grades by turn', async () => {
    const view = await viewOf(second)
    expect(view).toMatchObject({
      progress: { state: 'done' },
      arena: { prompt: 'make it blue', isQuickJudge: true, judgeModel: 'demo/judge' },
    })
    const before = await viewOf(first)
    const good = view.cells[view.models.indexOf('demo/good')]!
    expect(good.text!.text).toContain('#dbe8ff')
    expect(good.text!.text).toContain('One price, no surprises')
    for (const runId of [first, second]) {
      const { turns } = await turnsOf(runId)
      expect(turns.map(({ runId: id, turn, follows, prompt }) => [id, turn, follows, prompt])).toEqual([
        [first, 1, undefined, 'a pricing page with three plans'],
        [second, 2, first, 'make it blue'],
      ])
      expect(turns[0]!.models.map(({ score }) => score)).toEqual(before.cells.map(({ page }) => page?.score?.score))
    }
    expect((await turnsOf(second)).earlier).toEqual([{ runId: first, prompt: 'a pricing page with three plans' }])
    const { runs } = await server.get<ArenaRunList>('/api/code-arena')
    expect(runs.map(({ runId, turn }) => [runId, turn])).toEqual([
      [second, 2],
      [first, 1],
    ])
  })

  it('refuse an unknown run, an unknown model and an empty prompt', async () => {
    const ask = (runId: string, body: object) => server.try('POST', `/api/code-arena/${runId}/follow-ups`, body)
    expect((await ask('nothing', { prompt: 'x' })).status).toBe(404)
    expect((await ask(first, { prompt: ' ' })).status).toBe(422)
    const unknown = await ask(first, { prompt: 'x', models: ['demo/fair'] })
    expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('has no page of demo/fair')])
  })
})

describe('forks', () => {
  it('are kept with the run, open as pages, and are never ranked or voted on', async () => {
    const ranking = await server.get<ArenaRanking>('/api/code-arena/ranking')
    const response = '```html index.html\n<h1>Mine</h1>\n```'
    const path = `/api/code-arena/${first}/forks`
    const { id } = await server.send<{ id: string }>('POST', path, { modelId: 'demo/good', response })
    expect(await server.get(`${path}?names=shown`)).toMatchObject({ forks: [{ id, modelId: 'demo/good' }] })
    await server.send('PUT', `${path}/${id}`, { modelId: 'demo/good', response, name: 'bigger' })
    expect(await server.get(`${path}/${id}`)).toMatchObject({ response, name: 'bigger' })
    const page = await server.send<PreviewView>('POST', '/api/code-arena/preview', { response, isComplete: true })
    expect(page.files).toMatchObject([{ name: 'index.html', code: '<h1>Mine</h1>' }])
    expect(await server.get('/api/code-arena/ranking')).toEqual(ranking)
    expect((await viewOf(first)).models).toEqual(MODELS)
    for (const other of [`/api/code-arena/${second}/forks/${id}`, `${path}/nothing`])
      expect((await server.try('GET', other)).status).toBe(404)
    await server.send('DELETE', `${path}/${id}`, {})
    expect(await server.get(path)).toEqual({ forks: [] })
  })
})

describe('a run saved as one file', () => {
  it('has pictures, also of pages that were never opened, and nothing that runs or names the machine', async () => {
    const third = await finish(`/api/code-arena/${second}/follow-ups`, { prompt: 'and larger', models: ['demo/good'] })
    const reply = await server.try('GET', `/api/code-arena/${third}/share`)
    const { text } = reply
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="and larger .*\.html"/)
    expect(text).toContain('Turn 3')
    expect(text).not.toMatch(/<script/i)
    expect([...text.matchAll(/src="data:image\/png;base64,/g)].length).toBe(4)
    for (const secret of [server.dataFolder, 'token=', process.cwd()]) expect(text).not.toContain(secret)

    const hidden = await server.try('GET', `/api/code-arena/${third}/share?names=hidden`)
    expect(hidden.text).toContain('Model A (simulated)')
    for (const word of ['demo/good', 'demo/judge', third, first]) expect(hidden.text).not.toContain(word)
    expect(hidden.headers['content-disposition']).not.toContain(third)
  })
})

describe('small pictures', () => {
  it('are listed only for pages with a screenshot', async () => {
    const { runs } = await server.get<ArenaRunList>('/api/code-arena')
    expect(runs.map(({ pictures }) => pictures)).toEqual(runs.map(() => ({})))
    expect((await server.try('GET', `/api/code-arena/${first}/thumbnail?model=demo/good`)).status).toBe(404)
  })

  it('are small, revalidated, and never anything but pictures', async () => {
    const seen = await finish('/api/code-arena', { prompt: 'a counter', models: ['demo/good'] })
    const { runs } = await server.get<ArenaRunList>('/api/code-arena')
    const url = runs.find(({ runId }) => runId === seen)!.pictures['demo/good']!
    const reply = await server.try('GET', url)
    expect(reply.headers['content-type']).toBe('image/png')
    expect(reply.headers['cache-control']).toBe('private, no-cache')
    expect(reply.headers['content-security-policy']).toContain('sandbox')
    expect(reply.text.slice(1, 4)).toBe('PNG')
    expect(reply.text.length).toBeLessThan(60_000)
    const headers = { cookie: server.cookie, 'if-none-match': String(reply.headers.etag) }
    const again = await server.ask(url, { headers })
    expect(again.status).toBe(304)
  })
})
