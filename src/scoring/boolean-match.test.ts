import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { booleanMatch, checkContains } from './boolean-match.ts'

describe('boolean match', () => {
  it.each([
    ['The answer is YES.', 'yes', {}, 1],
    ['The answer is no.', 'yes', {}, 0],
    ['anything', undefined, {}, 1],
    ['', '  ', {}, 1],
    ['Café', 'cafe\u0301', {}, 1],
    ['We are Sorry', 'sorry', { negate: true }, 0],
    ['No can do', 'sorry', { negate: true }, 1],
    ['multi\nline', 'line\n', {}, 1],
  ])('%j against %j with %j scores %d', (response, expected, options, score) => {
    expect(checkContains(response, expected, options).score).toBe(score)
  })
  it('rejects negate without an expected text instead of passing', () => {
    expect(() => checkContains('x', '', { negate: true })).toThrow(
      expect.objectContaining({ code: 'invalid-expected-output' }),
    )
    expect(compileAlone(booleanMatch, undefined, { negate: true }).problems).toHaveLength(1)
    expect(compileAlone(booleanMatch, undefined, {}).problems).toEqual([])
  })
})
