import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ClientError, type ModelRequest } from '../contract/index.ts'
import { createGoogleClient } from './google.ts'

const KEY = 'google-key-0123456789'
const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const candidates = (text: string, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }],
})
const failure = { error: { code: 503, message: `overloaded, ${KEY}`, status: 'UNAVAILABLE' } }

/** What the client makes of this reply. */
async function read(body: string, more: Partial<ModelRequest> = {}): Promise<unknown> {
  const type = more.stream === false ? 'application/json' : 'text/event-stream'
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': type }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createGoogleClient({ apiKey: KEY, baseUrl: `http://127.0.0.1:${port}` })
  cleanUp.push(() => client.close().then(() => server.close()))
  const request = { modelId: 'gemini', messages: [{ role: 'user' as const, content: '6 × 7?' }], parameters: {} }
  return client.complete({ ...request, ...more }).catch((error: unknown) => error)
}

describe('a stream of Gemini', () => {
  it.each([
    ['is cut after some text', event(candidates('The answer is 4')), { kind: 'broken', duringStream: true }],
    ['is cut within an event', event(candidates('The answer is 4')).slice(0, -30), { kind: 'broken' }],
    ['has no candidate', event({ candidates: [] }), { kind: 'broken' }],
    ['is an error', event(failure), { kind: 'refused', status: 503, unbilled: false }],
    ['has an error after some text', event(candidates('4')) + event(failure), { kind: 'refused', status: 503 }],
  ])('that %s is an error', async (_what, body, expected) => {
    const error = await read(body)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject(expected)
    expect(String(error)).not.toContain(KEY)
  })
  it.each([
    ['STOP', 'ok'],
    ['OTHER', 'ok'],
    ['MAX_TOKENS', 'truncated'],
    ['SAFETY', 'filtered'],
    ['A_NEW_REASON', 'ok'],
  ])('that ends with %s is %s', async (reason, outcome) => {
    const answer = await read(event(candidates('4')) + event(candidates('2', reason)))
    expect(answer).toMatchObject({ response: '42', outcome, finishReason: reason })
  })
  it('that was blocked is filtered', async () => {
    expect(await read(event({ promptFeedback: { blockReason: 'SAFETY' } }))).toMatchObject({ outcome: 'filtered' })
  })
})

describe('a whole reply of Gemini', () => {
  it('that is an error is an error', async () => {
    const error = await read(JSON.stringify(failure), { stream: false })
    expect(error).toMatchObject({ kind: 'refused', status: 503, unbilled: false, duringStream: false })
    expect(String(error)).not.toContain(KEY)
  })
  it('that has neither a candidate nor a reason is an error', async () => {
    expect(await read('{"candidates":[]}', { stream: false })).toMatchObject({ kind: 'broken' })
  })
  it('needs no finish reason: its end cannot be missing', async () => {
    expect(await read(JSON.stringify(candidates('42')), { stream: false })).toMatchObject({ response: '42' })
  })
})
