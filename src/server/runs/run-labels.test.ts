import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import type { RunList, StoredLabel } from './routes.ts'
import type { StartedRun } from './run-manager.ts'

let server: StartedServer
let first: StartedRun
let series: StartedRun
beforeAll(async () => {
  server = await startServer({ compose: composeServer })
  first = await start({ label: { name: ' Baseline ', tags: ['prod', 'Prod'], note: 'n' } })
  series = await start({ repeat: 2, label: { tags: ['twice'] } })
})
afterAll(() => server.remove())

async function start(body: object): Promise<StartedRun> {
  const started = await server.send<StartedRun>('POST', '/api/runs', {
    suiteId: 'example-first-look',
    models: ['demo/good'],
    limit: 1,
    ...body,
  })
  await server.watch(`/api/runs/${started.runId}/events`).rest()
  return started
}
const label = (id: string, change: object) => server.send<StoredLabel>('PUT', `/api/runs/${id}/label`, change)
const find = async (query: Record<string, string>) =>
  server.get<RunList>(`/api/runs?${new URLSearchParams(query).toString()}`)
const idsOf = async (query: Record<string, string>) => (await find(query)).runs.map(({ id }) => id)

describe('labels over HTTP', () => {
  it('are given at the start, to the whole series, without being part of the request', async () => {
    expect(await server.get(`/api/runs/${first.runId}/label`)).toEqual({
      label: { name: 'Baseline', tags: ['prod'], note: 'n' },
    })
    const { runs } = await find({ tag: 'TWICE' })
    expect(runs.map(({ label: own, seriesId }) => [own, seriesId])).toEqual([
      [{ tags: ['twice'] }, series.seriesId],
      [{ tags: ['twice'] }, series.seriesId],
    ])
    expect((await server.context.storage.loadRun(first.runId))?.request).not.toHaveProperty('label')
  })

  it('change field by field, for all runs of a series', async () => {
    expect(await label(series.runId, { name: 'Two', tags: [] })).toEqual({ label: { name: 'Two' } })
    expect((await find({ search: 'two' })).runs.map((run) => run.label)).toEqual([{ name: 'Two' }, { name: 'Two' }])
    expect(await label(series.runId, { name: '' })).toEqual({ label: null })
  })

  it('have their whole note on the run, and its beginning in the list', async () => {
    const note = '😀'.repeat(5000)
    await label(first.runId, { note })
    expect((await server.get<StoredLabel>(`/api/runs/${first.runId}/label`)).label?.note).toBe(note)
    expect((await find({ search: '😀' })).runs[0]?.label?.note).toBe('😀'.repeat(150))
    await label(first.runId, { note: 'n' })
  })

  it('find runs by all words and tags, and say how many there are', async () => {
    expect(await idsOf({ search: 'BASE completed demo/good' })).toEqual([first.runId])
    expect(await idsOf({ tag: 'prod' })).toEqual([first.runId])
    expect(await idsOf({ tag: 'prod,none' })).toEqual([])
    expect(await find({ search: 'series', limit: '1' })).toMatchObject({ total: 2, runs: [{}] })
    expect(await find({ search: 'nowhere' })).toEqual({ runs: [], total: 0 })
  })

  it('are refused if they are invalid, or of an unknown run', async () => {
    const put = (id: string, body: object) => server.try('PUT', `/api/runs/${id}/label`, body)
    for (const body of [{ name: 'x'.repeat(201) }, { name: 'a\u001b' }, { tags: 'a' }, { colour: 'red' }])
      expect((await put(first.runId, body)).status, JSON.stringify(body)).toBe(422)
    expect((await put(first.runId, {})).status).toBe(422)
    expect((await put('none', { name: 'x' })).status).toBe(404)
    expect((await put('latest', { name: 'x' })).status).toBe(404)
    expect((await server.try('GET', '/api/runs/none/label')).status).toBe(404)
    expect((await server.try('GET', `/api/runs?search=${'x'.repeat(501)}`)).status).toBe(422)
    expect((await server.try('GET', '/api/runs?limit=x')).status).toBe(400)
    // By kind and by suite, which is its id or, where it is not stored, its name.
    const { runs } = await server.get<RunList>('/api/runs')
    const ids = async (query: Record<string, string>) =>
      (await server.get<RunList>(`/api/runs?${new URLSearchParams(query).toString()}`)).runs.map(({ id }) => id)
    expect(await ids({ kind: runs[0]!.kind })).toEqual(
      runs.filter(({ kind }) => kind === runs[0]!.kind).map(({ id }) => id),
    )
    for (const kind of ['imported', 'unknown']) expect(await ids({ kind })).toEqual([])
    const { testSuiteId = '', id } = runs[0]!
    expect(await ids({ suite: testSuiteId })).toContain(id)
    expect(await ids({ suite: 'no such suite' })).toEqual([])
  })
})
