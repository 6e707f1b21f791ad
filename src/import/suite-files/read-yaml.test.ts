import { describe, expect, it } from 'vitest'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSuite } from './read-yaml.ts'
import { importSuite } from './recognise-suite.ts'

const parse = (text: string) => parseSuite(text, 'suite.yaml')
const oneCase = (lines: string) => `name: S\ntestCases:\n  - id: a\n    prompt: '?'\n${lines.replace(/^/gm, '    ')}\n`

describe('a suite file', () => {
  it('is read from YAML and from JSON alike', () => {
    const fromYaml = parse(oneCase('scoringMethod: exact-match\nexpectedOutput: x')).suite
    const fromJson = parse(
      '{"name": "S", "testCases": [{"id": "a", "prompt": "?", "scoringMethod": "exact-match", "expectedOutput": "x"}]}',
    ).suite
    expect(fromYaml).toEqual(fromJson)
    expect(fromYaml.testCases[0]?.weight).toBe(1)
  })
  it('needs neither a name nor ids: it is called like its file, and its cases are counted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-names-'))
    try {
      const path = join(folder, 'prices.yaml')
      await writeFile(
        path,
        'testCases:\n  - prompt: 80 to 92?\n    expectedOutput: 15\n    scoringMethod: numeric-tolerance\n',
      )
      const { suite } = await importSuite(path)
      expect(suite).toMatchObject({ name: 'prices', testCases: [{ id: 'case-1', expectedOutput: '15' }] })
    } finally {
      await rm(folder, { recursive: true })
    }
    expect(parseSuite('testCases: [{ prompt: x, scoringMethod: boolean, expectedOutput: yes }]', '-').suite.name).toBe(
      'Suite',
    )
  })
  it('keeps an expected number as it was written: 1.50 is not 1.5', () => {
    const expectedOf = (value: string) =>
      parse(oneCase(`scoringMethod: exact-match\nexpectedOutput: ${value}`)).suite.testCases[0]?.expectedOutput
    expect(expectedOf('1.50')).toBe('1.50')
    expect(expectedOf('007')).toBe('007')
    expect(expectedOf('0x1F')).toBe('0x1F')
    expect(expectedOf('1e3')).toBe('1e3')
    expect(expectedOf('true')).toBe('true')
    expect(expectedOf('yes')).toBe('yes')
  })
  it('does so in JSON too, and finds the place of a fault there', () => {
    const json = (fields: string) => `{"name": 5,\n "testCases": [{"id": 7, "prompt": "?",\n  ${fields}}]}`
    const { suite } = parse(json('"scoringMethod": "exact-match", "expectedOutput": 1.50'))
    expect([suite.name, suite.testCases[0]?.id, suite.testCases[0]?.expectedOutput]).toEqual(['5', '7', '1.50'])
    const [nested] = parse(json('"scoringMethod": "json-match", "expectedOutput": {"id": 1.50}')).suite.testCases
    expect(nested?.expectedOutput).toBe('{"id":1.5}')
    expect(() => parse(json('"scoringMethod": "vibes", "expectedOutput": 1'))).toThrow(/^suite\.yaml:3:3: /)
  })
  it('leaves numbers and truth values inside an expected object as they are', () => {
    const [testCase] = parse(oneCase('scoringMethod: json-match\nexpectedOutput: { id: 5, name: true }')).suite
      .testCases
    expect(testCase?.expectedOutput).toBe('{"id":5,"name":true}')
  })
  it('names file, line and column of what is wrong', () => {
    expect(() => parse(oneCase('scoringMethod: exact-match\nexpectedOutput: x\nweight: -1'))).toThrow(
      /^suite\.yaml:7:5: testCases\[0\]\.weight: must be greater than 0$/,
    )
    expect(() => parse(oneCase('scoringMethod: regex-match\nexpectedOutput: "(a"'))).toThrow(
      /^suite\.yaml:6:5: .*bad pattern \(a/,
    )
    expect(() =>
      parse('{"name": "S",\n "testCases": [{"id": "a", "prompt": "?",\n  "scoringMethod": "vibes"}]}'),
    ).toThrow(/^suite\.yaml:3:3: testCases\[0\]\.scoringMethod: there is no scoring method "vibes"/)
  })
  it('a field that is missing is placed at its nearest parent', () => {
    expect(() => parse(oneCase('scoringMethod: exact-match'))).toThrow(
      /^suite\.yaml:3:5: testCases\[0\]\.expectedOutput: exact-match needs/,
    )
  })
  it.each([
    ['', /must be an object/],
    ['name: [', /^suite\.yaml:1:8: /],
    ['name: S\nname: T', /unique/],
    ['{"name": "S", "testCases": [', /suite\.yaml:1:/],
    ['a: &a [x]\nb: [*a', /suite\.yaml/],
    ['- 1', /must be an object/],
  ])('%j is refused', (text, message) => expect(() => parse(text)).toThrow(message))

  it('refuses an alias bomb without expanding it', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`,
    )
    expect(() => parse(`l0: &l0 x\n${levels.join('\n')}\nname: *l12\n`)).toThrow(
      expect.objectContaining({ name: 'InputError', message: expect.stringMatching(/alias/) }),
    )
  })
  it('a hundred thousand brackets are refused, not a crash', () => {
    expect(() => parse('['.repeat(100_000) + ']'.repeat(100_000))).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
  })
  it('__proto__ as a key changes no prototype', () => {
    const { suite } = parse(oneCase('scoringMethod: exact-match\nexpectedOutput: x\n__proto__: { polluted: true }'))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get(suite.testCases[0]!, 'polluted')).toBeUndefined()
  })
  it('warns with the place of a misspelt option', () => {
    expect(parse(oneCase('scoringMethod: exact-match\nexpectedOutput: x\npartal: false')).warnings).toEqual([
      'suite.yaml:7:5: testCases[0].partal: unknown field, ignored; did you mean partial?',
    ])
  })
})

describe('loading a suite', () => {
  it('says what is wrong with a file that cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-suite-'))
    const latin1 = join(folder, 'latin1.yaml')
    await writeFile(latin1, Buffer.from('name: caf\xe9\n', 'latin1'))
    await expect(importSuite(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml: there is no such file/)
    await expect(importSuite(folder)).rejects.toThrow(/is a folder/)
    await expect(importSuite(latin1)).rejects.toThrow(/not UTF-8/)
    await rm(folder, { recursive: true })
  })
})
