import { z } from 'zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../http/app.ts'
import { openSessions } from '../http/sessions.ts'
import { composeServer } from '../../cli/compose-server.ts'
import { NAMES_SEEN_HEADER, writeSeenNames, type LiveSnapshot } from '../../contract/index.ts'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { formats } from '../../report/index.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import { startTeamServer } from '../testing/team-server.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import type { RunList } from '../runs/routes.ts'
import type { ArenaRunList } from './arena-list.ts'

/** Names that occur nowhere else: the provider lists other models than it answers for. */
const MODELS = ['local/secret-left', 'local/secret-right']

let server: StartedServer
let models: ModelServer
let run: StartedRun

beforeAll(async () => {
  models = await startModelServer({
    models: ['listed'],
    answer: () => '```html\n<!doctype html><title>Page</title><h1>Page</h1>\n```',
  })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
  run = await server.send<StartedRun>('POST', '/api/code-arena', { prompt: 'a page', models: MODELS })
  await server.watch(`/api/runs/${run.runId}/events`).rest()
  const { models: shown } = await server.get<LiveSnapshot>(`/api/code-arena/${run.runId}`)
  await server.send('POST', `/api/code-arena/${run.runId}/forks`, { modelId: shown[0], response: '```html\n<p>x\n```' })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

/** The paths of all reading routes, with this run in the place of what they ask for, plain and with every format. */
function fillPaths(
  routes: readonly { method: string; path: string }[],
  { runId, shown, forkId }: { runId: string; shown: readonly string[]; forkId: string },
): string[] {
  const query = {
    a: runId,
    b: runId,
    run: runId,
    model: shown[0]!,
    modelA: shown[0]!,
    modelB: shown[1]!,
    id: 'page',
    case: 'page',
    by: 'kind',
    name: '1440.png',
  }
  const queries = Object.keys(formats).map((format) => new URLSearchParams({ ...query, format }))
  const read = routes.flatMap(({ method, path }) =>
    method === 'GET' && !path.includes('*') && !path.startsWith('/auth/') ? [path] : [],
  )
  const paths = [...new Set(read)].map((path) =>
    path
      .replace(':forkId', forkId)
      .replaceAll(/:(?:id|runId|selection)\b/g, runId)
      .replaceAll(/:\w+/g, '0'),
  )
  return paths.flatMap((path) => [
    path,
    ...(/export|share/.test(path) ? queries : queries.slice(0, 1)).map((each) => `${path}?${each}`),
  ])
}

async function listPaths(): Promise<string[]> {
  const { routes } = createApp(server.context, {
    sessions: openSessions({ dataFolder: server.dataFolder, now: Date.now }),
    webFolder: '',
    port: () => 0,
    linkSecret: '',
    redact: (text) => text,
    log: () => undefined,
  })
  const { forks } = await server.get<{ forks: { id: string }[] }>(`/api/code-arena/${run.runId}/forks`)
  const { models: shown } = await server.get<LiveSnapshot>(`/api/code-arena/${run.runId}`)
  return fillPaths(routes, { runId: run.runId, shown, forkId: forks[0]!.id })
}

it('no reading route names the models of pages that can still be voted on', async () => {
  const paths = await listPaths()
  expect(paths.length).toBeGreaterThan(100)
  const found: string[] = []
  for (const path of paths) {
    // A backup is the whole database, of whoever may have it.
    if (path.startsWith('/api/settings/backup')) continue
    const { status, text } = await server.try('GET', path)
    expect(status, path).not.toBe(500)
    if (/secret-(?:left|right)/.test(text)) found.push(path)
  }
  expect(found).toEqual([])
})

it('no route of a team server names them either, nor an event stream, while the pages arrive and after that', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = await startModelServer({
    models: ['listed'],
    answer: () => '```html\n<!doctype html><title>Page</title><h1>Page</h1>\n```',
    hold: () => gate.promise,
  })
  const team = await startTeamServer({
    compose: composeServer,
    env: { BENCHMAKER_ALLOWED_HOSTS: '127.0.0.1' },
  })
  const streams: { path: string; close: () => void; ended: Promise<unknown> }[] = []
  const texts = new Map<string, string>()
  try {
    const cookie = await team.enter('admin')
    const json = (method: string, path: string, body?: unknown) => team.ask(method, path, { cookie, body })
    await json('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: slow.baseUrl })
    const started = await json('POST', '/api/code-arena', { prompt: 'a page', models: MODELS })
    const runId = String(started.json['runId'])
    const shown = (await json('GET', `/api/code-arena/${runId}`)).json['models']
    const names = z.array(z.string()).parse(shown)

    /** Keeps streams open: what comes later is read too. */
    const read = async (path: string): Promise<void> => {
      const reply = await json('GET', path)
      if (reply.status === 500) texts.set(path, 'secret-left: the route failed')
      else texts.set(path, (texts.get(path) ?? '') + reply.text)
      if (reply.headers.get('content-type')?.startsWith('text/event-stream')) {
        const stream = await team.listen(path, cookie, (text) => texts.set(path, (texts.get(path) ?? '') + text))
        streams.push({ path, ...stream })
      }
    }
    const walk = async (forkId: string): Promise<void> => {
      for (const path of fillPaths(team.app.routes, { runId, shown: names, forkId }))
        if (!path.startsWith('/api/settings/backup')) await read(path)
    }
    await walk('none')
    const own = streams.filter(({ path }) => path.startsWith(`/api/runs/${runId}/events`))
    expect(own).not.toEqual([])
    gate.resolve()
    await Promise.all(own.map(({ ended }) => ended))
    const fork = await json('POST', `/api/code-arena/${runId}/forks`, {
      modelId: names[0],
      response: '```html\n<p>x\n```',
    })
    await walk(String(fork.json['id'] ?? 'none'))
    for (const modelId of names) {
      const page = await json('POST', '/api/code-arena/preview', { runId, modelId })
      expect(page.status).toBe(200)
      texts.set(`preview of ${modelId}`, page.text)
    }
    const link = await json('POST', `/api/results/${runId}/links`, {})
    texts.set('a new link', link.text)
    const [, shared] = /(\/shared\/[\w-]+)/.exec(link.text) ?? []
    if (shared !== undefined) await read(shared)
    expect([...texts].filter(([, text]) => /secret-(?:left|right)/.test(text)).map(([path]) => path)).toEqual([])
    expect(texts.size).toBeGreaterThan(150)
    expect(own.map(({ path }) => texts.get(path)?.length).every((length) => length! > 100)).toBe(true)
  } finally {
    for (const { close } of streams) close()
    await team.remove()
    await slow.close()
  }
})

it('lists have them without names, scores and order', async () => {
  const { runs } = await server.get<RunList>('/api/runs')
  expect(runs[0]).toMatchObject({ id: run.runId, models: ['unnamed model 1', 'unnamed model 2'], means: {} })
  const { runs: pages } = await server.get<ArenaRunList>('/api/code-arena')
  expect(pages[0]).toMatchObject({ runId: run.runId, models: ['unnamed model 1', 'unnamed model 2'], scores: {} })
})

it('who asks for the names gets them, and who has seen them; others are told what to do', async () => {
  const refused = await server.try('GET', `/api/results/${run.runId}`)
  expect([refused.status, refused.json()]).toEqual([
    403,
    {
      error: {
        code: 'names-kept',
        message: 'This names the models of pages that can still be voted on. Vote first, or show the names.',
        problems: [{ path: ['runs', run.runId], message: 'Its models are named after the vote.' }],
      },
    },
  ])
  expect(await server.get(`/api/results/${run.runId}?names=shown`)).toMatchObject({
    rows: MODELS.map((modelId) => expect.objectContaining({ modelId })),
  })
  const headers = { ...server.session, [NAMES_SEEN_HEADER]: writeSeenNames(['another', run.runId]) }
  const seen = await server.ask(`/api/results/${run.runId}`, { headers })
  expect(seen.text).toContain(MODELS[0])
  expect((await server.ask('/api/runs', { headers })).text).toContain(MODELS[0])
})

it('after the vote everybody gets them', async () => {
  const { models: shown } = await server.get<LiveSnapshot>(`/api/code-arena/${run.runId}`)
  const votes = [{ left: shown[0], right: shown[1], choice: 'left' }]
  await server.send('POST', `/api/code-arena/${run.runId}/votes`, { voter: 'me', isBlind: true, votes })
  expect((await server.try('GET', `/api/results/${run.runId}`)).text).toContain(MODELS[0])
  expect((await server.try('GET', '/api/runs')).text).toContain(MODELS[0])
})
