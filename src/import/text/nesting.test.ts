import { describe, expect, it } from 'vitest'
import { InputError } from '../../contract/index.ts'
import { importSuiteText } from '../suite-files/recognise-suite.ts'
import { checkGivenSuite } from '../suite-files/given-suite.ts'
import { findTooDeep } from './nesting.ts'

const DEEP = '['.repeat(50_000) + ']'.repeat(50_000)
const testCase = { id: 'a', prompt: 'p', scoringMethod: 'exact-match', expectedOutput: 'x' }
const yamlCase = 'testCases:\n  - id: a\n    prompt: p\n    scoringMethod: exact-match\n    expectedOutput: x\n'
const jsonCase = JSON.stringify(testCase).slice(0, -1)

/** Refused with the place of the value, never by an overflow. */
describe('a suite that is nested without end', () => {
  it.each([
    [
      'circular metadata in YAML',
      'suite.yaml',
      `name: S\n${yamlCase}    metadata: &m\n      self: *m\n`,
      'suite.yaml:8:13: *m contains itself',
    ],
    [
      'a circle through a list',
      'suite.yaml',
      `name: S\nextra: &m\n  a: [1, { b: *m }]\n${yamlCase}`,
      'suite.yaml:3:15: *m contains itself',
    ],
    ['a circular key', 'suite.yaml', `name: S\n? &k [*k]\n: 1\n${yamlCase}`, 'suite.yaml:2:7: *k contains itself'],
    [
      'circular variables in a promptfoo config',
      'promptfooconfig.yaml',
      'prompts: [p]\nproviders: [x]\ntests:\n  - vars: &v\n      self: *v\n',
      'promptfooconfig.yaml:5:13: *v contains itself',
    ],
    [
      '50,000 levels in YAML',
      'suite.yaml',
      `name: S\n${yamlCase}    metadata: { a: ${DEEP} }\n`,
      /^suite\.yaml:7:\d+: is nested deeper than 90 levels$/,
    ],
    [
      '2,000 levels of block YAML',
      'suite.yaml',
      `name: S\n${yamlCase}    metadata:\n${Array.from({ length: 2000 }, (_, level) => `      ${' '.repeat(level)}a:\n`).join('')}`,
      /^suite\.yaml:\d+:\d+: is nested deeper than 90 levels$/,
    ],
    [
      '200 levels of YAML, which its parser can read',
      'suite.yaml',
      `name: S\n${yamlCase}    metadata: { a: ${'['.repeat(200)}${']'.repeat(200)} }\n`,
      /^suite\.yaml:7:\d+: is nested deeper than 90 levels$/,
    ],
    [
      '50,000 levels in JSON',
      'suite.json',
      `{ "name": "S",\n  "testCases": [\n    ${jsonCase},"metadata":{"]\\"[":${DEEP}}}]}`,
      /^suite\.json:3:\d+: is nested deeper than 90 levels$/,
    ],
    [
      '50,000 levels in JSON lines',
      'suite.jsonl',
      `${JSON.stringify(testCase)}\n${jsonCase},"metadata":{"a":${DEEP}}}\n`,
      /^suite\.jsonl:2:\d+: is nested deeper than 90 levels$/,
    ],
    [
      '50,000 levels in a promptfoo config',
      'promptfooconfig.json',
      `{"prompts":["p"],"providers":["x"],"tests":[{"vars":{"a":${DEEP}}}]}`,
      /^promptfooconfig\.json:1:\d+: is nested deeper than 90 levels$/,
    ],
  ])('%s', async (_, name, text, message) => {
    const refusal = importSuiteText(text, name)
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(message)
  })

  it('a text of 33 million characters before it, which one pattern for strings cannot match', async () => {
    const text = `{"name":"${'x'.repeat(33_000_000)}","testCases":[${jsonCase},"metadata":{"a":${DEEP}}}]}`
    await expect(importSuiteText(text, 'suite.json')).rejects.toThrow(
      /^suite\.json:1:33\d+: .*is nested deeper than 90 levels/,
    )
  })

  it('a suite from code', () => {
    const metadata: Record<string, unknown> = {}
    metadata['self'] = metadata
    const given = { name: 'S', testCases: [{ ...testCase, metadata }] }
    expect(() => checkGivenSuite(given)).toThrow(InputError)
    expect(() => checkGivenSuite(given)).toThrow(
      /^test case "a": .* is nested deeper than 90 levels, or contains itself/,
    )
  })

  it('what is shared but not circular, or deep but not too deep, is read', async () => {
    const shared = `name: S\n${yamlCase}    metadata: &m { k: [1, 2] }\n  - id: b\n    prompt: p\n    scoringMethod: exact-match\n    expectedOutput: x\n    metadata: *m\n`
    expect((await importSuiteText(shared, 'suite.yaml')).suite['testCases']).toHaveLength(2)
    const deep = `{"name":"S","testCases":[${jsonCase},"metadata":{"a":${'['.repeat(80)}${']'.repeat(80)}}}]}`
    expect((await importSuiteText(deep, 'suite.json')).suite['testCases']).toHaveLength(1)
    expect(findTooDeep({ a: [{ b: 1 }, null, 'x'] })).toBeUndefined()
  })
})

describe('a suite of more parts than memory holds is refused before it is parsed', () => {
  it.each([
    [
      'suite.yaml',
      `name: S\ntestCases:\n${'- {}\n'.repeat(2_000_000)}`,
      /^suite\.yaml: has more than 1000000 lines and items/,
    ],
    [
      'flow.yaml',
      `{ # "\n name: S, testCases: [${'[],'.repeat(2_000_000)}]}`,
      /^flow\.yaml: has more than 1000000 lines/,
    ],
    [
      'suite.json',
      `{"name":"S","testCases":[${'{},'.repeat(2_000_000)}{}]}`,
      /^suite\.json: the document has more than 1000000 parts/,
    ],
  ])('%s', async (name, text, message) => {
    await expect(importSuiteText(text, name)).rejects.toThrow(message)
  })

  it('but not one with long texts', async () => {
    const text = `{"name":"S","testCases":[${jsonCase},"metadata":{"a":"${'a, b [c]\\n'.repeat(1_000_000)}"}}]}`
    expect((await importSuiteText(text, 'suite.json')).suite['testCases']).toHaveLength(1)
  })
})

describe('a file of two YAML documents', () => {
  it('says where the second begins, and what to do', async () => {
    await expect((async () => importSuiteText(`name: S\n${yamlCase}---\nname: T\n`, 'suite.yaml'))()).rejects.toThrow(
      /^suite\.yaml:7:1: a second document begins here: save each document/m,
    )
  })
})
