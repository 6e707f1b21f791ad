import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { compareJson, jsonMatch } from './json-match.ts'

const score = (response: string, expected: unknown, options = {}) =>
  compareJson(response, JSON.stringify(expected), options).score

describe('json match', () => {
  it.each<[string, unknown, object, number]>([
    ['{"a":1,"b":2}', { b: 2, a: 1 }, {}, 1],
    ['{"a":1.0}', { a: 1 }, {}, 1],
    ['{"a":1,"b":3}', { a: 1, b: 2 }, {}, 0.5],
    ['{"a":1}', { a: 1, b: 2 }, {}, 0.5],
    ['{"a":1,"b":2,"c":3}', { a: 1, b: 2 }, {}, 2 / 3],
    ['{"a":1,"b":2,"c":3}', { a: 1, b: 2 }, { allowExtra: true }, 1],
    ['{"a":1,"b":3}', { a: 1, b: 2 }, { partial: false }, 0],
    ['[1,2,3]', [1, 2, 3], {}, 1],
    ['[3,2,1]', [1, 2, 3], {}, 1 / 3],
    ['[3,2,1]', [1, 2, 3], { ignoreOrder: true }, 1],
    ['[1,2,3,4]', [1, 2, 3], {}, 0.75],
    // A greedy choice would leave the second item without a partner.
    [
      '[{"a":1,"b":1,"c":2},{"a":1,"b":3,"c":1}]',
      [
        { a: 1, b: 1, c: 1 },
        { a: 5, b: 1, c: 2 },
      ],
      { ignoreOrder: true },
      2 / 3,
    ],
    ['[]', [], {}, 1],
    ['[1]', [], {}, 0],
    ['{}', {}, {}, 1],
    ['"1"', 1, {}, 0],
    ['true', 1, {}, 0],
    ['null', null, {}, 1],
    ['{"a":{"b":[1,{"c":2}]}}', { a: { b: [1, { c: 3 }] } }, {}, 0.5],
    ['not json', { a: 1 }, {}, 0],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}'), {}, 1],
    ['{}', JSON.parse('{"constructor": 1}'), {}, 0],
  ])('%s against %j with %j scores %d', (response, expected, options, value) => {
    expect(score(response, expected, options)).toBeCloseTo(value, 12)
  })

  it.each([
    ['Sure! Here it is:\n```json\n{"a": 1}\n```\nAnything else?', { a: 1 }],
    ['```\n{"a": 1}', { a: 1 }],
    ['The result is {"a": [1, "}"]} as asked.', { a: [1, '}'] }],
    ['First {"a": 0}, then {"a": 1}', { a: 1 }],
    ['Use { to open: {"a": 1}', { a: 1 }],
  ])('finds the JSON in %j', (response, expected) => expect(score(response, expected)).toBe(1))

  it('leaves values that are too deep unscored instead of crashing', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => compareJson(deep, deep)).toThrow(expect.objectContaining({ code: 'json-too-deep' }))
  })
  it('rejects an expected output that is not JSON', () => {
    expect(compileAlone(jsonMatch, '{a: 1}', {}).problems).toEqual([
      { path: ['expectedOutput'], message: expect.stringContaining('needs JSON'), code: 'invalid-expected-output' },
    ])
  })
  it('scores any JSON value 1 against itself, however it is formatted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(compareJson(text, text, { ignoreOrder: true }).score).toBe(1)
      }),
    )
  })
  it('is between 0 and 1 for any two values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.boolean(), (a, b, ignoreOrder) => {
        const value = score(JSON.stringify(a), b, { ignoreOrder })
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('handles a megabyte of brackets quickly', () => {
    expect(score('['.repeat(1_000_000), [1])).toBe(0)
    expect(score('[x]'.repeat(300_000), [1])).toBe(0)
  })
})
