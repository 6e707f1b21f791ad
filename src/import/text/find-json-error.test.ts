import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError } from './find-json-error.ts'

describe('where a text stops being JSON', () => {
  it.each<[string, number]>([
    ['{"a": x}', 6],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['{"a": "open', 6],
    ['{"a": "bad \\x"}', 6],
    ['{"a": tru}', 6],
    ['{"a": 01}', 6],
    ['{"a": 1} {"b": 2}', 9],
    ['{"a": [1}', 8],
    ['{"a": ', 6],
    [']', 0],
    ['', 0],
  ])('of %j is at %d', (text, offset) => expect(findJsonError(text)).toBe(offset))

  it('is the end of what is JSON, and nothing before it is at fault', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonError(text)).toBe(text.length)
        expect(findJsonError(`${text} ?`)).toBe(text.length + 1)
      }),
    )
  })
})
