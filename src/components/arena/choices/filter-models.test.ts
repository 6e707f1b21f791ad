import type { ListedModel } from '../../../server/settings/model-catalog.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUnlisted, filterModels, listProviders, pricePerMillion } from './filter-models.ts'

const model = (id: string, facts: Partial<ListedModel> = {}): ListedModel => ({
  id,
  provider: id.split('/')[0]!,
  isSimulated: false,
  ...facts,
})
const models = [
  model('openai/gpt-4o', { name: 'GPT-4o', completionPrice: 10e-6, contextLength: 128_000 }),
  model('openai/gpt-4o-mini', { completionPrice: 0.6e-6, contextLength: 128_000 }),
  model('google/gemini-pro', { completionPrice: 5e-6, contextLength: 1_048_576 }),
  model('ollama/llama3'),
]
const ids = (filter: Parameters<typeof filterModels>[1]) => filterModels(models, filter).shown.map(({ id }) => id)

describe('the list of models', () => {
  it('contains the models whose id or name has every word, in any order', () => {
    expect(ids({ search: 'mini 4O' })).toEqual(['openai/gpt-4o-mini'])
    expect(ids({ search: '  ' })).toHaveLength(4)
    expect(ids({ search: 'gpt-4o.' })).toEqual([])
  })
  it('is filtered by provider, price and context; models with unknown values are hidden and counted', () => {
    expect(ids({ provider: 'openai' })).toEqual(['openai/gpt-4o', 'openai/gpt-4o-mini'])
    expect(ids({ maxPrice: 5 })).toEqual(['google/gemini-pro', 'openai/gpt-4o-mini'])
    expect(filterModels(models, { maxPrice: 5 }).hiddenUnknown).toBe(1)
    expect(ids({ minContext: 200_000 })).toEqual(['google/gemini-pro'])
    expect(filterModels(models, { search: 'gpt', maxPrice: 5 }).hiddenUnknown).toBe(0)
  })
  it('sorts numbers in names numerically: model-2 before model-10', () => {
    expect(filterModels([model('a/model-10'), model('a/model-2')], {}).shown[0]!.id).toBe('a/model-2')
  })
  it('is sorted by name, by lowest price or by longest context, unknown last', () => {
    expect(ids({})[0]).toBe('google/gemini-pro')
    expect(ids({ sort: 'price' })).toEqual([
      'openai/gpt-4o-mini',
      'google/gemini-pro',
      'openai/gpt-4o',
      'ollama/llama3',
    ])
    expect(ids({ sort: 'context' })).toEqual([
      'google/gemini-pro',
      'openai/gpt-4o',
      'openai/gpt-4o-mini',
      'ollama/llama3',
    ])
  })
  it('never shows a model above the price limit, and does not change the input', () => {
    const listed = fc.array(
      fc.record({ price: fc.option(fc.double({ min: 0, max: 1e-4, noNaN: true }), { nil: undefined }) }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(
        listed,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.constantFrom('name', 'price', 'context'),
        (prices, maxPrice, sort) => {
          const input = prices.map(({ price }, index) => model(`p/${index}`, { completionPrice: price }))
          const before = input.map(({ id }) => id)
          const { shown, hiddenUnknown } = filterModels(input, { maxPrice, sort })
          expect(shown.every(({ completionPrice }) => pricePerMillion(completionPrice)! <= maxPrice)).toBe(true)
          expect(hiddenUnknown).toBe(prices.filter(({ price }) => price === undefined).length)
          expect(input.map(({ id }) => id)).toEqual(before)
        },
      ),
    )
  })
  it('lists its providers', () => expect(listProviders(models)).toEqual(['google', 'ollama', 'openai']))
})

describe('a model that no server lists', () => {
  const listed = [{ id: 'local/small' }]
  it('can be used by its full id', () => {
    expect(readUnlisted(' local/tiny ', listed, [])).toBe('local/tiny')
    expect(readUnlisted('hf.co/unsloth/Qwen3:Q4_K_M', listed, [])).toBe('hf.co/unsloth/Qwen3:Q4_K_M')
  })
  it('is none if it is listed, chosen, half-typed or a search', () => {
    expect(readUnlisted('local/small', listed, [])).toBeUndefined()
    expect(readUnlisted('local/tiny', listed, ['local/tiny'])).toBeUndefined()
    for (const text of ['', 'tiny', 'local/', '/tiny', 'local/tiny model', 'local/a/', `a/${'b'.repeat(300)}`])
      expect(readUnlisted(text, listed, []), text).toBeUndefined()
  })
})
