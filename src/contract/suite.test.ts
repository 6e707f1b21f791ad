import { expect, it } from 'vitest'
import { completeParameters, defaultParameters, testCaseSchema } from './suite.ts'

it('fills parameters that are left out or undefined with defaults, and keeps the rest', () => {
  expect(completeParameters()).toEqual(defaultParameters)
  expect(completeParameters({ temperature: 0, maxTokens: undefined })).toEqual({ ...defaultParameters, temperature: 0 })
})

it('stores the fields of a test case in the same order however it was written', () => {
  const written = { weight: 2, scoringMethod: 'boolean', prompt: 'p', id: 'a' }
  expect(JSON.stringify(testCaseSchema.parse(written))).toBe(
    '{"id":"a","prompt":"p","scoringMethod":"boolean","weight":2}',
  )
})
