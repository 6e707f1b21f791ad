import { expect, it } from 'vitest'
import { describeSimulated } from './models.ts'

it('says once how many of the models are simulated', () => {
  expect(describeSimulated(['demo/good', 'demo/fair'])).toBe(' (simulated)')
  expect(describeSimulated(['demo/good', 'openai/gpt-4o'])).toBe(' (1 simulated)')
  expect(describeSimulated(['openai/gpt-4o'])).toBe('')
})
