import { Hono } from 'hono'
import { hc } from 'hono/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { checkQuery } from '../server/http/read-query.ts'
import { LongInteger } from '../contract/index.ts'
import { writeJsonLine } from './tool-calls/record-values.ts'
import {
  API_ADDRESS,
  apiAddress,
  ApiFailure,
  encodeParams,
  readExactReply,
  readReply,
  requestOptions,
} from './api-request.ts'

const text = z.string().optional()
const querySchema = z.object({ search: text, tag: text, state: text })

const suites = new Hono()
  .get('/suites/:id', checkQuery(querySchema), (c) => c.json({ id: c.req.param('id'), query: c.req.query() }))
  .post('/suites/:id/stop', async (c) => c.json({ body: await c.req.text(), type: c.req.header('content-type') }))
  .put('/suites/:id', async (c) => c.json({ body: await c.req.text(), type: c.req.header('content-type') }))
  .get('/refused', (c) =>
    c.json({ error: { code: 'invalid', message: 'No.', problems: [{ path: ['a', 0], message: 'bad' }] } }, 422),
  )
  .get('/account', (c) => c.json({ id: new LongInteger('1234567890123456789') }))
  .get('/broken', (c) => c.json({ oops: true }, 500))
const server = new Hono().route(API_ADDRESS, suites)

type Suites = typeof suites

const api = encodeParams(
  hc<Suites>(
    API_ADDRESS,
    requestOptions(async (address, init) => server.request(address, init)),
  ),
)
beforeAll(
  () =>
    void vi.stubGlobal('localStorage', {
      getItem: (name: string) => (name === 'benchmaker-session-key' ? 'the-key' : 'run-1 run-2'),
    }),
)
afterAll(() => void vi.unstubAllGlobals())

const withId = { param: { id: 'a/b?c=1&ü %2F' } }

describe('a request to the server', () => {
  it('encodes any name, and omits empty query fields', async () => {
    const query = { search: 'x & y', tag: '', state: undefined }
    expect(await readReply(api.suites[':id'].$get({ ...withId, query }))).toEqual({
      id: withId.param.id,
      query: { search: 'x & y' },
    })
  })
  it('brings the runs whose models it has named, and the key of the session: as a header, and in addresses that a browser requests by itself', async () => {
    const send = vi.fn<typeof fetch>(async () => Response.json({}))
    vi.stubGlobal('fetch', send)
    const headers = { 'x-benchmaker-session': 'the-key', 'x-benchmaker-names-seen': 'run-1 run-2' }
    const own = hc<Suites>(API_ADDRESS, requestOptions())
    await own.account.$get()
    await own.suites[':id'].$put(withId, { init: { body: 'file', headers: { 'content-type': 'text/plain' } } })
    const sent = send.mock.calls.map(([, init]) => Object.fromEntries(new Headers(init?.headers)))
    expect(sent).toEqual([{ ...headers }, { ...headers, 'content-type': 'text/plain' }])
    const path = api.suites[':id'].$path
    expect(apiAddress(path({ param: { id: 'a/b' } }))).toBe('/api/suites/a%2Fb?sessionKey=the-key')
    expect(apiAddress(path({ param: { id: 'a' }, query: { tag: 'b' } }))).toBe('/api/suites/a?tag=b&sessionKey=the-key')
  })
  it('is JSON if it changes something, even without a body', async () => {
    expect(await readReply(api.suites[':id'].stop.$post(withId))).toEqual({ body: '{}', type: 'application/json' })
  })
  it('sends a file unchanged', async () => {
    const init = { body: 'file', headers: { 'content-type': 'application/octet-stream' } }
    expect(await readReply(api.suites[':id'].$put(withId, { init }))).toEqual({
      body: 'file',
      type: 'application/octet-stream',
    })
  })
  it('keeps whole numbers beyond 2^53 where a screen shows them', async () => {
    expect(writeJsonLine(await readExactReply(api.account.$get()))).toBe('{"id":1234567890123456789}')
  })
  it('throws the message and problems of the server if it is refused', async () => {
    await expect(api.refused.$get()).rejects.toEqual(
      new ApiFailure(422, 'invalid', 'No.', [{ path: ['a', 0], message: 'bad' }]),
    )
    await expect(api.refused.$get()).rejects.toMatchObject({
      status: 422,
      code: 'invalid',
      problems: [{ message: 'bad' }],
    })
  })
  it('throws a general failure if the error has no readable body', async () => {
    await expect(api.broken.$get()).rejects.toMatchObject({ status: 500, code: 'failed', problems: [] })
  })
  it('throws no-connection if the server does not answer, and passes an abort through', async () => {
    const failingClient = (error: Error) =>
      hc<Suites>(
        API_ADDRESS,
        requestOptions(() => Promise.reject(error)),
      )
    await expect(failingClient(new TypeError('fetch failed')).broken.$get()).rejects.toMatchObject({
      status: 0,
      code: 'no-connection',
    })
    const abort = new DOMException('aborted', 'AbortError')
    await expect(failingClient(abort).broken.$get()).rejects.toBe(abort)
  })
})
