import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeParquet } from '../results/testing/parquet-file.ts'
import { importSuite } from '../suite-files/recognise-suite.ts'
import { openFakeHub } from './testing/fake-hub.ts'

const count = 20
const texts = (text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index))
const rows = makeParquet([
  { name: 'Question', values: texts((index) => `What is ${index} and 1?`) },
  { name: 'Incorrect Answer 1', values: texts((index) => String(index + 7)) },
  { name: 'Incorrect Answer 2', values: texts((index) => String(index + 8)) },
  { name: 'Correct Answer', values: texts((index) => (index === 19 ? 'x-ray (2/3) | +1' : String(index + 1))) },
  { name: 'letter', values: texts(() => 'C') },
])

/** The shapes of GPQA's, HLE's and MathArena's files, as the documentation of the hub shows them. */
const files: Record<string, string> = {
  choices: `
name: Choices
evaluation_framework: inspect-ai
tasks:
  - id: diamond
    config: main
    split: train
    epochs: 4
    epoch_reducer: pass_at_1
    shuffle_choices: true
    field_spec: { input: Question, target: 'literal:C', choices: [Incorrect Answer 1, Incorrect Answer 2, Correct Answer] }
    solvers: [{ name: multiple_choice }]
    scorers: [{ name: choice }]
  - id: open
    config: main
    split: train
    field_spec: { input: Question, target: Correct Answer }
    solvers:
      - { name: system_message, args: { template: Be brief. } }
      - { name: prompt_template, args: { template: "Solve: {prompt}\\nAs {{number}}." } }
      - { name: chain_of_thought }
      - { name: generate }
    scorers: [{ name: match }]
  - id: judged
    config: main
    split: train
    field_spec: { input: Question, target: Correct Answer }
    solvers: [{ name: generate }]
    scorers: [{ name: model_graded_fact, args: { model: openai/o3-mini } }]
  - id: odd
    config: main
    split: train
    field_spec: { input: Question, target: Correct Answer }
    solvers: [{ name: generate }]
    scorers: [{ name: pattern, args: { pattern: (.*) } }]
`,
  plain:
    'name: Plain\nevaluation_framework: math-arena\ntasks:\n  - id: MathArena/plain\n    config: main\n    split: train\n',
  broken: 'name: [',
}

const serve: RequestListener = (request, response) => {
  const url = request.url!
  const [, name] = /^\/datasets\/own\/(\w+)\/resolve\/main\/eval\.yaml$/.exec(url) ?? []
  if (name !== undefined && files[name] !== undefined) return void response.end(files[name])
  if (/^\/api\/datasets\/own\/\w+\/parquet$/.test(url))
    return void response.end(JSON.stringify({ main: { train: ['https://hub.example/0.parquet'] } }))
  if (!url.endsWith('0000.parquet')) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-length': rows.length, etag: '"v1"' }).end(request.method === 'HEAD' ? '' : rows)
}

let close = async () => {}
beforeAll(async () => {
  close = await openFakeHub(serve)
})
afterAll(async () => {
  await close()
  vi.unstubAllEnvs()
})

describe('a benchmark that says in its eval.yaml how it is read', () => {
  it('has the config, split, columns and choices of the task, and says what is not followed', async () => {
    const { suite, dataset, warnings } = await importSuite('hf://datasets/own/choices/diamond')
    expect(suite).toMatchObject({
      name: 'own/choices/diamond@train',
      benchmark: { dataset: 'own/choices', task: 'diamond' },
      systemPrompt: expect.stringContaining('Answer:'),
    })
    expect(dataset).toMatchObject({ recipe: 'eval.yaml', rows: count, scoringMethods: ['multiple-choice'] })
    const { choices, expectedOutput, prompt } = suite.testCases[3]!
    expect((choices as string[])['ABC'.indexOf(expectedOutput!)]).toBe('4')
    expect(prompt).toContain('What is 3 and 1?\n\nA) ')
    // Shuffled: the right one is not always the last.
    expect(new Set(suite.testCases.map((one) => one.expectedOutput)).size).toBe(3)
    expect(warnings).toContain('hf://datasets/own/choices/diamond: asks each question 4 times: --repeat 4')
  })
  it('asks by its template, and scores as its scorer does', async () => {
    const { suite, warnings } = await importSuite('hf://datasets/own/choices/open')
    expect(suite.systemPrompt).toBe('Be brief.')
    const [first] = suite.testCases
    expect(first!.prompt).toBe('Solve: What is 0 and 1?\nAs {number}.')
    const matches = (testCase: typeof first, answer: string) => {
      const [, source, flags] = /^\/(.*)\/(\w+)$/su.exec(testCase!.expectedOutput!)!
      return new RegExp(source!, flags).test(answer)
    }
    expect(['It is 1', 'so: **1**.', '1\n'].every((answer) => matches(first, answer))).toBe(true)
    expect(['1 or 2', '2'].some((answer) => matches(first, answer))).toBe(false)
    expect(matches(suite.testCases.at(-1), 'An x-ray (2/3) | +1.')).toBe(true)
    expect(warnings[0]).toBe(
      'hf://datasets/own/choices/open: asked without chain_of_thought, which its eval.yaml names',
    )
  })
  it('has its judge named', async () => {
    const { suite, warnings } = await importSuite('hf://datasets/own/choices/judged')
    expect(suite.testCases[0]).toMatchObject({ scoringMethod: 'llm-judge', expectedOutput: '1' })
    expect(warnings).toContain('hf://datasets/own/choices/judged: its judge is openai/o3-mini: --judge openai/o3-mini')
  })
  it('of another framework has its config and split, and is read by its columns', async () => {
    const { suite, dataset } = await importSuite('hf://datasets/own/plain')
    expect(suite).toMatchObject({
      name: 'own/plain/MathArena/plain@train',
      benchmark: { dataset: 'own/plain', task: 'MathArena/plain' },
    })
    expect(dataset!.recipe).toBe('right-and-wrong')
  })
  it.each([
    [
      'several tasks',
      'hf://datasets/own/choices',
      /several tasks: diamond, open, judged, odd\. Choose one: hf:.*\/diamond$/,
    ],
    [
      'a scorer that is not known',
      'hf://datasets/own/choices/odd',
      /scores by pattern; known are exact, f1, .*--recipe guess/,
    ],
  ])('is refused with a sentence: %s', async (_, address, message) => {
    await expect(importSuite(address)).rejects.toThrow(message)
  })
  it('is pointed to where somebody gives its eval.yaml alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-task-'))
    writeFileSync(join(folder, 'eval.yaml'), files['plain']!)
    await expect(importSuite(join(folder, 'eval.yaml'))).rejects.toThrow(
      /has no questions; put its rows beside it as train.parquet, .*or run the benchmark: hf:/,
    )
    rmSync(folder, { recursive: true })
  })
  it('is read by its columns if they are named, a split is, or the file is no use', async () => {
    for (const [address, options] of [
      ['hf://datasets/own/choices', { recipe: 'right-and-wrong' }],
      ['hf://datasets/own/choices/main@train', {}],
      ['hf://datasets/own/choices', { map: { prompt: 'Question', expectedOutput: 'letter' } }],
    ] as const) {
      const { suite } = await importSuite(address.includes('@') ? address : `${address}@train`, options)
      expect(suite.benchmark).toBeUndefined()
      expect(suite.testCases).toHaveLength(count)
    }
    expect((await importSuite('hf://datasets/own/broken')).suite).not.toHaveProperty('benchmark')
  })
})
