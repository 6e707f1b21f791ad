import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { loadRunFile, previewResults, readResults } from '../index.ts'
import { readResults as readHere } from './read-results.ts'
import { makeParquet } from './testing/parquet-file.ts'
import { makeZip } from './testing/zip-file.ts'
import { isLong } from '../../../test/scaled.ts'
import { useTemporaryFolder } from '../../../test/temporary-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-budget-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** 10 MB may be read, and 1.3 MB of it kept. */
const allow = (gigabytes = 0.01) => vi.stubEnv('BENCHMAKER_IMPORT_GB', String(gigabytes))

const LONG = 'x'.repeat(100_000)
const header = JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm' } })
const lines = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => JSON.stringify(make(index))).join('\n')

/** Each with so many long answers, or with so much beside them that is not kept. */
type Make = (answers: number, other: number) => string | Buffer
const inspectSample = (id: number, answer: string, events: string) => ({
  id,
  epoch: 1,
  input: 'q',
  target: 'a',
  output: { completion: answer },
  scores: { s: { value: 'C' } },
  events,
})
const samplesOf = (answers: number, other: number) =>
  Array.from({ length: Math.max(answers, other) }, (_, id) =>
    inspectSample(id, id < answers ? LONG : 'short', id < other ? LONG : ''),
  )
const archive =
  (method: 0 | 8 | 93): Make =>
  (answers, other) =>
    makeZip([
      { name: 'header.json', content: header },
      ...samplesOf(answers, other).map((sample) => ({
        name: `samples/${sample.id}_epoch_1.json`,
        content: JSON.stringify(sample),
        method,
      })),
    ])
const table: Make = (answers, other) =>
  [
    'id,model,score,answer,note',
    ...samplesOf(answers, other).map(
      ({ id, output, events }) => `case-with-a-long-id-${id},m,1,${output.completion},${events}`,
    ),
  ].join('\n')

const files: [string, Make][] = [
  ['deflate.eval', archive(8)],
  ['zstd.eval', archive(93)],
  ['stored.eval', archive(0)],
  ['packed.eval.gz', (...counts) => gzipSync(archive(0)(...counts))],
  ['table.csv', table],
  ['table.csv.gz', (...counts) => gzipSync(table(...counts))],
  [
    'inspect.json',
    (...counts) => JSON.stringify({ version: 2, eval: { task: 't', model: 'm' }, samples: samplesOf(...counts) }),
  ],
  [
    'rows.jsonl.gz',
    (answers, other) =>
      gzipSync(
        lines(Math.max(answers, other), (id) => ({
          id,
          score: 1,
          answer: id < answers ? LONG : 's',
          note: id < other ? LONG : '',
        })),
      ),
  ],
  [
    'rows.json',
    (answers, other) =>
      `[${lines(Math.max(answers, other), (id) => ({ id, score: 1, answer: id < answers ? LONG : 's', note: id < other ? LONG : '' })).replaceAll('\n', ',')}]`,
  ],
  [
    'lm-eval.jsonl',
    (answers, other) =>
      lines(Math.max(answers, other), (id) => ({
        doc_id: id,
        doc: { q: 'q' },
        target: 'a',
        resps: [[id < answers ? LONG : 's']],
        arguments: [id < other ? LONG : ''],
        metrics: ['acc'],
        acc: 1,
      })),
  ],
  [
    'promptfoo.json',
    (answers, other) =>
      JSON.stringify({
        version: 3,
        results: {
          version: 3,
          results: Array.from({ length: Math.max(answers, other) }, (_, id) => ({
            testIdx: id,
            promptIdx: 0,
            provider: { id: 'm' },
            prompt: { raw: 'q', label: 'q' },
            vars: { id },
            response: { output: id < answers ? LONG : 's' },
            score: 1,
            success: true,
            gradingResult: { pass: true, score: 1, reason: 'ok', componentResults: id < other ? LONG : '' },
          })),
        },
      }),
  ],
  [
    'openai.jsonl',
    (answers, other) =>
      [
        JSON.stringify({ spec: { eval_name: 'e', completion_fns: ['m'] } }),
        lines(Math.max(answers, other), (id) => ({
          sample_id: String(id),
          event_id: id,
          type: 'match',
          data: { correct: true, sampled: id < answers ? LONG : 's' },
          created_by: id < other ? LONG : '',
        })),
      ].join('\n'),
  ],
  [
    'every.jsonl',
    (answers, other) =>
      lines(Math.max(answers, other), (id) => ({
        schema_version: '0.2',
        evaluation_name: 'e',
        model_id: 'm',
        sample_id: String(id),
        input: { raw: 'q', reference: 'a' },
        output: { raw: [id < answers ? LONG : 's'] },
        evaluation: { score: 1, is_correct: true },
        metadata: id < other ? LONG : '',
      })),
  ],
  [
    'table.parquet',
    (answers, other) => {
      const samples = samplesOf(answers, other)
      return makeParquet([
        { name: 'id', values: samples.map(({ id }) => String(id)) },
        { name: 'score', values: samples.map(() => 1) },
        { name: 'answer', values: samples.map(({ output }) => output.completion) },
        { name: 'note', values: samples.map(({ events }) => events) },
      ])
    },
  ],
]

/** One of each way of reading: archives, tables, JSON as a stream, lines, columns. */
const kinds = /zstd|packed|table\.csv\.gz|rows\.json$|lm-eval|parquet/

describe.each(isLong ? files : files.filter(([name]) => kinds.test(name)))('%s', (name, make) => {
  it('is read whatever it has beside its answers', async () => {
    allow()
    const { samples } = await readHere(write(name, make(3, 60)), { now: 0 })
    expect(samples).toBe(60)
  })

  it('with answers that take too much memory is refused, with the limit and what to do', async () => {
    allow()
    await expect(readHere(write(name, make(40, 0)), { now: 0 })).rejects.toThrow(
      `${name}: takes more than 1.3 MB of memory, so nothing was imported; split it into smaller files, or allow more with BENCHMAKER_IMPORT_GB`,
    )
    allow(0.1)
    await expect(readHere(write(name, make(40, 0)), { now: 0 })).resolves.toMatchObject({ samples: 40 })
  })

  it('with more data than may be read is refused, with the limit and what to do', async () => {
    allow()
    // Of Parquet only the columns that are wanted are unpacked.
    await expect(
      readHere(write(name, name.endsWith('.parquet') ? make(130, 0) : make(1, 130)), { now: 0 }),
    ).rejects.toThrow(
      `${name}: has more than 10.2 MB of data after unpacking, so nothing was imported; split it into smaller files, or allow more with BENCHMAKER_IMPORT_GB`,
    )
  })
})

describe('a table', () => {
  it('may not have columns without end', async () => {
    await expect(readHere(write('wide.csv', `id,score${',x'.repeat(200_000)}\n1,1\n`), { now: 0 })).rejects.toThrow(
      /wide\.csv: has more than 100000 columns/,
    )
  })

  it('in Parquet may not declare pages or row groups that fill memory', async () => {
    const columns = ['id', 'score'].map((name) => ({ name, values: [1, 2] }))
    await expect(readHere(write('rows.parquet', makeParquet(columns, { rows: 2 ** 40 })), { now: 0 })).rejects.toThrow(
      /rows\.parquet: has a row group of 1099511627776 rows.*write it with smaller row groups/,
    )
    await expect(readHere(write('page.parquet', makeParquet(columns, { pageBytes: 2e9 })), { now: 0 })).rejects.toThrow(
      /page\.parquet: a page: has more than 256\.0 MB of data after unpacking/,
    )
  })
})

it.each([
  ['a list', 'list.jsonl', `{"id": 1, "score": 1, "x": [${'1,'.repeat(6_000_000)}1]}`],
  ['objects', 'objects.jsonl', `{"id": 1, "score": 1, "x": [${'{},'.repeat(6_000_000)}1]}`],
  [
    'a value of a log',
    'log.json',
    `{"version": 2, "eval": {"task": "t", "x": [${'[],'.repeat(6_000_000)}1]}, "samples": []}`,
  ],
])('JSON with %s of many short parts is refused before it is parsed', async (_what, name, content) => {
  await expect(readHere(write(name, content), { now: 0 })).rejects.toThrow(/has more than 5000000 parts/)
})

describe('the process that reads a file', () => {
  const listLeft = useTemporaryFolder()

  it('gives what is read here', async () => {
    for (const [name, make] of files.filter(([each]) => /zstd|every|parquet/.test(each))) {
      const path = write(name, make(20, 2))
      expect(await readResults(path, { now: 5 })).toEqual(await readHere(path, { now: 5 }))
    }
    const epochs = write(
      'epochs.csv.gz',
      gzipSync(
        `id,model,score,epoch\n${Array.from({ length: 2000 }, (_, index) => `${index >> 2},m,1,${index & 3}`).join('\n')}`,
      ),
    )
    const { runs, ...rest } = await readResults(epochs, { now: 5 })
    expect({ ...rest, runs }).toEqual(await readHere(epochs, { now: 5 }))
    expect(runs[3]!.testSuiteSnapshot).toBe(runs[0]!.testSuiteSnapshot)
    const preview = await previewResults(epochs, { now: 5, metric: 'none' })
    expect(preview).toMatchObject({ columns: { map: { id: 'id' } }, problem: expect.stringContaining('none') })
  })

  it('may run out of memory: the file is refused, and nothing of it is left', async () => {
    allow()
    const yaml = `results:\n  version: 3\n  results: [${'[], '.repeat(1_500_000)}]\n`
    await expect(readResults(write('wide.yaml', yaml), { now: 0 })).rejects.toThrow(
      /wide\.yaml: takes more than 256\.0 MB of memory, so nothing was imported; split it/,
    )
    const runs = `{"runs": [${'{},'.repeat(3_000_000)}{}]}`
    await expect(loadRunFile(write('runs.json', runs))).rejects.toThrow(/runs\.json: /)
    expect(listLeft()).toEqual([])
  })
})
