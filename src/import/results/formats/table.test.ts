import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError } from '../../../contract/index.ts'
import { makeParquet } from '../testing/parquet-file.ts'
import { isResultsFile, previewResults, readResults, type ResultsChoices } from '../read-results.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-table-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const read = (name: string, content: string | Buffer, choices: ResultsChoices = {}) =>
  readResults(write(name, content), { ...choices, now: 0 })

const columns = {
  id: 'nr',
  model: 'who',
  score: 'grade',
  epoch: 'try',
  prompt: 'q',
  answer: 'said',
  expected: 'key',
  error: 'failure',
  cost: 'usd',
}
const rows = [
  { nr: 'a', who: 'x', grade: 8, try: 1, q: 'Why, "so"?\nReally?', said: '4', key: '4', failure: '', usd: 0.5 },
  { nr: 'a', who: 'x', grade: 10, try: 2, q: 'Why, "so"?\nReally?', said: '4', key: '4', failure: '', usd: 0.5 },
  { nr: 'a', who: 'y', grade: 0, try: 1, q: 'Why, "so"?\nReally?', said: '5', key: '4', failure: '', usd: '' },
  { nr: 'b', who: 'x', grade: '', try: 1, q: 'Q', said: '', key: 'k', failure: 'timed out', usd: '' },
  { nr: 'b', who: 'y', grade: 'NaN', try: 1, q: 'Q', said: 's', key: 'k', failure: '', usd: '' },
]
const names = Object.keys(rows[0]!) as (keyof (typeof rows)[0])[]
const quote = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
const csv = (delimiter: string) =>
  [names.join(delimiter), ...rows.map((row) => names.map((name) => quote(row[name])).join(delimiter))].join('\r\n')

describe('a table of results', () => {
  it('may have a quote inside a field, and quoted line breaks where two chunks of the file meet', async () => {
    const plain = Array.from({ length: 3001 }, (_, i) => `p${i},a 5" pipe,1`)
    const quoted = Array.from({ length: 3000 }, (_, i) => `c${i},"he said ""yes""\nand, ""no""${'.'.repeat(i % 7)}",0`)
    const { samples, runs } = await read('quotes.csv', ['id,answer,score', ...plain, ...quoted, ''].join('\n'))
    expect(samples).toBe(6001)
    const answers = new Map(runs[0]!.results.map(({ testCaseId, response }) => [testCaseId, response]))
    expect(answers.get('p7')).toBe('a 5" pipe')
    expect(answers.get('c2993')).toBe(`he said "yes"\nand, "no"${'.'.repeat(2993 % 7)}`)
  })
  it.each([
    ['comma-separated', 't.csv', csv(',')],
    ['semicolon-separated, with a byte order mark', 't.csv', `\uFEFF${csv(';')}\r\n`],
    ['tab-separated', 't.tsv', csv('\t')],
    ['JSON lines', 't.jsonl', rows.map((row) => JSON.stringify(row)).join('\n')],
    ['a JSON list', 't.json', JSON.stringify(rows)],
  ])('%s: by the columns that the user names', async (_name, name, content) => {
    const { runs, scored, unscored, errors, scores } = await read(name, content, {
      columns,
      scale: { min: 0, max: 10 },
    })
    expect([scored, unscored, errors, runs.length]).toEqual([3, 1, 1, 2])
    expect(scores).toMatch(/^grade: 0 became 0 and 10 became 100 \(values from 0 to 10\), 1 without a usable value/)
    expect(
      runs[0]!.results.map(({ testCaseId, modelId, score, error }) => [testCaseId, modelId, score?.score, error]),
    ).toEqual([
      ['a', 'x', 0.8, undefined],
      ['a', 'y', 0, undefined],
      ['b', 'x', undefined, 'timed out'],
      ['b', 'y', undefined, undefined],
    ])
    expect(runs[0]!.results[0]).toMatchObject({ response: '4', cost: 0.5, score: { rawScore: 8, maxScore: 10 } })
    expect(runs[0]!.testSuiteSnapshot?.testCases[0]).toMatchObject({
      prompt: 'Why, "so"?\nReally?',
      expectedOutput: '4',
    })
  })

  it('looks into objects, and takes the usual names of columns', async () => {
    const lines = ['{"doc": {"n": 1}, "acc": true}', '{"doc": {"n": 2}, "acc": false}'].join('\n')
    const inside = await read('m.jsonl', lines, { columns: { id: 'doc.n', score: 'acc' } })
    expect(inside.runs[0]!.results.map(({ testCaseId, score }) => [testCaseId, score?.score])).toEqual([
      ['1', 1],
      ['2', 0],
    ])
    const usual = await read('gpt.csv', 'question_id,is_correct\n1,True\n2,FALSE\n')
    expect(usual.models).toEqual(['gpt'])
    expect(usual.warnings.join()).toMatch(/id is "question_id", score is "is_correct".*called gpt; --model names it/s)
    expect(usual.runs[0]!.results.map(({ score }) => score?.score)).toEqual([1, 0])
  })

  it('Parquet: only the named columns, compressed or not', async () => {
    const file = makeParquet([
      { name: 'task_id', values: ['a', 'b', 'ü'] },
      { name: 'grade', values: [1, 0, 0.5] },
      { name: 'said', values: ['x', '', 'z'] },
    ])
    const { runs, models, warnings } = await read('m.parquet', file, { columns: { score: 'grade', answer: 'said' } })
    expect(models).toEqual(['m'])
    expect(warnings.join()).toContain('id is "task_id"')
    expect(runs[0]!.results.map(({ testCaseId, score, response }) => [testCaseId, score?.score, response])).toEqual([
      ['a', 1, 'x'],
      ['b', 0, ''],
      ['ü', 0.5, 'z'],
    ])
    await expect(read('cut.parquet', file.subarray(0, file.length - 9))).rejects.toThrow(
      /cut\.parquet: is not readable Parquet/,
    )
    const damaged = Buffer.from(file)
    damaged.fill(0xff, 20, 60)
    await expect(read('damaged.parquet', damaged)).rejects.toThrow(/damaged\.parquet: is not readable Parquet/)
  })

  it('keeps ids that are too large for JavaScript apart, in JSON and in Parquet, also inside groups', async () => {
    const ids = ['9007199254740993', '9007199254740992']
    const idsOf = ({ runs }: Awaited<ReturnType<typeof read>>) => runs[0]!.results.map(({ testCaseId }) => testCaseId)
    const lines = ids.map((id) => `{"id": ${id}, "score": 1, "exact": 0.9007199254740993, "note": "${id}"}`)
    expect(idsOf(await read('large.jsonl', lines.join('\n')))).toEqual(ids)
    expect(idsOf(await read('large.json', `[${lines.join()}]`))).toEqual(ids)
    const file = makeParquet([
      { name: 'n', group: 'meta', values: ids.map(BigInt) },
      { name: 'my.score', values: [1, 0] },
    ])
    const large = await read('large.parquet', file, { columns: { id: 'meta.n', score: 'my.score', prompt: 'meta' } })
    expect(idsOf(large)).toEqual(ids)
    expect(large.runs[0]!.testSuiteSnapshot?.testCases[0]?.prompt).toBe('{"n":"9007199254740993"}')
  })

  it('reads decimals of Parquet as they are written, and refuses ids that have lost digits', async () => {
    const file = makeParquet([
      { name: 'id', scale: 0, values: [9007199254740993n, 9007199254740992n, 5n] },
      { name: 'score', scale: 6, values: [570000n, 5n, 1000000n] },
      { name: 'cost', scale: 2, group: 'meta', values: [57n, 0n, 7n] },
    ])
    const { runs } = await read('d.parquet', file, { columns: { cost: 'meta.cost' } })
    expect(runs[0]!.results.map(({ testCaseId, score, cost }) => [testCaseId, score?.score, cost])).toEqual([
      ['9007199254740993', 0.57, 0.57],
      ['9007199254740992', 0.000005, 0],
      ['5', 1, 0.07],
    ])
    const long = makeParquet([
      { name: 'id', scale: 1, values: [90071992547409930n] },
      { name: 'score', values: [1] },
    ])
    await expect(read('r.parquet', long)).rejects.toThrow(/r\.parquet: row 1: the decimal \d+ is too large/)
  })

  it('is told from a suite by a score for each row', async () => {
    expect(await isResultsFile(write('r.csv', 'id,score\n1,1\n'))).toBe(true)
    expect(await isResultsFile(write('s.csv', 'id,prompt,scoringMethod,expectedOutput\n1,q,boolean,x\n'))).toBe(false)
    expect(await isResultsFile(write('s.jsonl', '{"id": 1, "prompt": "q", "scoringMethod": "boolean"}\n'))).toBe(false)
    expect(await isResultsFile(write('s.yaml', 'name: S\ntestCases:\n  - id: a\n'))).toBe(false)
  })

  it.each<[string, string, string, ResultsChoices, RegExp]>([
    [
      'a column that is not there',
      't.csv',
      'id,score\n1,1\n',
      { columns: { id: 'nr' } },
      /there is no column "nr"; the columns are "id", "score"/,
    ],
    ['a field that is none', 't.csv', 'id,score\n1,1\n', { columns: { colour: 'id' } }, /"colour" is none of them/],
    [
      'no id',
      't.csv',
      'a,score\n1,1\n',
      { columns: { score: 'score' } },
      /which column holds the id\? Name the columns: --columns id=…/,
    ],
    [
      'an id twice',
      't.csv',
      'id,score\n1,1\n1,0\n',
      {},
      /t\.csv:3: sample "1" of t appears twice \(first in t\.csv:2\); if these are repeats, .*epoch=/,
    ],
    ['a row without an id', 't.csv', 'id,score\n,1\n', {}, /t\.csv:2: the column "id" is empty/],
    [
      'a row that is cut off',
      't.csv',
      'id,model,score\n1,m,1\n2,m\n',
      {},
      /t\.csv:3: has 2 fields where the header has 3; is the file cut off\?/,
    ],
    ['an open quote', 't.csv', 'id,score\n"1,1\n2,1\n', {}, /t\.csv:\d+: a quote is opened and never closed/],
    ['a wrong epoch', 't.csv', 'id,score,epoch\n1,1,x\n', {}, /t\.csv:2: the epoch is "x"; it must be a whole number/],
    [
      'Parquet that is none',
      't.parquet',
      'PAR1 and nothing more',
      {},
      /t\.parquet: is not readable Parquet: .*copy it again/,
    ],
    [
      'scores beyond 0 to 1',
      't.csv',
      'id,score\n1,55\n2,100\n',
      {},
      /score has 2 scores from 55 to 100, which is not 0 to 1; .*--scale MIN:MAX/,
    ],
  ])('%s: refused', async (_name, name, content, choices, message) => {
    const refusal = read(name, content, choices)
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(message)
  })
})

describe('the id of a table’s run', () => {
  const content = 'id,question,score,grade\n1,q,1,0\n'
  const idOf = async (choices: ResultsChoices = {}) => (await read('ids.csv', content, choices)).runs[0]!.id

  it('is the same if columns are named as they would be found', async () => {
    const byNames = await idOf()
    const named: Record<string, string>[] = [{ id: 'id' }, { score: 'score', id: 'id' }, { prompt: 'question' }]
    for (const chosen of named) expect(await idOf({ columns: chosen })).toBe(byNames)
    expect(await idOf({ metric: 'score' })).toBe(byNames)
  })

  it('is another if other columns are named, however many are named with them', async () => {
    const graded = await idOf({ columns: { score: 'grade' } })
    expect(graded).not.toBe(await idOf())
    expect(await idOf({ columns: { score: 'grade', id: 'id' } })).toBe(graded)
    expect(await idOf({ metric: 'grade' })).toBe(graded)
    expect(await idOf({ columns: { answer: 'question' } })).not.toBe(await idOf())
  })
})

describe('the score among columns that may be it by their names', () => {
  const metricOf = async (content: string) => (await read('scores.csv', content)).metric

  it.each([
    ['letters of a key beside it', 'id,correct,is_correct\n1,A,true\n2,C,false\n3,B,true\n', 'is_correct'],
    ['only letters that are marks, too', 'id,correct,is_correct\n1,C,true\n2,C,false\n', 'is_correct'],
    ['texts beside it', 'id,score,passed\n1,7/10,true\n2,good,false\n', 'passed'],
    ['an empty column beside it', 'id,score,grade\n1,,0.5\n2,,0.6\n', 'grade'],
    ['errors without a score', 'id,score,passed\n1,0.5,true\n2,,false\n3,,false\n', 'score'],
    ['two of the kind', 'id,score,passed\n1,0.5,true\n', 'score'],
    ['only texts', 'id,correct,grade\n1,A,B\n2,B,A\n', undefined],
  ])('is the one that holds scores: %s', async (_what, content, metric) => {
    expect(await metricOf(content)).toBe(metric)
  })

  it('is what the preview shows, and what the user names', async () => {
    const content = 'id,correct,passed\n1,A,true\n2,B,true\n'
    const { columns: shown, results } = await previewResults(write('scores.csv', content), { now: 0 })
    expect([shown?.map['score'], results?.metric]).toEqual(['passed', 'passed'])
    const named = await read('scores.csv', content, { columns: { score: 'passed' } })
    expect(named.runs[0]!.id).toBe(results?.runs[0]!.id)
    expect(await read('scores.csv', content, { columns: { score: 'correct' } })).toMatchObject({ unscored: 2 })
  })
})
