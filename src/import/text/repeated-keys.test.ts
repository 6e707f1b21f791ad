import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { findRepeatedKey } from './repeated-keys.ts'

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
