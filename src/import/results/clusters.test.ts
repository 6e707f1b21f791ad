import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildReport } from '../../report/index.ts'
import { readResults, type ResultsChoices } from './read-results.ts'
import { makeParquet } from './testing/parquet-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-clusters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
async function read(name: string, content: string | Buffer, choices: ResultsChoices = {}) {
  written += 1
  const path = join(folder, String(written), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const { runs, warnings } = await readResults(path, { ...choices, now: 0 })
  return { run: runs[0]!, warnings, clusters: runs[0]!.testSuiteSnapshot!.testCases.map(({ cluster }) => cluster) }
}

const lines = (rows: readonly object[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`

describe('the clusters of imported results', () => {
  it('are those of a column of a table, under its name or as the user names it', async () => {
    const csv = 'id,model,score,cluster\na,m,1, one \nb,m,0,one\nc,m,1,\na,n,0,\nb,n,0,one\nc,n,1,\n'
    const { clusters, run } = await read('r.csv', csv)
    expect(clusters).toEqual(['one', 'one', undefined])
    expect(buildReport(run)).toMatchObject({ caseCount: 3, clusterCount: 2 })
    const named = 'id,model,score,family\na,m,1,7\nb,m,0,7\n'
    expect((await read('n.csv', named)).clusters).toEqual([undefined, undefined])
    expect((await read('n.csv', named, { columns: { cluster: 'family' } })).clusters).toEqual(['7', '7'])
    expect(
      (
        await read(
          'n.jsonl',
          lines([
            { id: 'a', score: 1, cluster: 7 },
            { id: 'b', score: 0, cluster: null },
          ]),
        )
      ).clusters,
    ).toEqual(['7', undefined])
    const parquet = makeParquet([
      { name: 'id', values: ['a', 'b'] },
      { name: 'score', values: [1, 0] },
      { name: 'cluster', values: ['k', 'k'] },
    ])
    expect((await read('p.parquet', parquet)).clusters).toEqual(['k', 'k'])
  })

  it('are left out, with a warning, where a column puts one sample into several', async () => {
    const csv = 'id,model,score,cluster\na,m,1,one\nb,m,0,one\na,n,1,two\nb,n,0,one\n'
    const { clusters, warnings } = await read('r.csv', csv)
    expect(clusters).toEqual([undefined, undefined])
    expect(warnings.join('\n')).toContain(
      'the column "cluster" is not used: its rows put the sample "a" into several clusters',
    )
  })

  it('are read from lm-evaluation-harness, Inspect and promptfoo', async () => {
    const sample = (id: number, doc: object) => ({
      doc_id: id,
      doc,
      target: 'a',
      arguments: [['q', 'a']],
      resps: [['a']],
      filtered_resps: ['a'],
      acc: 1,
    })
    const harness = lines([
      sample(0, { q: 'x', cluster: 'k' }),
      sample(1, { q: 'y', cluster: 'k' }),
      sample(2, { q: 'z' }),
    ])
    expect((await read('samples_t.jsonl', harness)).clusters).toEqual(['k', 'k', undefined])
    const log = JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 't', model: 'openai/gpt-4o' },
      samples: [{ cluster: 'k', other: { large: true } }, { cluster: 3 }, {}].map((metadata, index) => ({
        id: index + 1,
        epoch: 1,
        input: 'q',
        target: 'a',
        metadata,
        scores: { match: { value: 'C' } },
      })),
    })
    expect((await read('log.json', log)).clusters).toEqual(['k', '3', undefined])
    const result = (testIdx: number, more: object) => ({
      testIdx,
      promptIdx: 0,
      provider: { id: 'openai:gpt-4o' },
      prompt: { raw: `q${testIdx}`, label: 'q' },
      response: { output: 'a' },
      success: true,
      score: 1,
      ...more,
    })
    const promptfoo = JSON.stringify({
      results: {
        version: 3,
        results: [
          result(0, { vars: { q: 'x' }, testCase: { vars: { q: 'x' }, metadata: { cluster: 'k' } } }),
          result(1, { vars: { q: 'y', cluster: 'k' }, testCase: { vars: { q: 'y', cluster: 'k' } } }),
          result(2, { vars: { q: 'z' }, testCase: { vars: { q: 'z' } } }),
        ],
      },
      config: {},
    })
    expect((await read('promptfoo.json', promptfoo)).clusters).toEqual(['k', 'k', undefined])
  })

  it('come with categories, difficulties and tags', async () => {
    const labelsOf = async (name: string, content: string | Buffer) => {
      const { run, warnings } = await read(name, content)
      return { labels: run.testSuiteSnapshot!.testCases.map(({ metadata }) => metadata), warnings: warnings.join('\n') }
    }
    const csv =
      'id,model,score,category,difficulty,tags\na,m,1, maths ,2,x; y\nb,m,0,code,,\na,n,1,,2,x; y\nb,n,0,code,,\n'
    expect((await labelsOf('r.csv', csv)).labels).toEqual([
      { category: 'maths', difficulty: '2', tags: ['x', 'y'] },
      { category: 'code' },
    ])
    const jsonl = ['{"id":1,"score":1,"category":"c","tags":["x",2]}', '{"id":2,"score":0,"category":null,"tags":[]}']
    expect((await labelsOf('r.jsonl', jsonl.join('\n'))).labels).toEqual([
      { category: 'c', tags: ['x', '2'] },
      undefined,
    ])
    const divided = await labelsOf('d.csv', 'id,model,score,category,tags\na,m,1,one,x\na,n,1,two,x\n')
    expect(divided.labels).toEqual([{ tags: ['x'] }])
    expect(divided.warnings).toContain(
      'the column "category" is not used: its rows put the sample "a" into several cat',
    )
    const log = JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 't', model: 'openai/gpt-4o' },
      samples: [{ category: 'c', difficulty: 3, tags: ['x'] }, { category: { no: 'name' } }].map((metadata, index) => ({
        id: index + 1,
        epoch: 1,
        input: 'q',
        target: 'a',
        metadata,
        scores: { match: { value: 'C' } },
      })),
    })
    expect((await labelsOf('log.json', log)).labels).toEqual([
      { category: 'c', difficulty: '3', tags: ['x'] },
      undefined,
    ])
  })
})
