import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { scorers } from '../scorers.ts'
import { suiteJsonSchema } from './suite-json-schema.ts'

const pageCase = (step: object) => ({
  scoringMethod: 'page-tests',
  pageTests: [{ name: 'Saves', steps: [step, { expect: { of: '#a', text: { contains: 'Saved' } } }] }],
})
const validate = new Ajv2020({ strict: false }).compile(suiteJsonSchema())
const suite = (testCase: object) => ({ name: 'S', testCases: [{ id: 'a', prompt: '?', ...testCase }] })

describe('the JSON Schema of a suite', () => {
  it.each([
    [{ scoringMethod: 'exact-match', expectedOutput: 'x' }, true],
    [{ scoringMethod: 'exact-match', expectedOutput: 42, partial: false }, true],
    [{ scoringMethod: 'exact-match' }, false],
    [{ scoringMethod: 'exact-match', expectedOutput: 'x', partial: 'no' }, false],
    [{ scoringMethod: 'vibes', expectedOutput: 'x' }, false],
    [{ scoringMethod: 'numeric-tolerance', expectedOutput: '5', tolerance: -1 }, false],
    [{ scoringMethod: 'json-schema' }, false],
    [{ checks: [{ scoringMethod: 'boolean' }] }, true],
    [{ checks: [{ scoringMethod: 'regex-match' }] }, false],
    [{ scoringMethod: 'boolean', weight: 0 }, false],
    [{ checks: [{ scoringMethod: 'group', checks: [{ scoringMethod: 'boolean' }], passAt: 0.5 }] }, true],
    [{ checks: [{ scoringMethod: 'group', checks: [{ scoringMethod: 'regex-match' }] }] }, false],
    [{ checks: [{ scoringMethod: 'group', checks: [{ scoringMethod: 'group', checks: [] }] }] }, false],
    [{ scoringMethod: 'group' }, false],
    [{ scoringMethod: 'similar', expectedOutput: 'x', embeddingModel: 'm', metric: 'dot' }, true],
    [{ scoringMethod: 'similar', expectedOutput: 'x', metric: 'manhattan' }, false],
    [pageCase({ click: { role: 'button', text: 'Save' }, times: 2 }), true],
    [pageCase({ clik: '#save' }), false],
  ])('%j is valid: %s', (testCase, isValid) => expect(validate(suite(testCase))).toBe(isValid))

  it('describes every method', () => {
    const text = JSON.stringify(suiteJsonSchema())
    for (const { summary } of scorers) expect(text).toContain(JSON.stringify(summary).slice(1, -1))
  })
})
