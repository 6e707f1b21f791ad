import { expect, it } from 'vitest'
import type { Client, ModelAnswer, ModelRequest } from '../contract/index.ts'
import { createLazyClient } from './lazy-client.ts'

const request = (modelId: string): ModelRequest => ({ modelId, messages: [], parameters: {} })
const answer: ModelAnswer = { response: 'yes', outcome: 'ok', latencyMs: 1 }

function countingClient() {
  const asked: string[] = []
  let loads = 0
  const client: Client = {
    provider: 'counted',
    complete({ modelId }) {
      asked.push(modelId)
      return Promise.resolve(answer)
    },
    listModels: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }
  const lazy = createLazyClient('counted', () => {
    loads++
    return Promise.resolve(client)
  })
  return { lazy, asked, loads: () => loads }
}

it('loads the client once, on first use', async () => {
  const { lazy, loads } = countingClient()
  await lazy.close()
  expect(loads()).toBe(0)
  await Promise.all([lazy.complete(request('a')), lazy.complete(request('b')), lazy.listModels()])
  await lazy.complete(request('c'))
  expect(loads()).toBe(1)
})

it('sends the requests that waited for loading in order', async () => {
  const { lazy, asked } = countingClient()
  const names = ['a', 'b', 'c', 'd']
  const answers = names.map((name) => lazy.complete(request(name)))
  expect(await Promise.all(answers)).toEqual(names.map(() => answer))
  expect(asked).toEqual(names)
})

it('sends later requests at once', async () => {
  const { lazy, asked } = countingClient()
  await lazy.complete(request('first'))
  const later = ['a', 'b', 'c'].map((name) => lazy.complete(request(name)))
  await Promise.resolve()
  await Promise.resolve()
  expect(asked).toEqual(['first', 'a', 'b', 'c'])
  await Promise.all(later)
})

it('fails every waiting call when it cannot be loaded', async () => {
  const lazy = createLazyClient('broken', () => Promise.reject(new Error('no such file')))
  const asked = await Promise.allSettled([lazy.complete(request('a')), lazy.complete(request('b')), lazy.listModels()])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await lazy.close()
})
