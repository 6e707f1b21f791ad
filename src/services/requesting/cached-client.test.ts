import { expect, it } from 'vitest'
import type { Client, ModelAnswer, ModelRequest } from '../../contract/index.ts'
import fc from 'fast-check'
import { createCachedClient, cacheKeyOf, type AnswerCache } from './cached-client.ts'

function setUp(outcome: ModelAnswer['outcome'] = 'ok') {
  let asked = 0
  const client: Client = {
    provider: 'p',
    complete: async ({ modelId }) => ({ outcome, response: `${modelId} ${++asked}`, latencyMs: 9, cost: 0.5 }),
    listModels: async () => [],
    close: async () => {},
  }
  let time = 1000
  const stored = new Map<string, { answer: ModelAnswer; at: number }>()
  const cache: AnswerCache = {
    get: async (key) => stored.get(key),
    set: async (key, answer) => void stored.set(key, { answer, at: time }),
  }
  const ask = async (changes: Partial<ModelRequest> = {}, repeat = 0, maxAgeMs?: number) =>
    createCachedClient(client, cache, { repeat, maxAgeMs, now: () => time }).complete({
      modelId: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      parameters: { temperature: 0 },
      ...changes,
    })
  return { ask, asked: () => asked, wait: (ms: number) => void (time += ms) }
}

it('answers the same request from the cache, at no cost, and says when the model answered', async () => {
  const { ask, asked, wait } = setUp()
  const first = await ask()
  expect(first).toMatchObject({ response: 'm 1', cost: 0.5 })
  expect(first).not.toHaveProperty('cachedAt')
  wait(50)
  expect(await ask({ stream: false, firstTokenTimeoutMs: 5 })).toMatchObject({
    response: 'm 1',
    cost: 0,
    cachedAt: 1000,
    latencyMs: 9,
  })
  expect(asked()).toBe(1)
})
it('a judge who fences the same answer with another mark asks the same request', async () => {
  const { ask, asked } = setUp()
  const fence = (text: string, mark: string) => ({
    messages: [{ role: 'user' as const, content: `<${mark}>${text}</${mark}>` }],
    mark,
  })
  expect(await ask(fence('A', 'k3j2'))).toMatchObject({ response: 'm 1' })
  expect(await ask(fence('A', 'zz91'))).toMatchObject({ response: 'm 1', cost: 0 })
  expect(await ask(fence('B', 'zz91'))).toMatchObject({ response: 'm 2' })
  expect(asked()).toBe(2)
})
it('asks again for what is older than the maximum age, and caches the new answer', async () => {
  const { ask, wait } = setUp()
  await ask()
  wait(50)
  expect(await ask({}, 0, 50)).toMatchObject({ response: 'm 1' })
  wait(1)
  expect(await ask({}, 0, 50)).toMatchObject({ response: 'm 2', cost: 0.5 })
  expect(await ask({}, 0, 50)).toMatchObject({ response: 'm 2', cost: 0, cachedAt: 1051 })
})

const anyText = fc.string({ unit: 'binary', maxLength: 8 })
const schema = fc.dictionary(fc.constantFrom('type', 'a', 'b', '__proto__'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
})
const request: fc.Arbitrary<ModelRequest> = fc.record(
  {
    modelId: anyText,
    messages: fc.array(
      fc.record({ role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const), content: anyText }),
      { maxLength: 3 },
    ),
    parameters: fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        topP: fc.double({ min: 0, max: 1, noNaN: true }),
        maxTokens: fc.nat(),
        seed: fc.nat(),
      },
      { requiredKeys: [] },
    ),
    tools: fc.array(fc.record({ name: anyText, description: anyText, parameters: schema }), {
      minLength: 1,
      maxLength: 2,
    }),
    responseSchema: fc.record({ name: anyText, schema }),
  },
  { requiredKeys: ['modelId', 'messages', 'parameters'] },
)
const place = fc.record({ provider: anyText, address: anyText }, { requiredKeys: ['provider'] })

it('has one key for equal requests, whatever the order of their fields, and different keys for different ones', () => {
  fc.assert(
    fc.property(request, request, place, place, fc.nat(3), fc.nat(3), (one, two, here, there, first, second) => {
      // What is sent, as JSON: the order inside a schema is part of it.
      const sent = (given: ModelRequest, { provider, address = '' }: typeof here, repeat: number) => {
        const { temperature, topP, maxTokens, seed } = given.parameters as Record<string, number | undefined>
        const { modelId, messages, tools, responseSchema } = given
        const said = messages.map(({ role, content }) => [role, content])
        const parts = [modelId, said, temperature, topP, maxTokens, seed, tools, responseSchema]
        return JSON.stringify([provider, address === '' ? [address] : address, repeat, parts])
      }
      const isSame = sent(one, here, first) === sent(two, there, second) && 'address' in here === 'address' in there
      expect(cacheKeyOf(one, here, first) === cacheKeyOf(two, there, second)).toBe(isSame)
      const reversed = Object.fromEntries(Object.entries(one).toReversed()) as unknown as ModelRequest
      reversed.parameters = Object.fromEntries(Object.entries(one.parameters).toReversed())
      expect(cacheKeyOf({ ...reversed, stream: false, idleTimeoutMs: 3 }, here, first)).toBe(
        cacheKeyOf(one, here, first),
      )
    }),
    { numRuns: 300 },
  )
})
it('changes its key with every field of the request, of the place and of the run', () => {
  const change = fc.constantFrom<(given: ModelRequest) => ModelRequest>(
    (given) => ({ ...given, modelId: `${given.modelId}x` }),
    (given) => ({ ...given, messages: [...given.messages, { role: 'user', content: '' }] }),
    (given) => ({ ...given, parameters: { ...given.parameters, temperature: 3 } }),
    (given) => ({ ...given, parameters: { ...given.parameters, presencePenalty: 0 } }),
    (given) => ({ ...given, tools: [...(given.tools ?? []), { name: 'x', parameters: {} }] }),
    (given) => ({ ...given, responseSchema: { name: `${given.responseSchema?.name}x`, schema: {} } }),
  )
  fc.assert(
    fc.property(request, change, place, fc.nat(), (given, alter, where, repeat) => {
      const key = cacheKeyOf(given, where, repeat)
      const keys = [
        key,
        cacheKeyOf(alter(given), where, repeat),
        cacheKeyOf(given, { ...where, provider: `${where.provider}x` }, repeat),
        cacheKeyOf(given, { ...where, address: `${where.address}x` }, repeat),
        cacheKeyOf(given, where, repeat + 1),
      ]
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 200 },
  )
})
it('treats another model, prompt, parameter or repeat as another request', async () => {
  const { ask, asked } = setUp()
  await ask()
  await ask({ modelId: 'n' })
  await ask({ messages: [{ role: 'user', content: 'Ho' }] })
  await ask({ parameters: { temperature: 1 } })
  await ask({}, 1)
  expect(asked()).toBe(5)
})
it('does not cache an incomplete answer', async () => {
  const { ask, asked } = setUp('truncated')
  await ask()
  await ask()
  expect(asked()).toBe(2)
})

it('keeps embeddings by text, for all runs of a series, and asks only for those it lacks', async () => {
  const asked: (readonly string[])[] = []
  let isBroken = true
  const client: Client = {
    provider: 'p',
    async complete({ embed = [] }) {
      asked.push(embed)
      const embeddings = embed.map((text) => (isBroken ? [Number.NaN] : [text.length, 1]))
      return { outcome: 'ok', response: '', embeddings, latencyMs: 9, cost: 0.5, promptTokens: embed.length }
    },
    listModels: async () => [],
    close: async () => {},
  }
  const stored = new Map<string, { answer: ModelAnswer; at: number }>()
  const cache: AnswerCache = {
    get: async (key) => stored.get(key),
    set: async (key, answer) => void stored.set(key, { answer: JSON.parse(JSON.stringify(answer)), at: 0 }),
  }
  const embed = async (modelId: string, texts: string[], repeat = 0) =>
    createCachedClient(client, cache, { repeat, now: () => 0 }).complete({
      modelId,
      messages: [],
      parameters: {},
      embed: texts,
    })
  await expect(embed('m', ['a', 'bb'])).rejects.toThrow('finite numbers')
  expect(stored.size).toBe(0)
  isBroken = false
  const a = [1, 1]
  const bb = [2, 1]
  expect(await embed('m', ['a', 'bb', 'a'])).toMatchObject({ embeddings: [a, bb, a], cost: 0.5 })
  expect(await embed('m', ['bb', 'ccc'], 3)).toMatchObject({ embeddings: [bb, [3, 1]], promptTokens: 1, cost: 0.5 })
  expect(await embed('m', ['ccc', 'a'])).toMatchObject({ embeddings: [[3, 1], a], promptTokens: 0, cost: 0 })
  await embed('other', ['a'])
  expect(asked).toEqual([['a', 'bb'], ['a', 'bb', 'a'], ['ccc'], ['a']])
})
