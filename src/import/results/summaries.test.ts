import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { importSuite } from '../index.ts'
import { listResultsFiles, readResults } from './read-results.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-summaries-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const reviewed = { index: 0, input: 'Q', target: 'A', sample_score: { score: { value: { acc: 1 } } } }

describe('results of another tool are never taken for a suite', () => {
  it.each<[string, unknown, RegExp]>([
    ['run.json', { testRunData: { testCases: [] } }, /a test run of DeepEval/],
    ['gsm8k.jsonl', JSON.stringify(reviewed), /reviews of EvalScope/],
    ['per_instance_stats.json', [{ instance_id: 'id1', train_trial_index: 0, stats: [] }], /files of a HELM run/],
    ['samples_x.jsonl', JSON.stringify({ doc_id: 0, doc: { q: '?' }, resps: [], target: 'x' }), /samples of lm-eval/],
    ['log.json', { version: 2, eval: { task: 't' }, samples: [] }, /an Inspect AI log/],
  ])('%s says what it is and how to import it', async (name, content, kind) => {
    const path = write(name, content)
    await expect(importSuite(path)).rejects.toThrow(kind)
    await expect(importSuite(path)).rejects.toThrow(`it is no suite. Store it with: benchmaker import ${path}`)
  })
})

describe('files beside results name the file that has them', () => {
  it.each<[string, unknown, RegExp]>([
    [
      'report.json',
      { name: 'r', dataset_name: 'gsm8k', model_name: 'm', metrics: [], score: 0.5 },
      /import the reviews/,
    ],
    ['run_spec.json', { name: 'mmlu', scenario_spec: {}, adapter_spec: {} }, /import per_instance_stats\.json/],
    [
      'stats.json',
      [{ name: { name: 'exact_match', split: 'test' }, count: 1, sum: 1, sum_squared: 1 }],
      /import per_instance_stats\.json/,
    ],
    ['results_1.json', { results: {}, configs: {}, 'n-shot': {}, config: {}, higher_is_better: {} }, /import samples_/],
  ])('%s', async (name, content, remedy) => {
    const path = write(name, content)
    await expect(importSuite(path)).rejects.toThrow(remedy)
    await expect(readResults(path, { now: 0 })).rejects.toThrow(remedy)
  })
})

describe('a folder of logs', () => {
  const log = (samples: unknown[]) => ({ version: 3, status: 'error', eval: { task: 't', model: 'm' }, samples })
  const sample = { id: 1, epoch: 1, input: 'q', target: 'a', scores: { match: { value: 'C' } } }
  it('passes over one without samples, and names it; without any other it is read', async () => {
    const logs = join(folder, 'logs')
    mkdirSync(logs)
    writeFileSync(join(logs, 'empty.json'), JSON.stringify(log([])))
    const empty: string[] = []
    expect(await listResultsFiles(logs, {}, (path) => empty.push(path))).toEqual([join(logs, 'empty.json')])
    writeFileSync(join(logs, 'full.json'), JSON.stringify(log([sample])))
    expect(await listResultsFiles(logs, {}, (path) => empty.push(path))).toEqual([join(logs, 'full.json')])
    expect(empty).toEqual([join(logs, 'empty.json')])
    mkdirSync(join(logs, 'deeper'))
    writeFileSync(join(logs, 'deeper', 'other.json'), JSON.stringify(log([sample])))
    expect(await listResultsFiles(logs)).toEqual([join(logs, 'full.json')])
    // Tools nest the results of a run: a folder without any has those of the folders in it.
    const around = join(folder, 'around')
    mkdirSync(join(around, 'run', 'b'), { recursive: true })
    mkdirSync(join(around, 'run', 'a'))
    for (const path of ['b/log.json', 'a/.latest_test_run.json'])
      writeFileSync(
        join(around, 'run', path),
        JSON.stringify(path.startsWith('b') ? log([sample]) : { testRunData: { testCases: [] } }),
      )
    expect(await listResultsFiles(around)).toEqual([
      join(around, 'run', 'a', '.latest_test_run.json'),
      join(around, 'run', 'b', 'log.json'),
    ])
    // A log of version 3 is read like those before it.
    expect(await readResults(join(logs, 'full.json'), { now: 0 })).toMatchObject({ models: ['m'], scored: 1 })
  })
})
