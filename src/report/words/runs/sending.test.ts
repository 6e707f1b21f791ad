import { expect, it } from 'vitest'
import { describeSending, describeSent, describeUnknownCosts, writeSent } from './sending.ts'

it('describeSending counts cells by host, and says what was not sent', () => {
  const hosts = [
    { text: 'Fireworks', cells: 1200 },
    { text: 'DeepInfra', cells: 1 },
  ]
  expect(describeSending([{ modelId: 'a/m', hosts, leftOut: [{ text: 'reasoningEffort, seed', cells: 2 }] }])).toEqual([
    'a/m was served by Fireworks (1,200 cells) and DeepInfra (1 cell); hosts may differ, and MODEL#HOST asks only one of them.',
    'a/m was not sent reasoning effort and seed (2 cells), because it does not support that.',
  ])
  expect(describeSending([{ modelId: 'a/m', hosts: hosts.slice(1) }, { modelId: 'b' }])).toEqual([
    'a/m was served by DeepInfra (1 cell).',
  ])
})

it('describeUnknownCosts says why, only if a cost is unknown', () => {
  expect(describeUnknownCosts([{ modelId: 'a', cost: { unknown: 0 } }])).toBeUndefined()
  expect(describeUnknownCosts([{ modelId: 'a', cost: { unknown: 1 }, medianLatencyMs: 5 }])).toContain(
    'Costs of a are unknown where',
  )
  expect(describeUnknownCosts([{ modelId: 'imported', cost: { unknown: 1 } }])).toBeUndefined()
})

it('describeSent and writeSent tell what happened to one request', () => {
  const cell = { testCaseId: 'a', modelId: 'm', servedBy: 'Groq', leftOut: ['topK'], requestNotes: ['clamped'] }
  expect(describeSent(cell)).toEqual([
    'served by Groq',
    'not sent, because the model does not support it: top k',
    'Clamped',
  ])
  expect(writeSent({ sent: { seed: 1, stop: ['a'] } })).toBe('seed: 1, stop: ["a"]')
})
