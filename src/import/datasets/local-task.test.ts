import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeParquet } from '../results/testing/parquet-file.ts'
import { importSuite } from '../suite-files/recognise-suite.ts'
import { parseSuite } from '../suite-files/read-yaml.ts'
import { ANSWER_WITH_LETTER } from './recipes/multiple-choice.ts'
import { writeTask } from './write-task.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'local-task-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function save(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const task = (id: string, more: object = {}) => ({
  id,
  config: 'main',
  split: 'test',
  field_spec: { input: 'Q', target: 'A' },
  solvers: [{ name: 'generate' }],
  scorers: [{ name: 'exact' }],
  ...more,
})
const evalYaml = (...tasks: object[]) => JSON.stringify({ name: 'Own', evaluation_framework: 'inspect-ai', tasks })
const rows = [
  { Q: 'What is 1+1?', A: '2' },
  { Q: 'What is {{x}}?', A: ['ex', 'X'] },
]
const lines = rows.map((row) => JSON.stringify(row)).join('\n')
const parquet = (from: number) =>
  makeParquet([
    { name: 'Q', values: [`What is ${from}?`] },
    { name: 'A', values: [String(from)] },
  ])

describe('an eval.yaml with the rows beside it', () => {
  it.each<[string, Record<string, string | Uint8Array>]>([
    ['JSON lines', { 'test.jsonl': lines, 'train.jsonl': '{"Q":"no","A":"no"}' }],
    ['packed JSON lines', { 'test.jsonl.gz': gzipSync(lines) }],
    ['JSON', { 'data/test.json': JSON.stringify(rows) }],
    ['the only file there is', { 'questions.jsonl': lines }],
    ['the files of its config', { 'main/test.jsonl': lines, 'test.jsonl': '{"Q":"no","A":"no"}' }],
  ])('reads %s', async (_, files) => {
    for (const [name, content] of Object.entries(files)) save(name, content)
    const { suite, warnings } = await importSuite(save('eval.yaml', evalYaml(task('own'))))
    expect(warnings).toEqual([])
    expect(suite).toMatchObject({
      name: 'Own',
      testCases: [
        { prompt: 'What is 1+1?', scoringMethod: 'text-overlap', metric: 'normalized-match', expectedOutput: '2' },
        { prompt: 'What is {{x}}?', expectedOutput: 'ex', accepted: ['X'] },
      ],
    })
  })

  it('reads CSV, and Parquet in several files', async () => {
    save('csv/test.csv', 'Q,A\nWhat is 1+1?,2\n')
    save('parquet/data/test-00000-of-00002.parquet', parquet(1))
    save('parquet/data/test-00001-of-00002.parquet', parquet(2))
    for (const [name, prompts] of [
      ['csv', ['What is 1+1?']],
      ['parquet', ['What is 1?', 'What is 2?']],
    ] as const) {
      const { suite } = await importSuite(save(`${name}/eval.yaml`, evalYaml(task('own'))))
      expect(suite.testCases.map(({ prompt }) => prompt)).toEqual(prompts)
    }
  })

  it('wants one of several tasks named', async () => {
    save('test.jsonl', lines)
    const file = save('eval.yaml', evalYaml(task('easy'), task('hard', { scorers: [{ name: 'includes' }] })))
    await expect(importSuite(file)).rejects.toThrow(/several tasks: easy, hard. Choose one: --recipe easy$/)
    await expect(importSuite(file, { recipe: 'other' })).rejects.toThrow(/no task other; there are easy, hard/)
    expect((await importSuite(file, { recipe: 'hard' })).suite).toMatchObject({
      name: 'Own/hard',
      testCases: [{ scoringMethod: 'boolean' }, { scoringMethod: 'regex-match' }],
    })
  })
})

describe('a suite as an eval.yaml', () => {
  const cases = (method: object, expected: readonly string[]) =>
    expected.map((expectedOutput, index) => ({
      id: `q/${index} ü`,
      prompt: `Was ist {{${index}}} "x"?\n\n  • so\n`,
      ...method,
      expectedOutput,
      weight: 1,
      ...(index === 0 && { cluster: 'g', metadata: { category: 'a, b', difficulty: 'hard', tags: ['x', 'y z'] } }),
    }))
  const choices = (id: string, texts: string[], expectedOutput: string) => ({
    id,
    prompt: `Which? ${id}\n\n${texts.map((text, index) => `${'ABC'[index]}) ${text}`).join('\n')}`,
    scoringMethod: 'multiple-choice',
    choices: texts,
    expectedOutput,
    weight: 1,
  })

  it.each([
    [
      'normalized-match',
      { testCases: cases({ scoringMethod: 'text-overlap', metric: 'normalized-match' }, ['4', 'x']) },
    ],
    [
      'several accepted answers',
      { testCases: cases({ scoringMethod: 'text-overlap', metric: 'f1', accepted: ['four', '[4]'] }, ['4', 'null']) },
    ],
    ['boolean', { systemPrompt: 'Be {short}.', testCases: cases({ scoringMethod: 'boolean' }, ['yes', 'C']) }],
    ['math', { testCases: cases({ scoringMethod: 'math' }, ['\\frac{1}{2}', '1e3']) }],
    ['llm-judge', { testCases: cases({ scoringMethod: 'llm-judge' }, ['It is ~so\n#2', 'true']) }],
    [
      'multiple-choice',
      {
        systemPrompt: `Be kind.\n\n${ANSWER_WITH_LETTER}`,
        testCases: [choices('1', ['x', 'A) y', '3'], 'C'), choices('2', ['no', 'yes'], 'A')],
      },
    ],
  ])('comes back exactly: %s', async (_, content) => {
    const given = { name: 'Own: suite', ...content }
    const { suite } = parseSuite(JSON.stringify(given).replaceAll('{{', '\\\\{{'), 'suite.json')
    const written = writeTask(suite)
    expect(written.warnings).toEqual([])
    save(written.rows.name, written.rows.text)
    const again = await importSuite(save('eval.yaml', written.text))
    expect(again.warnings).toEqual([])
    expect(again.suite).toEqual(suite)
  })

  it('names what it has no place for, and refuses what it cannot say', () => {
    const [first, second] = cases({ scoringMethod: 'math', tolerance: 0.1, weight: 2 }, ['1', '2'])
    const suite = { name: 'Own', variants: [{ name: 'short', systemPrompt: 'Short.' }], testCases: [first!, second!] }
    const wide = { ...suite, testCases: [{ ...first!, weight: 2 }, second!] }
    expect(writeTask(wide).warnings).toEqual([
      'an eval.yaml has no place for 1 variant, the weights of 1 case, tolerance',
    ])
    const mixed = { name: 'Own', testCases: [first!, { ...second!, scoringMethod: 'boolean' }] }
    expect(() => writeTask(mixed)).toThrow(/q\/1 ü: is not scored as q\/0 ü is/)
    const [exact] = cases({ scoringMethod: 'exact-match' }, ['1'])
    expect(() => writeTask({ name: 'Own', testCases: [exact!] })).toThrow(
      /scored by exact-match, and an eval.yaml knows multiple-choice, text-overlap/,
    )
    const [bare] = cases({ scoringMethod: 'llm-judge' }, ['1'])
    const { expectedOutput: _none, ...open } = bare!
    expect(() => writeTask({ name: 'Own', testCases: [open] })).toThrow(/has no expected output/)
  })
})
