import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientError, toMoney, type ModelAnswer, type ModelRequest } from '../../contract/index.ts'
import { checkAnswer } from './check-answer.ts'

const request: ModelRequest = {
  modelId: 'm',
  messages: [{ role: 'user', content: 'What is 6 × 7?' }],
  parameters: { maxTokens: 100 },
}
const price = { prompt: 1e-6, completion: 2e-6 }
const given: ModelAnswer = { outcome: 'ok', response: '42', latencyMs: 5 }
const check = (more: object, asked: { price?: typeof price; request?: ModelRequest } = {}) =>
  checkAnswer({ ...given, ...more }, { request, latencyMs: 7, price: undefined, ...asked })

describe('usage', () => {
  it('that is possible is kept, and priced unless the provider reports a cost', () => {
    const usage = { promptTokens: 12, completionTokens: 3 }
    expect(check(usage)).toEqual({ answer: { ...given, ...usage }, cost: undefined })
    expect(check(usage, { price }).cost).toBe(toMoney(18e-6))
    expect(check({ ...usage, cost: 0.5 }, { price }).cost).toBe(toMoney(0.5))
    expect(check({ cost: 0 }).cost).toBe(0n)
  })
  it.each([
    { cost: 1e9 },
    { cost: 1e300 },
    { cost: 1001 },
    { cost: -0.01 },
    { cost: Number.NaN },
    { cost: Infinity },
    { cost: '0.5' },
    { promptTokens: 9e18 },
    { promptTokens: 1.5 },
    { promptTokens: -1 },
    { promptTokens: 300_000 },
    { completionTokens: 1e7 },
    { completionTokens: Number.NaN },
    { completionTokens: {} },
    { completionTokens: Object.create(null) },
  ])('%j is left out with a note, and the rest of it too', (wrong) => {
    for (const asked of [{}, { price }]) {
      const { answer, cost } = check({ promptTokens: 12, completionTokens: 3, cost: 0.001, ...wrong }, asked)
      expect(cost).toBeUndefined()
      expect(answer).toEqual({
        ...given,
        notes: [
          expect.stringMatching(/^Usage left out, so the cost is unknown: (?:cost|prompt tokens|completion tokens) /),
        ],
      })
    }
  })
  it('has parts that are priced apart; impossible parts are left out and the whole is priced as usual', () => {
    const usage = { promptTokens: 12, completionTokens: 3 }
    const cached = { ...price, cachedPrompt: 0.5e-6 }
    const tokenDetails = { cachedPrompt: 8, reasoning: 3, cacheWrite: 0 }
    expect(check({ ...usage, tokenDetails }, { price: cached })).toEqual({
      answer: { ...given, ...usage, tokenDetails: { cachedPrompt: 8, reasoning: 3 } },
      cost: toMoney(14e-6),
    })
    for (const wrong of [
      { cachedPrompt: 13 },
      { cacheWrite: 6, cachedPrompt: 7 },
      { reasoning: 4 },
      { reasoning: -1 },
      'x',
      null,
    ]) {
      const { answer, cost } = check({ ...usage, tokenDetails: wrong }, { price: cached })
      expect(answer).toEqual({ ...given, ...usage })
      expect(cost).toBe(toMoney(18e-6))
    }
  })
  it('may be as large as the request: a long prompt, a long answer, many tokens allowed', () => {
    const long = 'x'.repeat(400_000)
    const longRequest = { ...request, messages: [{ role: 'user' as const, content: long }] }
    expect(check({ promptTokens: 400_000 }, { request: longRequest }).answer.promptTokens).toBe(400_000)
    expect(check({ promptTokens: 700_000 }, { request: longRequest }).answer.promptTokens).toBeUndefined()
    expect(check({ response: long, completionTokens: 400_000 }).answer.completionTokens).toBe(400_000)
    const allowed = { ...request, parameters: { maxTokens: 1_000_000 } }
    expect(check({ completionTokens: 1_000_000 }, { request: allowed }).answer.completionTokens).toBe(1_000_000)
  })
  it('cannot cost more than its most tokens at a known price, and a little more for fees', () => {
    expect(check({ cost: 1.2 }, { price }).cost).toBe(toMoney(1.2))
    expect(check({ cost: 3 }, { price }).cost).toBeUndefined()
    expect(check({ cost: 3 }).cost).toBe(toMoney(3))
  })
  it('that is null is absent', () => expect(check({ promptTokens: null, cost: null }).answer).toEqual(given))
})

describe('an answer', () => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  let deep: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  it.each([
    ['a response that is no text', { response: 5 }],
    ['more than 32 Mi characters', { response: 'x'.repeat(32 * 1024 * 1024 + 1) }],
    ['tool calls that are no list', { toolCalls: 'none' }],
    ['a tool call without a name', { toolCalls: [{ arguments: {} }] }],
    ['circular arguments', { toolCalls: [{ name: 'f', arguments: circular }] }],
    ['arguments nested 100,000 deep', { toolCalls: [{ name: 'f', arguments: deep }] }],
    ['arguments that JSON cannot hold', { toolCalls: [{ name: 'f', arguments: 1n }] }],
  ])('with %s is an error that is not retried', (_name, wrong) => {
    expect(() => check(wrong)).toThrow(ClientError)
    try {
      check(wrong)
    } catch (error) {
      expect(error).toMatchObject({ kind: 'broken', retryable: false })
    }
  })
  it('gets the measured latency if its own is impossible', () => {
    for (const latencyMs of [-1, Number.NaN, Infinity, 1e300, '5'])
      expect(check({ latencyMs, firstTokenMs: latencyMs }).answer).toEqual({ ...given, latencyMs: 7 })
  })
  it('whose numbers are arbitrary is kept, and what is kept can be stored', () => {
    const anything = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.anything())
    const fields = ['promptTokens', 'completionTokens', 'cost', 'latencyMs', 'firstTokenMs', 'finishReason', 'leftOut']
    fc.assert(
      fc.property(fc.record(Object.fromEntries(fields.map((name) => [name, anything]))), (wrong) => {
        const { answer, cost } = check(wrong, { price })
        expect(answer.response).toBe('42')
        for (const value of [answer.promptTokens, answer.completionTokens])
          expect(value === undefined || (Number.isSafeInteger(value) && value >= 0)).toBe(true)
        expect(cost === undefined || (cost >= 0n && cost <= toMoney(1000))).toBe(true)
        expect(answer.cost === undefined || (answer.cost >= 0 && answer.cost <= 1000)).toBe(true)
        expect(Number.isFinite(answer.latencyMs)).toBe(true)
      }),
    )
  })
})

describe('embeddings', () => {
  const embedding = (...texts: string[]): ModelRequest => ({ modelId: 'm', messages: [], parameters: {}, embed: texts })

  it('are kept if there is one of the same length for each text', () => {
    const embeddings = [
      [1, 2],
      [3, 4],
    ]
    expect(check({ embeddings }, { request: embedding('a', 'b') }).answer.embeddings).toEqual(embeddings)
    expect(check({ embeddings }).answer).not.toHaveProperty('embeddings')
  })
  it.each([
    [undefined, /no embeddings/],
    [{ 0: [1] }, /no embeddings/],
    [[[1]], /1 embeddings for 2 texts/],
    [[[1], []], /empty/],
    [[[1], 'AAAA'], /empty/],
    [[[1], [1, 2]], /differ in length: 1 and 2/],
    [[[1], ['1']], /finite numbers/],
    [[[1], [Infinity]], /finite numbers/],
    [[[1], [null]], /finite numbers/],
    [[[1], Array.from({ length: 100_001 }, () => 0)], /more than 100000/],
  ])('%j cannot be used', (embeddings, message) => {
    expect(() => check({ embeddings }, { request: embedding('a', 'b') })).toThrow(message)
    expect(() => check({ embeddings }, { request: embedding('a', 'b') })).toThrow(ClientError)
  })
  it('are usable or refused, whatever a client returns', () => {
    fc.assert(
      fc.property(fc.anything(), (embeddings) => {
        try {
          const { answer } = check({ embeddings }, { request: embedding('a') })
          expect(answer.embeddings).toHaveLength(1)
          expect(answer.embeddings![0]!.every(Number.isFinite)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(ClientError)
        }
      }),
    )
  })
})
