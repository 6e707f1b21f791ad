import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiError } from '../../contract/index.ts'
import { startRouteServer, type RouteServer } from '../testing/route-server.ts'
import type { RecordedRun, TrajectorySetReply } from './routes.ts'
import { trajectoryRoutes } from './routes.ts'

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([trajectoryRoutes])
})
afterAll(() => server.close())

const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('_')

const conversation = (model: string, order: string) => ({
  config: { model },
  messages: [
    { role: 'user', content: 'Cancel order W7, please.' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c', function: { name: 'cancel_order', arguments: JSON.stringify({ order_id: order }) } }],
    },
    { role: 'tool', tool_call_id: 'c', content: `done in /home/mia/shop with ${secret}` },
    { role: 'assistant', content: 'It is cancelled.' },
  ],
})

async function send<Reply>(
  method: string,
  path: string,
  body: string = '{}',
  type = 'application/json',
): Promise<Reply> {
  const reply = await server.request(path, { method, body, headers: { 'content-type': type } })
  const value = JSON.parse(await reply.text())
  if (!reply.ok) throw new Error((value as ApiError).error.message)
  return value as Reply
}

async function add(files: Record<string, unknown>): Promise<string> {
  const { id } = await send<{ id: string }>('POST', '/trajectories?name=runs')
  for (const [path, content] of Object.entries(files))
    await send(
      'POST',
      `/trajectories/files?set=${id}&path=${encodeURIComponent(path)}`,
      JSON.stringify(content),
      'application/octet-stream',
    )
  return id
}

const read = (id: string, choices: object = {}) =>
  send<TrajectorySetReply>('POST', `/trajectories/${id}/read`, JSON.stringify(choices))

it('keeps files as they are, reads them by a part of the path or a field, grades them and forgets them', async () => {
  const id = await add({
    'runs/opus/cancel-1.json': conversation('opus', 'W7'),
    'runs/haiku/cancel-1.json': conversation('haiku', 'W8'),
    'runs/notes.json': { nothing: true },
  })
  const folder = join(server.dataFolder, 'trajectories', id)
  expect(statSync(join(folder, 'files/runs/opus/cancel-1.json')).mode & 0o077).toBe(0)

  const plain = await read(id)
  expect(plain.rows.map(({ task, model, title }) => [task, model, title])).toEqual([
    [null, null, 'Cancel order W7, please.'],
    [null, null, 'Cancel order W7, please.'],
  ])
  expect(plain.skipped).toEqual(['runs/notes.json'])
  expect(plain.example?.fields).toContainEqual({ path: '$.config.model', example: 'haiku' })

  const named = await read(id, { taskFrom: '{task}-{trial}.json', model: '$.config.model' })
  expect(named.rows.map(({ task, trial, model }) => [task, trial, model])).toEqual([
    ['cancel', 1, 'haiku'],
    ['cancel', 1, 'opus'],
  ])
  expect(named.comparison.models.map(({ model }) => model)).toEqual(['haiku', 'opus'])
  expect(named.summary).toBeNull()

  const key = { name: 'key.yaml', text: 'tasks: { cancel: [{ name: cancel_order, arguments: { order_id: W7 } }] }' }
  const graded = await send<TrajectorySetReply>('PUT', `/trajectories/${id}/key`, JSON.stringify(key))
  expect(graded.rows.map(({ model, passed }) => [model, passed])).toEqual([
    ['haiku', false],
    ['opus', true],
  ])
  expect(graded.about).toMatchObject({ keyName: 'key.yaml', trajectories: 2, choices: { credit: 'effects' } })
  // What cannot be read changes nothing.
  await expect(send('PUT', `/trajectories/${id}/key`, JSON.stringify({ name: 'k', text: '[' }))).rejects.toThrow()
  await expect(read(id, { credit: 'nonsense' })).rejects.toThrow(/no credit nonsense/)
  const stored = JSON.parse(JSON.stringify(await server.get(`/trajectories/${id}`)))
  expect(stored).toMatchObject({ about: { keyName: 'key.yaml' }, rows: graded.rows })

  const run = JSON.parse(JSON.stringify(await server.get(`/trajectories/${id}/runs/0`))) as RecordedRun
  expect(run.grade?.losses[0]).toMatchObject({ kind: 'differs', name: 'cancel_order', fault: { cause: 'agent' } })
  expect((await server.request(`/trajectories/${id}/runs/7`)).status).toBe(404)

  expect(await server.get('/trajectories')).toMatchObject([{ id, trajectories: 2 }])
  await send('DELETE', `/trajectories/${id}`)
  expect([await server.get('/trajectories'), existsSync(folder)]).toEqual([[], false])
})

it('exports ATIF without secrets, and lists what was taken out', async () => {
  const id = await add({ 'run.json': conversation('m', 'W7') })
  await read(id)
  const removed = await server.get(`/trajectories/${id}/runs/0/removed`)
  expect(removed).toMatchObject([
    { kind: 'token', count: 1 },
    { kind: 'home folder', count: 1 },
  ])
  const textOf = async (query: string) => (await server.request(`/trajectories/${id}/runs/0/atif${query}`)).text()
  expect(await textOf('')).not.toMatch(/ghp_|mia/)
  expect(await textOf('')).toContain('"schema_version":"ATIF-v1.7"')
  expect(await textOf('?redact=0')).toContain(secret)
})

it('writes nothing outside its folder, and keeps nothing that holds no runs', async () => {
  const id = await add({ '../../../escape.json': conversation('m', 'W7') })
  expect(readFileSync(join(server.dataFolder, 'trajectories', id, 'files/escape.json'), 'utf8')).toContain('W7')
  expect(readdirSync(server.dataFolder)).not.toContain('escape.json')
  await expect(add({ '..': {} })).rejects.toThrow(/no usable name/)
  const empty = await add({ 'a.json': { nothing: true } })
  await expect(read(empty)).rejects.toThrow(/^None of the files holds recorded runs/)
  expect(existsSync(join(server.dataFolder, 'trajectories', empty))).toBe(false)
  expect((await server.request('/trajectories/..%2f..%2fx')).status).toBe(404)
})
