import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { jsonSchema, validateJson } from './json-schema.ts'
import { createScoring } from './scoring.ts'
import { scoreJob } from './scorers.ts'

const person = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, mail: { type: 'string', format: 'email' } },
}

describe('json schema', () => {
  it.each([
    ['{"name": "Ada"}', 1],
    ['```json\n{"name": "Ada", "mail": "ada@example.org"}\n```', 1],
    ['{"name": 5}', 0],
    ['{}', 0],
    ['{"name": "Ada", "mail": "nobody"}', 0],
    ['no json', 0],
  ])('%j scores %d', (response, score) => expect(validateJson(response, person).score).toBe(score))

  it('reports what does not match', () =>
    expect(validateJson('{"name": 5}', person).notes).toContain('/name must be string'))
  it('uses 2020-12 by default and draft 7 if $schema says so', () => {
    const tuple = { prefixItems: [{ type: 'number' }] }
    expect(validateJson('["a"]', tuple).score).toBe(0)
    const draft7 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'number' }],
      additionalItems: false,
    }
    expect(validateJson('["a"]', draft7).score).toBe(0)
    expect(validateJson('[1]', draft7).score).toBe(1)
  })
  it('rejects an invalid schema when the suite is checked', () => {
    expect(compileAlone(jsonSchema, undefined, { schema: { type: 'strng' } }).problems[0]?.message).toContain(
      'the schema cannot be used',
    )
    expect(compileAlone(jsonSchema, undefined, { schema: { requred: ['a'] } }).problems[0]?.message).toContain(
      'requred',
    )
    expect(compileAlone(jsonSchema, undefined, {}).problems[0]?.path).toEqual(['schema'])
  })
})

describe('onlyJson', () => {
  const testCase = { prompt: '?', scoringMethod: 'json-schema', schema: true, onlyJson: true }
  const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0 })
  it.each([
    ['{"a": 1}', 1],
    [' [1]\n', 1],
    ['Here it is: {"a": 1}', 0],
    ['```json\n{"a": 1}\n```', 0],
    ['', 0],
  ])('%j scores %d', async (response, score) => {
    expect(await scoreResponse(testCase, response)).toMatchObject({ score })
  })
  it('takes tool calls without a text as JSON', async () => {
    expect(await scoreResponse(testCase, { response: '', toolCalls: [{ name: 'f', arguments: {} }] })).toMatchObject({
      score: 1,
    })
  })
})
