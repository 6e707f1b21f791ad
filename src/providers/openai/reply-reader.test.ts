import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientError } from '../../contract/index.ts'
import type { AnswerParts } from './answer-assembly.ts'
import { createReplyReader } from './reply-reader.ts'

const fixture = (name: string): string => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')

function readAll(pieces: string[]): AnswerParts {
  const reader = createReplyReader({ provider: 'test', redact: (text) => text, now: () => 0 })
  let text = ''
  for (const piece of pieces) text += reader.read(piece)
  if (!reader.isDone()) reader.end()
  const answer = reader.answer()
  if (answer.outcome === 'ok' && reader.isDone()) expect(text).toBe(answer.response)
  return answer
}

function errorOf(pieces: string[]): ClientError {
  try {
    readAll(pieces)
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
  throw new Error('read without an error')
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (piece: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: piece, finish_reason: finish }] })

/** What each vendor's reply means, as read by a person. */
const readings: [file: string, answer: AnswerParts][] = [
  [
    'openai-stream.txt',
    {
      outcome: 'ok',
      response: 'The capital is Canberra.',
      promptTokens: 19,
      completionTokens: 5,
      finishReason: 'stop',
      servedModel: 'gpt-4o-mini-2024-07-18',
    },
  ],
  [
    'openai-tool-calls.txt',
    {
      outcome: 'ok',
      response: '',
      toolCalls: [
        { id: 'call_a1', name: 'get_weather', arguments: { city: 'Oslo' } },
        { id: 'call_b2', name: 'get_time', arguments: '{"zone": CET' },
      ],
      promptTokens: 61,
      completionTokens: 32,
      finishReason: 'tool_calls',
      servedModel: 'gpt-4o-mini-2024-07-18',
    },
  ],
  [
    'openai-refusal.json',
    {
      outcome: 'refusal',
      response: "I can't help with that request.",
      promptTokens: 40,
      completionTokens: 9,
      finishReason: 'stop',
      servedModel: 'gpt-4o-2024-08-06',
    },
  ],
  [
    'openrouter-stream.txt',
    {
      outcome: 'ok',
      response: 'Canberra',
      reasoning: "Australia's seat of government…",
      opaque: {
        from: 'openai-compatible',
        reasoning_details: [{ type: 'reasoning.text', text: "Australia's seat", format: 'unknown', index: 0 }],
      },
      promptTokens: 14,
      completionTokens: 52,
      tokenDetails: { reasoning: 47 },
      cost: 0.0001342,
      finishReason: 'stop',
      servedModel: 'deepseek/deepseek-r1',
      servedBy: 'Fireworks',
    },
  ],
  [
    'ollama-stream.txt',
    {
      outcome: 'ok',
      response: 'Zürich 🏔',
      promptTokens: 26,
      completionTokens: 4,
      finishReason: 'stop',
      servedModel: 'llama3.2',
    },
  ],
  [
    'ollama-tool-calls.txt',
    {
      outcome: 'ok',
      response: '',
      toolCalls: [
        { id: 'call_x1', name: 'add', arguments: { a: 1, b: 2 } },
        { id: 'call_x2', name: 'add', arguments: { a: 3, b: 4 } },
      ],
      finishReason: 'tool_calls',
      servedModel: 'llama3.2',
    },
  ],
  [
    'vllm-reasoning-only.txt',
    {
      outcome: 'truncated',
      response: '',
      reasoning: 'Let me count the letters again…',
      promptTokens: 21,
      completionTokens: 16,
      finishReason: 'length',
      servedModel: 'Qwen/Qwen3-8B',
    },
  ],
  [
    'llama-cpp-stream-crlf.txt',
    {
      outcome: 'ok',
      response: 'FizzBuzz',
      promptTokens: 18,
      completionTokens: 3,
      finishReason: 'stop',
      servedModel: 'gemma-3-4b.gguf',
    },
  ],
  [
    'azure-stream.txt',
    { outcome: 'filtered', response: 'Once upon', finishReason: 'content_filter', servedModel: 'gpt-4o-2024-11-20' },
  ],
  [
    'mistral-parts.json',
    {
      outcome: 'ok',
      response: 'apple date fig pear',
      reasoning: 'Sort them.',
      promptTokens: 12,
      completionTokens: 20,
      finishReason: 'stop',
      servedModel: 'magistral-small',
    },
  ],
]

describe('recorded replies', () => {
  it.each(readings)('%s', (file, answer) => {
    expect(readAll([fixture(file)])).toEqual(answer)
  })
  it.each(readings)('%s reads the same however it is split', (file, answer) => {
    const whole = fixture(file)
    const cuts = fc.uniqueArray(fc.nat({ max: whole.length }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (positions) => {
        const ends = [...positions.toSorted((a, b) => a - b), whole.length]
        const pieces = ends.map((end, index) => whole.slice(index === 0 ? 0 : ends[index - 1], end))
        expect(readAll(pieces)).toEqual(answer)
      }),
      { numRuns: 60 },
    )
  })
  it.each<[file: string, status: number, message: RegExp]>([
    ['openrouter-error-in-stream.txt', 502, /Provider returned error upstream connect error \(from Fireworks\)/],
    ['openrouter-error-in-200.json', 429, /too many requests.*\(from Chutes\)/],
    ['vllm-error-in-stream.txt', 500, /EngineCore/],
    ['vllm-error.json', 400, /maximum context length/],
    ['llama-cpp-error-field.txt', 500, /context shift/],
    ['ollama-error.json', 500, /llama9/],
  ])('%s is an error with its status', (file, status, message) => {
    const error = errorOf([fixture(file)])
    expect(error).toMatchObject({ kind: 'refused', status })
    expect(error.message).toMatch(message)
  })
  it("OpenRouter's error in a 200 says how long to wait", () => {
    expect(errorOf([fixture('openrouter-error-in-200.json')]).retryAfterMs).toBe(7000)
  })
  it('a web page with status 200 is broken, and the message suggests checking the base URL', () => {
    const error = errorOf([fixture('gateway-page.html.txt')])
    expect(error.kind).toBe('broken')
    expect(error.message).toContain('base URL')
  })
})

describe('server-sent events', () => {
  it('a finish reason without [DONE] completes an answer, and so does [DONE] without a finish reason', () => {
    expect(readAll([delta({ content: 'a' }, 'stop')])).toMatchObject({ outcome: 'ok', response: 'a' })
    expect(readAll([delta({ content: 'a' }), 'data: [DONE]'])).toMatchObject({ outcome: 'ok', response: 'a' })
  })
  it('a stream with neither is broken, and so is one that ends inside an event or before the first', () => {
    for (const cut of [[delta({ content: 'a' })], [delta({ content: 'a' }).slice(0, -9)], [''], [': keep-alive\n\n']]) {
      expect(errorOf(cut).kind).toBe('broken')
    }
  })
  it('an incomplete usage event after the finish reason loses only the usage', () => {
    expect(readAll([delta({ content: 'a' }, 'stop'), 'data: {"usage": {"prom'])).toEqual({
      outcome: 'ok',
      response: 'a',
      finishReason: 'stop',
    })
  })
  it('several data lines form one event (HTML standard, 9.2.6)', () => {
    expect(
      readAll(['data: {"choices": [{"delta":\ndata: {"content": "a"},\ndata: "finish_reason": "stop"}]}\n\n']),
    ).toMatchObject({ response: 'a' })
  })
  it('an event of type error is an error, whatever its data', () => {
    expect(errorOf(['event: error\ndata: {"message": "overloaded", "type": "overloaded_error"}\n\n'])).toMatchObject({
      kind: 'refused',
      status: 503,
    })
    expect(errorOf(['event: error\ndata: no luck\n\n']).message).toContain('no luck')
  })
  it('finish_reason "error" alone is an error', () => {
    expect(errorOf([delta({ content: 'a' }, 'error')]).kind).toBe('refused')
  })
  it('an empty finish_reason and a null error are ignored', () => {
    expect(
      readAll([event({ error: null, choices: [{ delta: { content: 'a' }, finish_reason: '' }] }), delta({}, 'stop')]),
    ).toMatchObject({ response: 'a' })
  })
  it('choices other than the first are ignored', () => {
    expect(
      readAll([event({ choices: [{ index: 1, delta: { content: 'b' } }] }), delta({ content: 'a' }, 'stop')]).response,
    ).toBe('a')
  })
  it('a reply has started at the first token of answer, reasoning or call, not at a role or a comment', () => {
    const reader = createReplyReader({ provider: 'test', redact: (text) => text, now: () => 0 })
    reader.read(`: hello\n\n${delta({ role: 'assistant', content: '' })}`)
    expect(reader.hasStarted()).toBe(false)
    reader.read(delta({ reasoning: 'hm' }))
    expect(reader.hasStarted()).toBe(true)
  })
})

describe('outcomes', () => {
  it.each<[finish: string | null, piece: unknown, outcome: AnswerParts['outcome']]>([
    ['stop', { content: 'a' }, 'ok'],
    ['stop', { content: null }, 'empty'],
    ['stop', { content: ' \n' }, 'empty'],
    ['stop', { reasoning: 'hm' }, 'empty'],
    ['stop', { tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '' } }] }, 'ok'],
    ['stop', { refusal: 'No.' }, 'refusal'],
    ['length', { content: 'a' }, 'truncated'],
    ['MAX_TOKENS', { content: '' }, 'truncated'],
    ['content_filter', { content: '' }, 'filtered'],
    ['SAFETY', { content: 'a' }, 'filtered'],
    ['tool_calls', { content: '' }, 'empty'],
  ])('%s with %j is %s', (finish, piece, outcome) => {
    expect(readAll([delta(piece, finish)]).outcome).toBe(outcome)
  })
  it('usage.cost may be a number, a string or (Perplexity) an object; anything else is passed on as it is, never as 0', () => {
    const costOf = (usage: unknown): number | undefined =>
      readAll([delta({ content: 'a' }, 'stop'), event({ choices: [], usage })]).cost
    expect(costOf({ cost: 0.5 })).toBe(0.5)
    expect(costOf({ cost: '0.00012' })).toBe(0.00012)
    expect(costOf({ cost: { total_cost: 0.006 } })).toBe(0.006)
    expect(costOf({ cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } })).toBe(
      0.21000000000000002,
    )
    for (const cost of [undefined, null, '', {}]) expect(costOf({ cost })).toBeUndefined()
    for (const cost of ['free', true, []]) expect(costOf({ cost })).toBeNaN()
    for (const cost of [-1, 1e300]) expect(costOf({ cost })).toBe(cost)
  })
  it('a call may have parsed arguments, no index, or the old function_call format', () => {
    const call = (piece: unknown): unknown => readAll([delta(piece, 'stop')]).toolCalls
    expect(call({ tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] })).toEqual([
      { name: 'f', arguments: { a: 1 } },
    ])
    expect(call({ function_call: { name: 'f', arguments: '{}' } })).toEqual([{ name: 'f', arguments: {} }])
    expect(
      call({
        tool_calls: [
          { id: '1', function: { name: 'f' } },
          { id: '2', function: { name: 'g' } },
        ],
      }),
    ).toHaveLength(2)
  })
  it.each<[name: string, choices: unknown[]]>([
    ['no index', [{}, {}]],
    ['the same index', [{ index: 0 }, { index: 0 }]],
    ['indexes as strings', [{ index: '0' }, { index: '1' }]],
    ['unreadable indexes', [{ index: 'first' }, { index: 'second' }]],
    ['an index only on the second', [{}, { index: 0 }]],
    ['indexes below 0', [{ index: -1 }, { index: -2 }]],
  ])('of several choices with %s, the first is the answer, streamed or not', (_name, [right, wrong]) => {
    const list = (key: string, finish: string | null): unknown => ({
      choices: [
        { ...Object(right), [key]: { content: '42' }, finish_reason: finish },
        { ...Object(wrong), [key]: { content: 'WRONG' }, finish_reason: finish },
      ],
    })
    expect(readAll([JSON.stringify(list('message', 'stop'))]).response).toBe('42')
    expect(readAll([event(list('delta', null)), event(list('delta', 'stop'))]).response).toBe('4242')
  })
  it('choices in another order are told apart by their index, streamed or not', () => {
    const choice = (index: unknown, content: string, key: string, finish: string | null = 'stop') => ({
      index,
      [key]: { content },
      finish_reason: finish,
    })
    expect(
      readAll([JSON.stringify({ choices: [choice(1, 'WRONG', 'message'), choice('0', '42', 'message')] })]).response,
    ).toBe('42')
    const pieces = [choice(2, 'WRONG', 'delta'), choice(0, '4', 'delta', null), choice(1, 'WRONG', 'delta')]
    expect(readAll([...pieces, choice(0, '2', 'delta')].map((piece) => event({ choices: [piece] }))).response).toBe(
      '42',
    )
  })
  it('without indexes, what follows the end of a stream is not joined to it, nor is the whole message sent again', () => {
    const ended = event({ choices: [{ delta: { content: '42' }, finish_reason: 'stop' }] })
    expect(readAll([ended, event({ choices: [{ delta: { content: 'WRONG' } }] })]).response).toBe('42')
    const again = event({ choices: [{ index: 0, message: { content: '42' }, finish_reason: 'stop' }] })
    expect(readAll([delta({ content: '42' }), again]).response).toBe('42')
  })
  it('JSON that is nested too deeply or holds too many values is refused before it is parsed', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const many = `[${'[],'.repeat(1_100_000)}[]]`
    for (const json of [deep, many]) {
      expect(errorOf([`{"choices": ${json}}`])).toMatchObject({ kind: 'broken' })
      expect(errorOf([`data: {"choices": ${json}}\n\n`])).toMatchObject({ kind: 'broken' })
    }
    expect(readAll([delta({ tool_calls: [{ function: { name: 'f', arguments: deep } }] }, 'stop')]).toolCalls).toEqual([
      { name: 'f', arguments: deep },
    ])
    const text = '[{"a": 1}, "\\"] '.repeat(100_000)
    expect(readAll([delta({ content: text }, 'stop')]).response).toBe(text)
  })
  it('tool calls may have any index, and there is a limit to their number', () => {
    const call = (index: number) => ({ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } })
    const calls = [1e9, -3, 0.5].map(call)
    expect(readAll([delta({ tool_calls: calls }, 'stop')]).toolCalls).toHaveLength(3)
    const many = Array.from({ length: 10_001 }, (_, index) => call(index))
    expect(errorOf([delta({ tool_calls: many }, 'stop')])).toMatchObject({ kind: 'broken', retryable: false })
  })
  it('keys like __proto__ are data, and of duplicate keys the last counts', () => {
    const reply =
      '{"__proto__": {"error": "x"}, "choices": [], "choices": [{"message": {"content": "42", "__proto__": {"content": "WRONG"}, "tool_calls": [{"function": {"name": "f", "arguments": {"__proto__": {"polluted": 1}}}}]}, "finish_reason": "stop"}]}'
    const answer = readAll([reply])
    expect(answer.response).toBe('42')
    expect(Object.keys(Object(answer.toolCalls?.[0]?.arguments))).toEqual(['__proto__'])
    expect('polluted' in {}).toBe(false)
  })
  it('arbitrary input throws nothing but a ClientError', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.json().map((json) => `data: ${json}\n\n`),
            fc.string(),
          ),
        ),
        (pieces) => {
          try {
            readAll(pieces)
          } catch (error) {
            expect(error).toBeInstanceOf(ClientError)
          }
        },
      ),
    )
  })
})
