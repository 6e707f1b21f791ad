import { expect, it } from 'vitest'
import type { Client, ModelAnswer, ModelRequest } from '../../contract/index.ts'
import { createCachedClient, type AnswerCache } from './cached-client.ts'

function setUp(outcome: ModelAnswer['outcome'] = 'ok') {
  let asked = 0
  const client: Client = {
    provider: 'p',
    complete: async ({ modelId }) => ({ outcome, response: `${modelId} ${++asked}`, latencyMs: 9, cost: 0.5 }),
    listModels: async () => [],
    close: async () => {},
  }
  const stored = new Map<string, ModelAnswer>()
  const cache: AnswerCache = {
    get: async (key) => stored.get(key),
    set: async (key, answer) => void stored.set(key, answer),
  }
  const ask = async (changes: Partial<ModelRequest> = {}, repeat = 0) =>
    createCachedClient(client, cache, repeat).complete({
      modelId: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      parameters: { temperature: 0 },
      ...changes,
    })
  return { ask, asked: () => asked }
}

it('answers the same request from the cache, at no cost', async () => {
  const { ask, asked } = setUp()
  expect(await ask()).toMatchObject({ response: 'm 1', cost: 0.5 })
  expect(await ask({ stream: false, firstTokenTimeoutMs: 5 })).toMatchObject({ response: 'm 1', cost: 0 })
  expect(asked()).toBe(1)
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
  const stored = new Map<string, ModelAnswer>()
  const cache: AnswerCache = {
    get: async (key) => stored.get(key),
    set: async (key, answer) => void stored.set(key, JSON.parse(JSON.stringify(answer))),
  }
  const embed = async (modelId: string, texts: string[], repeat = 0) =>
    createCachedClient(client, cache, repeat).complete({ modelId, messages: [], parameters: {}, embed: texts })
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
