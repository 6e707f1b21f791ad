import type {
  LanguageModelV2,
  LanguageModelV2StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { ClientError, type ModelRequest } from '../../contract/index.ts'
import { createAISDKClient } from './ai-sdk.ts'

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  modelId: 'm',
  messages: [{ role: 'user', content: 'Hello?' }],
  parameters: {},
  ...more,
})

type Parts = LanguageModelV4StreamPart[]
const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}
const finish = (
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other',
  raw?: string,
): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw },
})
const text = (...deltas: string[]): Parts => deltas.map((delta) => ({ type: 'text-delta', id: '1', delta }))

/** A version 4 model that sends the given parts, or those that the function returns. */
function scripted(
  parts: Parts | ((options: LanguageModelV4CallOptions) => Promise<Parts>),
  calls: LanguageModelV4CallOptions[] = [],
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    doGenerate: async (options) => {
      calls.push(options)
      return {
        content: [{ type: 'text', text: 'whole' }],
        finishReason: { unified: 'stop', raw: 'end_turn' },
        usage,
        warnings: [],
      }
    },
    doStream: async (options) => {
      calls.push(options)
      const sent = typeof parts === 'function' ? await parts(options) : parts
      return { stream: ReadableStream.from(sent) }
    },
  }
}

function apiError(statusCode: number, responseBody: string, responseHeaders: Record<string, string> = {}): Error {
  return Object.assign(new Error('Bad Request'), {
    name: 'AI_APICallError',
    statusCode,
    responseBody,
    responseHeaders,
    url: 'x',
    requestBodyValues: {},
  })
}

async function errorOf(answer: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await answer.catch((reason: unknown) => reason)
  if (error instanceof ClientError) return error
  throw new Error('not a ClientError', { cause: error })
}

describe('an AI SDK model of version 4', () => {
  it('receives the request in its own format', async () => {
    const calls: LanguageModelV4CallOptions[] = []
    const client = createAISDKClient({ provider: 'x', model: scripted([...text('a'), finish('stop')], calls) })
    await client.complete(
      ask({
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What?' },
              { type: 'image', image: 'data:image/jpeg;base64,AAAA' },
              { type: 'image', image: 'https://example.org/a.png' },
            ],
          },
          { role: 'assistant', content: 'That.' },
        ],
        parameters: { temperature: 0, topP: 1, maxTokens: 9 },
        tools: [{ name: 'f', description: 'does f', parameters: { type: 'object' } }],
        responseSchema: { name: 'grade', schema: { type: 'object' } },
      }),
    )
    expect(calls[0]).toMatchObject({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'file', mediaType: 'image/jpeg', data: { type: 'data', data: 'AAAA' } },
            { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL('https://example.org/a.png') } },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'That.' }] },
      ],
      temperature: 0,
      topP: 1,
      maxOutputTokens: 9,
      tools: [{ type: 'function', name: 'f', description: 'does f', inputSchema: { type: 'object' } }],
      responseFormat: { type: 'json', name: 'grade', schema: { type: 'object' } },
    })
    expect(calls[0]).not.toHaveProperty('frequencyPenalty')
  })
  it('streams an answer with reasoning, tool calls, usage and the parameters left out', async () => {
    const client = createAISDKClient({
      provider: 'x',
      model: scripted([
        { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'frequencyPenalty' }] },
        { type: 'reasoning-delta', id: '0', delta: 'hm' },
        ...text('Hel', 'lo'),
        { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{"a":1}' },
        finish('tool-calls', 'tool_use'),
      ]),
    })
    const texts: string[] = []
    const answer = await client.complete(ask({ parameters: { frequencyPenalty: 0 } }), {
      onText: (piece) => texts.push(piece),
    })
    expect(answer).toMatchObject({
      outcome: 'ok',
      response: 'Hello',
      reasoning: 'hm',
      toolCalls: [{ name: 'f', arguments: { a: 1 } }],
      promptTokens: 7,
      completionTokens: 3,
      finishReason: 'tool_use',
      leftOut: ['frequencyPenalty'],
    })
    expect(texts).toEqual(['Hel', 'lo'])
    expect(answer.firstTokenMs).toBeLessThanOrEqual(answer.latencyMs)
  })
  it.each([
    [
      'Anthropic’s tokens written to its cache, by how long they stay',
      {
        inputTokens: { total: 4096, noCache: 2048, cacheRead: 1800, cacheWrite: 248 },
        outputTokens: { total: 503, text: undefined, reasoning: undefined },
        raw: { cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 } },
      },
      {
        promptTokens: 4096,
        completionTokens: 503,
        tokenDetails: { cachedPrompt: 1800, cacheWrite: 148, cacheWriteHour: 100 },
      },
    ],
    [
      'Google’s thoughts, which the SDK adds to the candidates',
      {
        inputTokens: { total: 30, noCache: 10, cacheRead: 20, cacheWrite: undefined },
        outputTokens: { total: 95, text: 12, reasoning: 83 },
      },
      { promptTokens: 30, completionTokens: 95, tokenDetails: { cachedPrompt: 20, reasoning: 83 } },
    ],
  ])('reads %s', async (_what, counted, expected) => {
    const end: LanguageModelV4StreamPart = {
      type: 'finish',
      usage: counted,
      finishReason: { unified: 'stop', raw: undefined },
    }
    const client = createAISDKClient({ provider: 'x', model: scripted([...text('Hi'), end]) })
    expect(await client.complete(ask({}))).toMatchObject(expected)
  })
  it('returns a whole answer when streaming is off', async () => {
    const answer = await createAISDKClient({ provider: 'x', model: scripted([]) }).complete(ask({ stream: false }))
    expect(answer).toMatchObject({ outcome: 'ok', response: 'whole', promptTokens: 7, finishReason: 'end_turn' })
    expect(answer).not.toHaveProperty('firstTokenMs')
  })
  it.each<[parts: Parts, outcome: string]>([
    [[finish('stop')], 'empty'],
    [[...text('a'), finish('length')], 'truncated'],
    [[{ type: 'reasoning-delta', id: '0', delta: 'hm' }, finish('length', 'max_tokens')], 'truncated'],
    [[finish('content-filter', 'SAFETY')], 'filtered'],
    [[...text('a'), finish('other', 'pause_turn')], 'ok'],
    [[...text('No.'), finish('content-filter', 'refusal')], 'refusal'],
  ])('%j is %s', async (parts, outcome) => {
    expect((await createAISDKClient({ provider: 'x', model: scripted(parts) }).complete(ask())).outcome).toBe(outcome)
  })
  it.each<[problem: string, model: LanguageModelV4, expected: Partial<ClientError>]>([
    [
      'a status with a wait',
      scripted(() => Promise.reject(apiError(429, '{"error":{"message":"slow"}}', { 'retry-after': '3' }))),
      { kind: 'refused', status: 429, retryAfterMs: 3000 },
    ],
    [
      'no connection',
      scripted(() => Promise.reject(Object.assign(new Error('Cannot connect to API'), { name: 'AI_APICallError' }))),
      { kind: 'network' },
    ],
    [
      'an error in the stream',
      scripted([...text('a'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]),
      { kind: 'refused', status: 529 },
    ],
    ['the finish reason "error"', scripted([...text('a'), finish('error')]), { kind: 'refused' }],
    ['a stream without an end', scripted(text('a')), { kind: 'broken' }],
    ['a stream without a finish reason', scripted([...text('a'), finish('other')]), { kind: 'broken' }],
    [
      'an error that only a raw chunk has',
      scripted([
        ...text('a'),
        { type: 'raw', rawValue: { error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } } },
        finish('other'),
      ]),
      { kind: 'refused', status: 429 },
    ],
    ['any other error', scripted(() => Promise.reject(new TypeError('x is undefined'))), { kind: 'broken' }],
  ])('%s becomes a ClientError', async (_problem, model, expected) => {
    expect(await errorOf(createAISDKClient({ provider: 'x', model }).complete(ask()))).toMatchObject(expected)
  })
  it('a parameter that the vendor rejects is left out of the next request, and stays left out', async () => {
    const calls: LanguageModelV4CallOptions[] = []
    const model = scripted(async ({ temperature }) => {
      if (temperature !== undefined)
        throw apiError(
          400,
          '{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}',
        )
      return [...text('a'), finish('stop')]
    }, calls)
    const client = createAISDKClient({ provider: 'x', model })
    const rejected = await errorOf(client.complete(ask({ parameters: { temperature: 0 } })))
    expect(rejected).toMatchObject({ status: 400, adapted: true })
    for (let round = 0; round < 2; round++)
      expect(await client.complete(ask({ parameters: { temperature: 0 } }))).toMatchObject({ leftOut: ['temperature'] })
    expect(calls).toHaveLength(3)
  })
  it.each([
    apiError(400, '{"error":{"message":"streaming is not supported for this model"}}'),
    Object.assign(new Error("'streaming' functionality not supported."), { name: 'AI_UnsupportedFunctionalityError' }),
  ])('a model that cannot stream is asked for the whole answer from then on', async (refusal) => {
    let streamed = 0
    const model: LanguageModelV4 = {
      ...scripted([]),
      doStream: () => {
        streamed++
        return Promise.reject(refusal)
      },
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'a' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }),
    }
    const client = createAISDKClient({ provider: 'x', model })
    expect(await errorOf(client.complete(ask()))).toMatchObject({ status: 400, adapted: true })
    for (let round = 0; round < 2; round++) expect(await client.complete(ask())).toMatchObject({ response: 'a' })
    expect(streamed).toBe(1)
  })
  it("timeouts and cancellation end the call at once and abort the model's signal", async () => {
    const signals: AbortSignal[] = []
    const hanging = scripted(({ abortSignal }) => {
      signals.push(abortSignal!)
      return new Promise(() => undefined)
    })
    const client = createAISDKClient({ provider: 'x', model: hanging })
    expect((await errorOf(client.complete(ask({ firstTokenTimeoutMs: 20 })))).kind).toBe('timeout')
    const abort = new AbortController()
    const cancelled = errorOf(client.complete(ask(), { signal: abort.signal }))
    abort.abort()
    expect((await cancelled).kind).toBe('cancelled')
    expect(signals.every((signal) => signal.aborted)).toBe(true)
  })
  it('a silent stream times out between tokens', async () => {
    const model: LanguageModelV4 = {
      ...scripted([]),
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue({ type: 'text-delta', id: '1', delta: 'a' }),
        }),
      }),
    }
    expect(
      await errorOf(createAISDKClient({ provider: 'x', model }).complete(ask({ idleTimeoutMs: 20 }))),
    ).toMatchObject({ kind: 'timeout', message: 'x sent nothing more for 0.02 s' })
  })
  it('errors do not reveal keys', async () => {
    const key = 'secret-key-0123456789'
    const model = scripted(() => Promise.reject(apiError(401, `{"error":{"message":"bad key ${key}"}}`)))
    const error = await errorOf(createAISDKClient({ provider: 'x', model, secrets: [key] }).complete(ask()))
    expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain(key)
  })
  it('lists the one model it was created with', async () => {
    expect(await createAISDKClient({ provider: 'x', model: scripted([]) }).listModels()).toEqual([{ id: 'scripted-1' }])
  })
})

function oldModel(finishReason: 'stop' | 'other' | 'unknown', seen: unknown[] = []): LanguageModelV2 {
  const counted = { inputTokens: 4, outputTokens: 1, totalTokens: 5 }
  const parts: LanguageModelV2StreamPart[] = [
    { type: 'text-delta', id: '1', delta: 'Hi' },
    { type: 'finish', usage: counted, finishReason },
  ]
  return {
    specificationVersion: 'v2',
    provider: 'old',
    modelId: 'old-1',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text: 'Hi' }], finishReason, usage: counted, warnings: [] }),
    doStream: async ({ prompt }) => {
      seen.push(prompt)
      return { stream: ReadableStream.from(parts) }
    },
  }
}

it('an AI SDK model of version 2 works too: plain usage, finish reason and file data', async () => {
  const seen: unknown[] = []
  const model = oldModel('stop', seen)
  const image = ask({ messages: [{ role: 'user', content: [{ type: 'image', image: 'data:image/png;base64,AAAA' }] }] })
  expect(await createAISDKClient({ provider: 'x', model: () => model }).complete(image)).toMatchObject({
    response: 'Hi',
    promptTokens: 4,
    completionTokens: 1,
    finishReason: 'stop',
  })
  expect(seen).toEqual([[{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] }]])
})

it('version 2 says "unknown" of a stream that was cut; a whole reply needs no reason', async () => {
  const client = createAISDKClient({ provider: 'x', model: oldModel('unknown') })
  expect(await errorOf(client.complete(ask()))).toMatchObject({ kind: 'broken', duringStream: true })
  expect(await client.complete(ask({ stream: false }))).toMatchObject({ outcome: 'ok', response: 'Hi' })
  const other = createAISDKClient({ provider: 'x', model: oldModel('other') })
  expect(await other.complete(ask())).toMatchObject({ outcome: 'ok', response: 'Hi', finishReason: 'other' })
})
