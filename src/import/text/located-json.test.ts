import fc from 'fast-check'
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import { describe, expect, it } from 'vitest'
import { JsonPlaces } from './json-places.ts'
import { parseLocatedJson } from './located-json.ts'

/** All paths of a value, to objects and lists too. */
function listPaths(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [PropertyKey, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([key, item]) => listPaths(item, [...path, key]))]
}

/** By the YAML parser, which knows where everything stands. */
function locateByYaml(document: Document, path: PropertyKey[]): number | undefined {
  if (path.length === 0) return document.contents?.range?.[0]
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const key = parent.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1))?.key
    return isScalar(key) ? key.range?.[0] : undefined
  }
  const node = document.getIn(path, true)
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? node.range[0]
    : undefined
}

describe('places in JSON', () => {
  it('are those that a YAML parser finds', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), fc.jsonValue()), fc.array(fc.jsonValue())),
        fc.constantFrom(undefined, 2, '\t'),
        (value, indent) => {
          // A tab as indentation is JSON, and no YAML.
          const text = JSON.stringify(value, null, indent)
          const lines = new LineCounter()
          const document = parseDocument(text.replaceAll('\t', ' '), { lineCounter: lines, uniqueKeys: false })
          fc.pre(document.errors.length === 0)
          const places = new JsonPlaces(text)
          for (const path of listPaths(value)) {
            const expected = locateByYaml(document, path)
            fc.pre(expected !== undefined)
            expect(places.find(path)).toBe(expected)
            const { line, col } = lines.linePos(expected)
            expect(places.describe(expected)).toBe(`${line}:${col}`)
          }
        },
      ),
    )
  })

  it('begin with the key, or with the item of a list, whatever the texts hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, ' \r\n\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const places = new JsonPlaces(text)
        for (const path of listPaths(value)) {
          const key = path.at(-1)
          const start =
            typeof key === 'string'
              ? JSON.stringify(key)
              : JSON.stringify(path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value))[0]!
          expect(text.slice(places.find(path)).startsWith(start)).toBe(true)
        }
      }),
    )
  })

  it.each([
    ['a path that continues past the end', ['a', 1, 'x', 'y'], '2:12'],
    ['a name that is not there', ['z'], '1:1'],
    ['a list where a name is asked for', ['a', 'b'], '2:3'],
  ])('are given for %s by the nearest parent', (_name, path, expected) => {
    const text = '{\n  "a": [1, {"b": "]}\\"" }]\n}'
    expect(parseLocatedJson(text, 'f.json')!.locate(path)).toBe(`f.json:${expected}`)
  })

  it('are right at the beginning of a line too', () => {
    const { locate } = parseLocatedJson('{\n"a":\r\n[\n1,\n2]}\n', 'f.json')!
    expect([[], ['a'], ['a', 0], ['a', 1]].map(locate)).toEqual([
      'f.json:1:1',
      'f.json:2:1',
      'f.json:4:1',
      'f.json:5:1',
    ])
  })

  it('refuse a key that is written twice', () => {
    expect(() => parseLocatedJson('{\n "a": 1,\n "a": 2 }', 'f.json')).toThrow(
      'f.json:3:2: the key "a" is written twice',
    )
  })

  it('fall back to the start of the document when the nesting would overflow the stack of the parser', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const text = `{"deep": ${deep}, "after": 1}`
    expect(new JsonPlaces(text).find(['after'])).toBe(0)
    expect(() => parseLocatedJson(text, 'deep.json')).toThrow('deep.json:1:99: is nested deeper than 90 levels')
  })

  it('are found quickly for very many errors', () => {
    const cases = Array.from({ length: 20_000 }, (_, index) => ({ id: `c${index}`, colour: 'red' }))
    const document = parseLocatedJson(JSON.stringify({ testCases: cases }, null, 1), 'many.json')!
    expect(cases.map((_, index) => document.locate(['testCases', index, 'colour'])).at(-1)).toBe(
      `many.json:${3 + 4 * 19_999 + 2}:4`,
    )
  })

  it('keep numbers as written where a suite expects text, and only there', () => {
    const text = `{"name": 2024, "variants": [{"name": 1.0}], "testCases": [
      {"id": 1.50, "prompt": true, "expectedOutput": 1e3, "weight": 1.50, "vars": {"id": 1.50},
       "checks": [{"expectedOutput": -0.10}]}, {"id": "1.50", "prompt": null}]}`
    expect(parseLocatedJson(text, 'f.json')!.value).toEqual({
      name: '2024',
      variants: [{ name: '1.0' }],
      testCases: [
        {
          id: '1.50',
          prompt: 'true',
          expectedOutput: '1e3',
          weight: 1.5,
          vars: { id: 1.5 },
          checks: [{ expectedOutput: '-0.10' }],
        },
        { id: '1.50', prompt: null },
      ],
    })
  })
})
