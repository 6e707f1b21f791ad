import { describe, expect, it } from 'vitest'
import { readJavaScriptValue, readJavaValue } from './language-values.ts'

/** 3.0 and 3 are different types to the checker, but the same number. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

// The values that BFCL's own converters are tested with: java_type_converter.py and js_type_converter.py in
// berkeley-function-call-leaderboard of https://github.com/ShishirPatil/gorilla.
describe('Java expressions, as BFCL’s converter reads them', () => {
  it.each<[text: string, type: string, itemType: string | undefined, value: unknown]>([
    ['true', 'boolean', undefined, true],
    ['-123', 'integer', undefined, -123],
    ['3.14f', 'float', undefined, 3.14],
    ['3f', 'float', undefined, 3],
    ['3e-3F', 'float', undefined, 0.003],
    ['3.14', 'double', undefined, 3.14],
    ['3.14e2', 'double', undefined, 314],
    ['123L', 'long', undefined, 123],
    ['abc', 'String', undefined, 'abc'],
    ['123', 'any', undefined, '123'],
    ['new int[] { 1, 2, 3 }', 'Array', undefined, [1, 2, 3]],
    ['new int[]{}', 'Array', undefined, []],
    ['new Object[]{1, "abc", true}', 'Array', undefined, [1, 'abc', true]],
    ['new long[]{1L, 2, 3L}', 'Array', 'long', [1, '2', 3]],
    ['new long[]{1L, 2.0, 3L}', 'Array', 'long', [1, '2.0', 3]],
    ['new ArrayList<>(Arrays.asList("a", "b"))', 'ArrayList', undefined, ['a', 'b']],
    ['new ArrayList<Integer>(Arrays.asList(1, 2, 3))', 'ArrayList', 'integer', [1, 2, 3]],
    ['new ArrayList<Float>() {{ add(1.0f); add(2.0f); }}', 'ArrayList', 'float', [1, 2]],
    ["new ArrayList<Character>() {{ add('a'); add('b'); }}", 'ArrayList', 'char', ['a', 'b']],
    ['new ArrayList<>()', 'ArrayList', undefined, []],
    ['new HashMap<String, String>() { { put("key", "value"); } }', 'HashMap', undefined, { key: 'value' }],
    [
      'new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); put("c", true); }}',
      'HashMap',
      undefined,
      { a: 1, b: 'x', c: true },
    ],
    ['new HashMap<>() {{ }}', 'HashMap', undefined, {}],
    // Not of the type: stays text.
    ['true', 'integer', undefined, 'true'],
    ['3.14', 'float', undefined, '3.14'],
    ['3.14f', 'double', undefined, '3.14f'],
    ['123', 'long', undefined, '123'],
  ])('%s as %s of %s', (text, type, itemType, value) => {
    expect(plain(readJavaValue(text, type, itemType))).toEqual(value)
  })
})

describe('JavaScript expressions, as BFCL’s converter reads them', () => {
  it.each<[text: string, type: string, itemType: string | undefined, value: unknown]>([
    ['false', 'Boolean', undefined, false],
    ['-3.14', 'float', undefined, -3.14],
    ['123n', 'Bigint', undefined, 123],
    ['"abc"', 'String', undefined, 'abc'],
    ['abc', 'String', undefined, 'abc'],
    ['[1, 2, 3]', 'array', undefined, [1, 2, 3]],
    ["[1, 'two', true]", 'array', undefined, [1, 'two', true]],
    ['new Array(3.14, "pi", false)', 'array', undefined, [3.14, 'pi', false]],
    ['[1n, 2n, 3n]', 'array', 'Bigint', [1, 2, 3]],
    ['new Array(false, true)', 'array', 'Boolean', [false, true]],
    ['["hello", "world"]', 'array', 'String', ['hello', 'world']],
    [
      ' [ [ 1, 2 ], [ 3,   4], [5, 6]]',
      'array',
      'array',
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      'new Array([1, 2], [3, 4])',
      'array',
      'array',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['[{"key1": 1}, {"key2": 2}]', 'array', 'dict', [{ key1: 1 }, { key2: 2 }]],
    ['[]', 'array', undefined, []],
    ['{}', 'dict', undefined, {}],
    ["{'a': 123, 'b': 'value', 'c': false}", 'dict', undefined, { a: 123, b: 'value', c: false }],
    [
      '{"state": stateObject, "middlewares": ["logger"], "enhancers": ["apply", "mine"]}',
      'dict',
      undefined,
      { state: 'stateObject', middlewares: ['logger'], enhancers: ['apply', 'mine'] },
    ],
    // Not of the type: stays text.
    ['123.45', 'integer', undefined, '123.45'],
    ['123', 'Bigint', undefined, '123'],
    ['not_a_boolean', 'Boolean', undefined, 'not_a_boolean'],
  ])('%s as %s of %s', (text, type, itemType, value) => {
    expect(plain(readJavaScriptValue(text, type, itemType))).toEqual(value)
  })
})
