import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type ScriptedReply,
} from '../../test/fakes/model-server.ts'
import { ClientError, InputError, type Client, type ModelRequest } from '../contract/index.ts'
import { createOpenAICompatibleClient, type OpenAICompatibleOptions } from './openai-compatible.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const bytes = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const JSON_TYPE = { 'content-type': 'application/json' }
const KEY = 'sk-test-0123456789abcdef'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(
  serverOptions: ModelServerOptions,
  options: Partial<OpenAICompatibleOptions> = {},
): Promise<{ server: ModelServer; client: Client }> {
  const server = await startModelServer(serverOptions)
  const client = createOpenAICompatibleClient({ provider: 'test', baseUrl: server.baseUrl, ...options })
  closing.push(client.close, server.close)
  return { server, client }
}

const script = (reply: ScriptedReply): ModelServerOptions => ({ reply: () => reply })
const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  modelId: 'fake',
  messages: [{ role: 'user', content: 'Hello?' }],
  parameters: {},
  ...more,
})

async function errorOf(answer: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await answer.then(
    () => new Error('answered'),
    (reason: unknown) => reason,
  )
  if (error instanceof ClientError) return error
  throw error
}

describe('a request', () => {
  it('has the fields of a chat completion, with our names mapped to theirs', async () => {
    const { server, client } = await open({}, { apiKey: ` ${KEY}\n`, headers: { 'x-extra': '1' } })
    await client.complete(
      ask({
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image', image: 'data:image/png;base64,AA==' },
            ],
          },
        ],
        parameters: { temperature: 0, topP: 1, maxTokens: 5, frequencyPenalty: 0.1, presencePenalty: 0 },
        tools: [{ name: 'f', parameters: { type: 'object' } }],
        responseSchema: { name: 'grade', schema: { type: 'object' } },
      }),
    )
    const [request] = server.requests
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'x-extra': '1' },
    })
    expect(request!.headers).not.toHaveProperty('accept-encoding')
    expect(request!.body).toEqual({
      model: 'fake',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
      ],
      temperature: 0,
      top_p: 1,
      max_tokens: 5,
      frequency_penalty: 0.1,
      presence_penalty: 0,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'grade', schema: { type: 'object' }, strict: true },
      },
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    })
  })
  it('leaves out what is not set, and has no stream options without streaming', async () => {
    const { server, client } = await open({})
    await client.complete(ask({ stream: false }))
    expect(server.requests[0]!.body).toEqual({
      model: 'fake',
      messages: [{ role: 'user', content: 'Hello?' }],
      stream: false,
    })
  })
  it('keeps path and query of the base URL', async () => {
    const server = await startModelServer()
    const client = createOpenAICompatibleClient({
      provider: 'azure',
      baseUrl: `${server.baseUrl}/deployments/x/?api-version=1`,
      headers: { 'api-key': KEY },
    })
    closing.push(client.close, server.close)
    await client.complete(ask())
    expect(server.stats().byPath).toEqual({ '/v1/deployments/x/chat/completions': 1 })
  })
  it('refuses an image that is a path, an invalid base URL, and a key with a line break inside', async () => {
    const { client } = await open({})
    const path = ask({ messages: [{ role: 'user', content: [{ type: 'image', image: 'cat.png' }] }] })
    await expect(client.complete(path)).rejects.toBeInstanceOf(InputError)
    expect(() => createOpenAICompatibleClient({ provider: 'x', baseUrl: 'localhost:11434' })).toThrow(InputError)
    expect(() => createOpenAICompatibleClient({ provider: 'x', baseUrl: 'http://x', apiKey: 'abc\ndef' })).toThrow(
      /authorization/,
    )
  })
})

describe('an answer', () => {
  it('is streamed, with its times and its text as it arrives', async () => {
    const { client } = await open({ latencyMs: 40, tokenDelayMs: 5, tokenCount: 6, cost: 0.25 })
    const texts: string[] = []
    const answer = await client.complete(ask(), { onText: (text) => texts.push(text) })
    expect(answer).toMatchObject({
      outcome: 'ok',
      response: 'word1 word2 word3 word4 word5 word6',
      promptTokens: 1,
      completionTokens: 6,
      cost: 0.25,
      finishReason: 'stop',
    })
    expect(texts.join('')).toBe(answer.response)
    expect(texts.length).toBeGreaterThan(1)
    // The server waits 40 ms, then at least five times 5 ms; timers are at most 1 ms early.
    expect(answer.firstTokenMs).toBeGreaterThanOrEqual(39)
    expect(answer.latencyMs).toBeGreaterThanOrEqual(answer.firstTokenMs! + 20)
    expect(answer).not.toHaveProperty('leftOut')
  })
  it('arrives whole if requested, or if the server does not stream anyway', async () => {
    const { client } = await open({
      reply: ({ body }) =>
        body['stream'] ? { headers: JSON_TYPE, pieces: [fixture('mistral-parts.json')] } : undefined,
    })
    expect(await client.complete(ask({ stream: false }))).toMatchObject({ outcome: 'ok', completionTokens: 8 })
    const answer = await client.complete(ask())
    expect(answer).toMatchObject({ outcome: 'ok', response: 'apple date fig pear' })
    expect(answer).not.toHaveProperty('firstTokenMs')
  })
  it('is assembled from UTF-8 that is split inside a character', async () => {
    const whole = bytes('ollama-stream.txt')
    const cut = whole.indexOf('🏔') + 2
    const { client } = await open(
      script({
        pieces: [
          whole.subarray(0, whole.indexOf('ü') + 1),
          whole.subarray(whole.indexOf('ü') + 1, cut),
          whole.subarray(cut),
        ],
      }),
    )
    expect((await client.complete(ask())).response).toBe('Zürich 🏔')
  })
  it('is complete at [DONE], even if the server keeps the connection open', async () => {
    const { server, client } = await open(script({ pieces: [fixture('openai-stream.txt')], ending: 'hang' }))
    expect(await client.complete(ask({ idleTimeoutMs: 60_000 }))).toMatchObject({
      response: 'The capital is Canberra.',
      promptTokens: 19,
    })
    await expect.poll(() => server.stats().openSockets, { timeout: 20_000 }).toBe(0)
  })
  it('is complete if the connection is lost after the finish reason', async () => {
    const events = fixture('openai-stream.txt').split('\n\n').slice(0, 5).join('\n\n')
    const { client } = await open(script({ pieces: [`${events}\n\n`], ending: 'destroy' }))
    expect(await client.complete(ask())).toMatchObject({ outcome: 'ok', response: 'The capital is Canberra.' })
  })
  it('is filtered, not an error, if Azure rejects the prompt', async () => {
    const { client } = await open(
      script({ status: 400, headers: JSON_TYPE, pieces: [fixture('azure-prompt-filtered.json')] }),
    )
    expect(await client.complete(ask())).toMatchObject({ outcome: 'filtered', response: '' })
  })
  it('reuses an open connection', async () => {
    const { server, client } = await open({})
    for (let index = 0; index < 20; index++) await client.complete(ask())
    expect(server.stats().openSockets).toBeLessThanOrEqual(3)
  })
})

describe('an error', () => {
  it.each<[reply: ScriptedReply, expected: Partial<ClientError>]>([
    [
      { status: 429, headers: { ...JSON_TYPE, 'retry-after': '2' }, pieces: ['{"error": {"message": "slow down"}}'] },
      { kind: 'refused', status: 429, retryAfterMs: 2000 },
    ],
    [
      { status: 500, pieces: ['oops'] },
      { kind: 'refused', status: 500, retryAfterMs: undefined },
    ],
    [
      { status: 502, headers: { 'content-type': 'text/html' }, pieces: [fixture('gateway-page.html.txt')] },
      { kind: 'refused', status: 502 },
    ],
    [
      { status: 301, headers: { location: 'https://example.org' }, pieces: [] },
      { kind: 'refused', status: 301 },
    ],
    [
      { headers: JSON_TYPE, pieces: [fixture('openrouter-error-in-200.json')] },
      { kind: 'refused', status: 429, retryAfterMs: 7000 },
    ],
    [{ pieces: [fixture('openrouter-error-in-stream.txt')] }, { kind: 'refused', status: 502 }],
    [{ headers: { 'content-type': 'text/html' }, pieces: [fixture('gateway-page.html.txt')] }, { kind: 'broken' }],
    [{ pieces: [fixture('openai-stream.txt').slice(0, 900)] }, { kind: 'broken' }],
    [{ pieces: [fixture('openai-stream.txt').slice(0, 900)], ending: 'destroy' }, { kind: 'network' }],
    [{ headers: JSON_TYPE, pieces: ['{"choices": [{"mess'] }, { kind: 'broken' }],
    [{ pieces: [] }, { kind: 'broken' }],
    [{ headers: { 'content-encoding': 'gzip' }, pieces: ['\u001f\u008b'] }, { kind: 'broken' }],
  ])('%j', async (reply, expected) => {
    const { client, server } = await open(script(reply))
    expect(await errorOf(client.complete(ask()))).toMatchObject(expected)
    expect(server.stats().requests).toBe(1)
  })
  it('says when no server is listening', async () => {
    const server = await startModelServer()
    await server.close()
    const client = createOpenAICompatibleClient({ provider: 'ollama', baseUrl: server.baseUrl })
    closing.push(client.close)
    expect(await errorOf(client.complete(ask()))).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('is the server running?'),
    })
  })
  it('says when the server does not speak HTTP', async () => {
    const listener = createServer((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const client = createOpenAICompatibleClient({ provider: 'test', baseUrl: `http://127.0.0.1:${port}` })
    closing.push(client.close, async () => void listener.close())
    expect((await errorOf(client.complete(ask()))).kind).toBe('broken')
  })
  it('never reveals a key that the server echoes', async () => {
    const echo = JSON.stringify({
      error: { message: `Incorrect API key provided: ${KEY}, or ${KEY.slice(0, 12)}***.`, code: 'invalid_api_key' },
    })
    for (const reply of [
      { status: 401, pieces: [echo] },
      { pieces: [`data: ${echo}\n\n`] },
      { pieces: [`data: ${KEY} is not JSON\n\n`] },
    ]) {
      const { client } = await open(script(reply), { apiKey: KEY })
      const error = await errorOf(client.complete(ask()))
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(KEY.slice(0, 12))
    }
  })
  it('thrown in onText reaches the caller and closes the connection', async () => {
    const { client, server } = await open({ tokenDelayMs: 20 })
    const failing = client.complete(ask(), {
      onText: () => {
        throw new RangeError('mine')
      },
    })
    await expect(failing).rejects.toThrow(RangeError)
    await expect.poll(() => server.stats().aborted).toBe(1)
  })
})

describe('timeouts', () => {
  const comments = Array.from({ length: 8 }, () => ': keep-alive\n\n')
  const [first, ...others] = fixture('ollama-stream.txt').split(/(?<=\n\n)/)

  it('apply before the first token, keep-alive or not', async () => {
    const { client, server } = await open(script({ pieces: comments, pieceDelayMs: 50, ending: 'hang' }))
    expect(await errorOf(client.complete(ask({ firstTokenTimeoutMs: 100 })))).toMatchObject({
      kind: 'timeout',
      message: 'test sent no answer within 0.1 s',
    })
    await expect.poll(() => server.stats().openSockets, { timeout: 20_000 }).toBe(0)
  })
  it('apply between tokens', async () => {
    for (const latencyMs of [0, 150]) {
      const { client } = await open({ latencyMs, ...script({ pieces: [first!], ending: 'hang' }) })
      const limits = { idleTimeoutMs: 100, firstTokenTimeoutMs: 600_000 }
      expect(await errorOf(client.complete(ask(limits)))).toMatchObject({
        kind: 'timeout',
        message: 'test sent nothing more for 0.1 s',
      })
    }
  })
  it('between tokens restart with keep-alive comments and do not apply before the first token', async () => {
    const { client } = await open({
      latencyMs: 300,
      ...script({ pieces: [first!, ...comments, ...others], pieceDelayMs: 60 }),
    })
    expect(await client.complete(ask({ idleTimeoutMs: 250, firstTokenTimeoutMs: 10_000 }))).toMatchObject({
      response: 'Zürich 🏔',
    })
  })
  it('do not include the wait for a free connection', async () => {
    const released = Promise.withResolvers<void>()
    const { client, server } = await open({ hold: () => released.promise }, { connections: 1 })
    const before = client.complete(ask({}))
    await vi.waitUntil(() => server.stats().inFlight === 1)
    const waiting = client.complete(ask({ firstTokenTimeoutMs: 1400 }))
    setTimeout(released.resolve, 1500)
    const { latencyMs } = await waiting
    expect(latencyMs).toBeLessThan((await before).latencyMs!)
  })
})

describe('cancelling', () => {
  it('closes the socket at once, whatever the state of the request', async () => {
    for (const options of [{ latencyMs: 60_000 }, { tokenDelayMs: 60_000 }]) {
      const { client, server } = await open(options)
      const abort = new AbortController()
      const cancelled = errorOf(client.complete(ask(), { signal: abort.signal }))
      await expect.poll(() => server.stats().inFlight).toBe(1)
      abort.abort()
      expect((await cancelled).kind).toBe('cancelled')
      await expect.poll(() => server.stats().openSockets, { timeout: 20_000 }).toBe(0)
    }
  })
  it('before the request is sent prevents it from being sent', async () => {
    const { client, server } = await open({ latencyMs: 50 }, { connections: 1 })
    expect((await errorOf(client.complete(ask(), { signal: AbortSignal.abort() }))).kind).toBe('cancelled')
    const abort = new AbortController()
    const first = client.complete(ask())
    const queued = errorOf(client.complete(ask(), { signal: abort.signal }))
    abort.abort()
    expect((await queued).kind).toBe('cancelled')
    await first
    await client.complete(ask())
    expect(server.stats().requests).toBe(2)
  })
})

describe('parameters that a model does not support', () => {
  it('are left out once the server has rejected them; the client leaves the retry to its caller', async () => {
    const { client, server } = await open({
      reply: ({ body }) => {
        if ('max_tokens' in body)
          return { status: 400, headers: JSON_TYPE, pieces: [fixture('openai-unsupported.json')] }
        if (!('temperature' in body)) return undefined
        return {
          status: 400,
          headers: JSON_TYPE,
          pieces: [
            JSON.stringify({
              error: {
                message: "Unsupported value: 'temperature' does not support 0 with this model.",
                param: 'temperature',
                code: 'unsupported_value',
              },
            }),
          ],
        }
      },
    })
    const request = ask({ parameters: { temperature: 0, maxTokens: 9, topP: 1 } })
    for (let rejected = 1; rejected <= 2; rejected++) {
      expect(await errorOf(client.complete(request))).toMatchObject({ status: 400, adapted: true })
      expect(server.stats().requests).toBe(rejected)
    }
    expect(await client.complete(request)).toMatchObject({ outcome: 'ok', leftOut: ['temperature'] })
    expect(server.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 9, top_p: 1 })
    expect(server.stats().requests).toBe(3)
    expect(await client.complete(request)).toMatchObject({ leftOut: ['temperature'] })
    expect(server.stats().requests).toBe(4)
    expect(await client.complete({ ...request, modelId: 'other', parameters: { topP: 1 } })).not.toHaveProperty(
      'leftOut',
    )
  })
  it.each([
    [400, { message: 'streaming is not supported for this model' }],
    [405, { message: 'Streaming not supported' }],
    [
      400,
      {
        message: 'Your organization must be verified to stream this model.',
        param: 'stream',
        code: 'unsupported_value',
      },
    ],
  ])('include streaming: after %d %j the whole answer is requested', async (status, error) => {
    const { client, server } = await open({
      reply: ({ body }) =>
        body['stream'] === true ? { status, headers: JSON_TYPE, pieces: [JSON.stringify({ error })] } : undefined,
    })
    expect(await errorOf(client.complete(ask()))).toMatchObject({ status, adapted: true })
    for (let round = 0; round < 2; round++) expect(await client.complete(ask())).toMatchObject({ outcome: 'ok' })
    expect(server.requests.map(({ body }) => body['stream'])).toEqual([true, false, false])
  })
  it('are rejected one after another until nothing is left to leave out', async () => {
    const { client } = await open({
      reply: ({ body }) => ({
        status: 400,
        headers: JSON_TYPE,
        pieces: [JSON.stringify({ error: { message: `not supported: ${Object.keys(body).join(' ')}` } })],
      }),
    })
    const parameters = { temperature: 1, topP: 1, maxTokens: 1, frequencyPenalty: 0, presencePenalty: 0 }
    let adapted = 0
    while ((await errorOf(client.complete(ask({ parameters })))).adapted) adapted++
    expect(adapted).toBe(7)
    expect(await errorOf(client.complete(ask({ parameters })))).toMatchObject({ kind: 'refused', adapted: false })
  })
})
