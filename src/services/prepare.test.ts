import { describe, expect, it } from 'vitest'
import { runRequestSchema, type Client, type Suite } from '../contract/index.ts'
import { prepareRun } from './prepare.ts'
import type { Connections } from './run-tools.ts'

const suite: Suite = {
  name: 'Sums',
  testCases: [{ id: 'a', prompt: '1 + 1?', scoringMethod: 'exact-match', expectedOutput: '2', weight: 1 }],
}
const price = { prompt: 0.001, completion: 0.002 }

/** The provider of a model is what stands before its slash. */
function prepare(models: string[], readPrices: Connections['readPrices'], more: { maxCost?: number } = {}) {
  const clientOf = (modelId: string): Client => ({
    provider: modelId.split('/')[0]!,
    complete: () => Promise.reject(new Error('not asked here')),
    listModels: () => Promise.reject(new Error('not asked here')),
    close: async () => {},
  })
  const request = runRequestSchema.parse({ suiteId: 's', models, judgeModelIds: [], ...more })
  return prepareRun(request, suite, { connect: () => ({ clientOf, readPrices }) })
}

describe('the prices of a run without a budget', () => {
  it('are those that its providers list', async () => {
    const { prices } = await prepare(['mine/a', 'yours/b'], async (models) => new Map(models.map((id) => [id, price])))
    expect(Object.fromEntries(prices)).toEqual({ 'mine/a': price, 'yours/b': price })
  })
  it('are unknown for a provider that cannot list them, and known for the others', async () => {
    const { prices, unknownPrices, problems } = await prepare(['mine/a', 'yours/b'], async (models) => {
      if (models.includes('mine/a')) throw new Error('no such page')
      return new Map(models.map((id) => [id, price]))
    })
    expect([...prices.keys()]).toEqual(['yours/b'])
    expect(unknownPrices).toEqual(['mine/a'])
    expect(problems).toEqual([])
  })
  it('are not asked of vendors that list none', async () => {
    const asked: (readonly string[])[] = []
    await prepare(['openai/a', 'anthropic/b', 'google/c', 'ollama/d'], async (models) => {
      asked.push(models)
      return new Map()
    })
    expect(asked.flat()).toEqual([])
  })
  it('that are slow to come do not delay the run by more than two seconds, and are used once they are there', async () => {
    const { promise, resolve } = Promise.withResolvers<Map<string, typeof price>>()
    const startedAt = performance.now()
    const { prices } = await prepare(['mine/a'], (models) =>
      models.length === 0 ? Promise.resolve(new Map()) : promise,
    )
    expect(performance.now() - startedAt).toBeLessThan(4000)
    expect(prices.size).toBe(0)
    resolve(new Map([['mine/a', price]]))
    await promise
    await Promise.resolve()
    expect(prices.get('mine/a')).toEqual(price)
  })
})

it('with a budget, a list that cannot be read is an error', async () => {
  const failing = () => Promise.reject(new Error('no such page'))
  await expect(prepare(['mine/a'], failing, { maxCost: 1 })).rejects.toThrow('no such page')
})
