import fc from 'fast-check'
import Papa from 'papaparse'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { importSuiteText } from './recognise-suite.ts'
import { writeSuite, writeSuiteYaml } from './write-suite.ts'
import { finishSuite } from './finish-suite.ts'
import { parseLocated } from '../text/located-document.ts'

const readBack = (text: string) => {
  const { value, locate } = parseLocated(text, 's.yaml')
  return finishSuite(value, locate).suite
}

describe('a suite written as YAML', () => {
  it('is read back as the same suite, braces and all', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('{{a}}', '\\{{a}}', '1.50', 'true', 'null', '- x', 'a: b', '# c', ' x '),
    )
    const blankless = text.filter((value) => value.trim() !== '')
    fc.assert(
      fc.property(blankless, blankless, text, (prompt, expectedOutput, variable) => {
        const raw = {
          name: 'S',
          testCases: [
            { id: 'a', prompt, expectedOutput, scoringMethod: 'exact-match', weight: 2, vars: { a: variable } },
            {
              id: 'b',
              messages: [{ role: 'user' as const, content: prompt }],
              checks: [{ scoringMethod: 'boolean', expectedOutput, weight: 1 }],
              weight: 1,
            },
          ],
        }
        expect(readBack(writeSuiteYaml(raw))).toEqual(raw)
      }),
    )
  })
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('{{a}}', '\\{{b}}', 'a, "b"\r\nc; d', '1.50', 'true', 'null', '- x', '# c', ' x ', 'übung'),
)
const isPlain = (value: string) => value.trim() !== '' && !value.includes('\0')
const plain = text.filter(isPlain)

const suiteOf = (prompt: string, expectedOutput: string, variable: string) => ({
  name: 'S',
  description: 'd',
  systemPrompt: prompt,
  testCases: [
    {
      id: 'a',
      prompt,
      expectedOutput,
      scoringMethod: 'exact-match',
      partial: false,
      weight: 2,
      vars: { a: variable },
      metadata: { category: 'c', tags: ['x', 'y'] },
    },
    { id: 'b', prompt: 'p', scoringMethod: 'multiple-choice', expectedOutput: 'B', choices: ['one; two', 'three'] },
  ],
})

describe('a suite as it is edited', () => {
  it('comes back unchanged from YAML and JSON, whatever its texts', () => {
    fc.assert(
      fc.property(text, text, text, (prompt, expectedOutput, variable) => {
        const suite = suiteOf(prompt, expectedOutput, variable)
        expect(parse(writeSuite(suite, 'yaml'))).toEqual(suite)
        expect(JSON.parse(writeSuite(suite, 'json'))).toEqual(suite)
        const lines = writeSuite(suite, 'jsonl').trimEnd().split('\n')
        expect(lines.map((line) => JSON.parse(line))).toEqual(suite.testCases)
      }),
    )
  })
  it('comes back from CSV with the same cases: options, tags and variables included', async () => {
    await fc.assert(
      fc.asyncProperty(plain, plain, plain, async (variable, expectedOutput, other) => {
        const suite = suiteOf('Say {{a}}', expectedOutput.replaceAll(/[{}\\]/g, ''), variable)
        fc.pre(isPlain(suite.testCases[0]!.expectedOutput))
        const { suite: read } = await importSuiteText(writeSuite({ ...suite, description: other }, 'csv'), 's.csv')
        expect(read['testCases']).toMatchObject([
          {
            id: 'a',
            expectedOutput: suite.testCases[0]!.expectedOutput,
            partial: false,
            weight: 2,
            vars: { a: variable },
            metadata: { category: 'c', tags: ['x', 'y'] },
          },
          { id: 'b', choices: ['one; two', 'three'] },
        ])
      }),
    )
  })
  it('may have variables named like formulas: CSV disarms its header too, and reads it back', async () => {
    const names = ['=1+1', 'x;=cmd', '@a', '"=q', 'first\n=second']
    const vars = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
    const testCase = { id: 'a', prompt: 'p', scoringMethod: 'exact-match', expectedOutput: 'e', weight: 1, vars }
    const csv = writeSuite({ name: 'S', testCases: [testCase] }, 'csv')
    for (const part of csv.split(/[,;\t\r\n]/)) expect(part).not.toMatch(/^["\s]*[=+\-@]/)
    const { suite } = await importSuiteText(csv, 's.csv')
    expect(suite['testCases']).toMatchObject([{ vars }])
  })
  it('as CSV contains nothing that a spreadsheet would run', () => {
    const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋')
    fc.assert(
      fc.property(start, fc.string(), (first, rest) => {
        const csv = writeSuite(suiteOf(first + rest, first + rest, first + rest), 'csv')
        const cells = Papa.parse<string[]>(csv.trimEnd()).data.flat()
        for (const cell of cells)
          if (!/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell)) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
      }),
    )
  })
  it.each([
    [{ id: 'm', messages: [{ role: 'user', content: 'x' }], scoringMethod: 'boolean' }, /m has several messages/],
    [{ id: 'c', prompt: 'p', checks: [{ scoringMethod: 'boolean' }] }, /c has several checks/],
    [{ id: 'v', prompt: 'p', scoringMethod: 'boolean', vars: { weight: 1 } }, /v has a variable weight/],
  ])('that does not fit a row is not written as CSV: %j', (testCase, message) => {
    expect(() => writeSuite({ name: 'S', testCases: [testCase] }, 'csv')).toThrow(message)
  })
})
