import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readResults, type ResultsChoices } from '../read-results.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })))
})

async function read(
  rows: readonly unknown[],
  { folder = 'reviews', ...choices }: ResultsChoices & { folder?: string } = {},
) {
  const root = await mkdtemp(join(tmpdir(), 'benchmaker-evalscope-'))
  folders.push(root)
  await mkdir(join(root, folder), { recursive: true })
  const path = join(root, folder, 'gsm8k_main.jsonl')
  await writeFile(path, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'))
  return readResults(path, { now: 0, ...choices })
}

/** As EvalScope 1 writes it: evalscope/api/evaluator/cache.py, ReviewResult. */
const review = (index: number, value: unknown, others = {}) => ({
  index,
  input: `**User**: \nQuestion ${index}`,
  target: 'A',
  sample_score: {
    score: {
      value,
      extracted_prediction: 'A',
      prediction: 'The answer is A',
      explanation: null,
      metadata: {},
      main_score_name: null,
    },
    sample_id: index,
    group_id: index,
    sample_metadata: {},
    ...others,
  },
})

it('reads reviews: a sample each, the model from the folder', async () => {
  const results = await read([review(0, { acc: 1 }), review(1, { acc: 0 })], { folder: 'qwen2.5-7b' })
  expect(results).toMatchObject({
    tool: 'EvalScope',
    task: 'gsm8k_main',
    models: ['qwen2.5-7b'],
    metric: 'acc',
    scored: 2,
    warnings: [],
  })
  expect(results.runs[0]!.results[0]).toMatchObject({
    testCaseId: '0',
    response: 'The answer is A',
    score: { score: 1 },
  })
  expect(results.runs[0]!.testSuiteSnapshot!.testCases[1]).toMatchObject({
    prompt: '**User**: \nQuestion 1',
    expectedOutput: 'A',
  })
})
it('samples of one group are repeats', async () => {
  const { epochs, runs } = await read([
    review(0, { acc: 1 }, { sample_id: 0, group_id: 0 }),
    review(1, { acc: 0 }, { sample_id: 1, group_id: 0 }),
  ])
  expect(epochs).toBe(2)
  expect(runs.map(({ results }) => results[0]!.testCaseId)).toEqual(['0', '0'])
})
it('the main score counts of several, unless another is named; NaN and nothing are unscored', async () => {
  const main = (em: unknown, f1: unknown, index: number) => {
    const row = review(index, { em, f1 })
    return {
      ...row,
      sample_score: { ...row.sample_score, score: { ...row.sample_score.score, main_score_name: 'f1' } },
    }
  }
  const rows = [main(0, 0.5, 0), JSON.stringify(main(0, 0.987, 1)).replace('0.987', 'NaN'), review(2, {})]
  expect(await read(rows)).toMatchObject({ metric: 'f1', scored: 1, unscored: 2 })
  expect(await read(rows, { metric: 'em' })).toMatchObject({ metric: 'em', scored: 2, unscored: 1 })
})
it('reads the reviews of versions before 1', async () => {
  const older = (index: number, result: unknown) => ({
    index,
    model: 'qwen',
    raw_input: { question: `Q${index}`, answer: '#### 4' },
    choices: [
      { index: 0, message: { content: 'It is 4', role: 'assistant' }, review: { gold: '4', pred: '4', result } },
    ],
    reviewed: true,
  })
  const results = await read([older(0, 1), older(1, true), older(2, { 'AveragePass@1': 0 })], { metric: 'result' })
  expect(results).toMatchObject({ models: ['qwen'], scored: 2, unscored: 1 })
  expect(results.runs[0]!.testSuiteSnapshot!.testCases[0]).toMatchObject({ prompt: 'Q0', expectedOutput: '4' })
})
it.each([
  [[review(0, { acc: 1 }), '{"index": 1, "sample_sc'], /gsm8k_main\.jsonl:2/],
  [[review(0, { acc: 1 }), { index: 1 }], /gsm8k_main\.jsonl:2: has neither sample_score nor choices/],
  [[review(0, { acc: 100 }), review(1, { acc: 55 })], /not 0 to 1.*--scale MIN:MAX/],
])('refuses %j', async (rows, message) => {
  await expect(read(rows)).rejects.toThrow(message)
})

it('takes the model from the folder in reviews, however deep the file lies', async () => {
  expect(await read([review(0, { acc: 1 })], { folder: 'reviews/qwen3-8b/math_500' })).toMatchObject({
    models: ['qwen3-8b'],
    task: 'math_500/gsm8k_main',
  })
})
