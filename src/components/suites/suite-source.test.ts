import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSuite } from '../../import/suite-files/read-yaml.ts'
import { readSource, writeSource } from './suite-source.ts'

const yaml = `name: S
testCases:
  - id: a
    prompt: p
    weight: 0
  - id: b
    expectedOutput: 1.50
`

describe('a suite as YAML', () => {
  it('survives a round trip, including unknown fields', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('1.50', 'yes', 'null', '~', '- x', '{{name}}', ' lead', 'a: b', '0x1F', 'line\nbreak\n', '\t'),
    )
    const json = fc.jsonValue({ maxDepth: 2 })
    const suite = fc.record({
      name: text,
      extra: fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        json,
      ),
      testCases: fc.array(fc.record({ id: text, prompt: text, expectedOutput: text, unknown: json }), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(suite, (before) => {
        const plain: typeof before = JSON.parse(JSON.stringify(before))
        const read = readSource(writeSource(plain))
        expect('suite' in read ? read.suite : read).toEqual(plain)
      }),
    )
  })

  it('is read like a suite file: numbers in text fields stay as written', () => {
    const source =
      'name: 2024\ntestCases:\n  - { id: 007, prompt: p, scoringMethod: exact-match, expectedOutput: 1.50 }\n'
    const read = readSource(source)
    const { suite } = parseSuite(source, 'suite.yaml')
    expect('suite' in read && read.suite).toMatchObject({
      name: suite.name,
      testCases: [{ id: suite.testCases[0]!.id, expectedOutput: suite.testCases[0]!.expectedOutput }],
    })
    expect(suite.testCases[0]!.expectedOutput).toBe('1.50')
  })

  it('locates a field or its nearest parent', () => {
    const read = readSource(yaml)
    if (!('locate' in read)) throw new Error(read.error)
    expect(read.locate(['testCases', 0, 'weight'])).toEqual({ line: 5, column: 5 })
    expect(read.locate(['testCases', 1, 'prompt'])).toEqual({ line: 6, column: 5 })
    expect(read.locate(['description'])).toEqual({ line: 1, column: 1 })
  })

  it.each([
    ['name: "x', 1, 9],
    ['name: x\nname: y', 2, 1],
    ['- a', 1, 1],
    ['name: x\ntestCases: 5', 2, 1],
    ['name: x\ntestCases:\n  - 5', 3, 5],
    ['', 1, 1],
  ])('rejects %j at line %i, column %i', (source, line, column) => {
    expect(readSource(source)).toEqual({ error: expect.any(String), place: { line, column } })
  })

  it('rejects an alias bomb', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'
        .split('')
        .map(
          (name, index) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefg'[index]}`).join(', ')}]`,
        ),
    ].join('\n')
    expect(readSource(bomb)).toHaveProperty('error')
  })
})
