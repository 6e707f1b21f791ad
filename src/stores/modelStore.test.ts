import { expect, it } from 'vitest'
import { createModelStore } from './modelStore.ts'

const defaults = {
  temperature: 0.7,
  topP: 1,
  maxTokens: 2048,
  frequencyPenalty: 0,
  presencePenalty: 0,
  benchmarkMode: false,
}

it('starts with the default parameters of the methodology', () => {
  expect(createModelStore().getEffectiveParameters()).toEqual(defaults)
})

it('Benchmark Mode locks temperature and both penalties to 0, and switching it off restores them', () => {
  const store = createModelStore({ temperature: 0.9, presencePenalty: 1 })
  store.setParameters({ frequencyPenalty: 0.5 })
  store.toggleBenchmarkMode()
  expect(store.getEffectiveParameters()).toEqual({ ...defaults, benchmarkMode: true, temperature: 0 })
  expect(store.getParameters().temperature).toBe(0.9)
  store.toggleBenchmarkMode()
  expect(store.getEffectiveParameters()).toEqual({
    ...defaults,
    temperature: 0.9,
    presencePenalty: 1,
    frequencyPenalty: 0.5,
  })
})
