import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readResults, type ReadResults, type ResultsChoices } from '../read-results.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-every-eval-ever-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Given {
  id: string
  name?: string
  result?: string
  score: number
  correct?: boolean
  model?: string
  input?: string
}

const record = ({ id, name = 'sums', result, score, correct, model = 'lab/a', input = `What is ${id}?` }: Given) => ({
  schema_version: '0.3.0',
  evaluation_id: 'e',
  model_id: model,
  evaluation_name: name,
  ...(result !== undefined && { evaluation_result_id: result }),
  sample_id: id,
  input: { raw: input, reference: ['4'] },
  output: { raw: [`answer to ${id}`] },
  evaluation: { score, is_correct: correct ?? score === 1 },
})

function read(records: readonly Given[], choices: ResultsChoices = {}): Promise<ReadResults> {
  const path = join(folder, 'a_samples.jsonl')
  writeFileSync(path, records.map((given) => `${JSON.stringify(record(given))}\n`).join(''))
  return readResults(path, { ...choices, now: 0 })
}

const scoresOf = ({ runs }: ReadResults) =>
  runs.map(({ results }) => results.map(({ testCaseId, score }) => [testCaseId, score?.score, score?.passed]))

describe('Every Eval Ever', () => {
  // The schema: one sample with several metrics is several records, with a result id or a name each.
  it.each([
    ['names', { name: 'sums/acc' }, { name: 'sums/f1' }, ['sums/acc', 'sums/f1']],
    ['result ids', { result: 'acc' }, { result: 'f1' }, ['sums acc', 'sums f1']],
    ['both', { name: 'sums/acc', result: 'x1' }, { name: 'sums/f1', result: 'x2' }, ['sums/acc', 'sums/f1']],
  ])('records of a sample that differ in their %s are metrics, not epochs', async (_what, acc, f1, names) => {
    const records = [
      { id: 'q1', ...acc, score: 1 },
      { id: 'q1', ...f1, score: 0.4, correct: true },
      { id: 'q2', ...acc, score: 0 },
      { id: 'q2', ...f1, score: 0.2 },
    ]
    const byDefault = await read(records)
    expect(byDefault).toMatchObject({ epochs: 1, samples: 2, metric: names[0] })
    expect(byDefault.metrics.map(({ name }) => name)).toEqual(names)
    expect(scoresOf(byDefault)).toEqual([
      [
        ['q1', 1, true],
        ['q2', 0, false],
      ],
    ])
    // The verdict is the one of the record with that metric.
    expect(scoresOf(await read(records, { metric: names[1]! }))).toEqual([
      [
        ['q1', 0.4, true],
        ['q2', 0.2, false],
      ],
    ])
  })

  it('repeats of each metric are epochs', async () => {
    const records = [1, 0].flatMap((score) => [
      { id: 'q1', name: 'acc', score },
      { id: 'q1', name: 'f1', score: 0.5 },
    ])
    const results = await read(records, { metric: 'acc' })
    expect(scoresOf(results)).toEqual([[['q1', 1, true]], [['q1', 0, false]]])
  })

  it('two evaluations that ask different questions under one id are refused with what to do', async () => {
    const records = [
      { id: '1', name: 'sums', score: 1 },
      { id: '1', name: 'capitals', score: 0, input: 'The capital of Peru?' },
    ]
    await expect(read(records)).rejects.toThrow(
      /a_samples\.jsonl:2: sample "1" of capitals asks something else than that of sums in line 1; put the records of each evaluation_name into a file of its own/,
    )
  })

  it('evaluations of different samples have one score, and are categories', async () => {
    const results = await read([
      { id: 'a', name: 'sums', score: 1 },
      { id: 'b', name: 'capitals', score: 0 },
    ])
    expect(results).toMatchObject({ epochs: 1, metric: 'score', scored: 2, unscored: 0 })
    expect(results.runs[0]!.testSuiteSnapshot?.testCases.map(({ metadata }) => metadata)).toEqual([
      { category: 'sums' },
      { category: 'capitals' },
    ])
  })

  it('a name for the model does not merge those that the file names', async () => {
    const records = [
      { id: '1', model: 'lab/a', score: 1 },
      { id: '1', model: 'lab/b', score: 0 },
    ]
    const results = await read(records, { model: 'x' })
    expect(results).toMatchObject({ models: ['lab/a', 'lab/b'], epochs: 1, isModelUnnamed: false })
    expect(results.warnings).toEqual([])
    const unnamed = await read([{ id: '1', model: '', score: 1 }])
    expect(unnamed).toMatchObject({ models: ['unknown model'], isModelUnnamed: true })
    expect(unnamed.warnings).toEqual(['a_samples.jsonl: has records that do not name their model; --model names it'])
    expect((await read([{ id: '1', model: '', score: 1 }], { model: 'x' })).models).toEqual(['x'])
  })
})
