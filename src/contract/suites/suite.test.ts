import { expect, it } from 'vitest'
import { completeParameters, defaultParameters } from '../runs/model-parameters.ts'
import { testCaseSchema } from './suite.ts'

it('adds defaults for missing or undefined parameters, and keeps the others', () => {
  expect(completeParameters()).toEqual(defaultParameters)
  expect(completeParameters({ temperature: 0, maxTokens: undefined })).toEqual({ ...defaultParameters, temperature: 0 })
})

it('parses the fields of a test case into the same order however they are written', () => {
  const written = { weight: 2, scoringMethod: 'boolean', prompt: 'p', id: 'a' }
  expect(JSON.stringify(testCaseSchema.parse(written))).toBe(
    '{"id":"a","prompt":"p","scoringMethod":"boolean","weight":2}',
  )
})
