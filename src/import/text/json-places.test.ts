import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError, findRepeatedKey } from './json-places.ts'

describe('the place where a text stops being JSON', () => {
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
    ['{"a": 01}', 7],
    ['{"a": 1} {"b": 2}', 9],
    ['{"a": [1}', 8],
    ['{"a": ', 6],
    [']', 0],
    ['', 0],
  ])('in %j is at %d', (text, offset) => expect(findJsonError(text)).toBe(offset))

  it('is nowhere in JSON, and right after it where more follows', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonError(text)).toBeUndefined()
        expect(findJsonError(`${text} ?`)).toBe(text.length + 1)
      }),
    )
  })

  it('agrees with JSON.parse on what is JSON, for texts with one character changed', () => {
    const text = fc.jsonValue().map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '0', 'x', '\n'), (whole, place, put) => {
        const at = place % (whole.length + 1)
        const changed = whole.slice(0, at) + put + whole.slice(at + 1)
        let isJson = true
        try {
          JSON.parse(changed)
        } catch {
          isJson = false
        }
        expect(findJsonError(changed) === undefined).toBe(isJson)
      }),
      { numRuns: 1000 },
    )
  })

  it('is not known in nesting that would overflow the stack of the parser', () => {
    expect(findJsonError(`${'['.repeat(100_000)}x`)).toBeUndefined()
  })
})

const find = (text: string) => findRepeatedKey(text, JSON.parse(text))

describe('findRepeatedKey', () => {
  it.each<[string, string, number]>([
    ['{"a":1,"a":2}', 'a', 7],
    ['{"a":{"b":"\\"a\\":"},"c":[{"d":1},{"d":1,"d":2}]}', 'd', 40],
    ['{"a\\"":1, "a\\u0022":2}', 'a"', 10],
    ['{"__proto__":1,"__proto__":2}', '__proto__', 15],
  ])('%s: %s is repeated', (text, key, offset) => expect(find(text)).toEqual({ key, offset }))
  it('finds none in what is written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(find(JSON.stringify(value, null, 1))).toBeUndefined()
      }),
    )
  })
})
