import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError, runLabelSchema } from '../../contract/index.ts'
import { readResults, type ResultsChoices } from './read-results.ts'
import { makeZip, type ZipPart } from './testing/zip-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-hostile-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(name: string, content: string | Buffer, choices: ResultsChoices = {}) {
  const path = join(folder, name)
  writeFileSync(path, content)
  return readResults(path, { ...choices, now: 0 })
}

const header = (more: object = {}) =>
  JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm' }, ...more })
const sample = (id: number | string, more: object = {}) =>
  JSON.stringify({
    id,
    epoch: 1,
    input: 'q',
    target: 'a',
    output: { completion: 'x' },
    scores: { s: { value: 'C' } },
    ...more,
  })
const log = (samples: Omit<ZipPart, 'name'>[], more: ZipPart[] = []) =>
  makeZip([
    { name: 'header.json', content: header() },
    ...samples.map((part, index) => ({ name: `samples/${index}_epoch_1.json`, ...part })),
    ...more,
  ])

describe('an Inspect archive', () => {
  it('reads deflate, zstd and stored entries, and of two entries with one name the last', async () => {
    const parts: ZipPart[] = ([0, 8, 93] as const).map((method, index) => ({
      name: `samples/${index}_epoch_1.json`,
      content: sample(index),
      method,
    }))
    const again = { name: 'samples/0_epoch_1.json', content: sample(0, { scores: { s: { value: 'I' } } }) }
    const { runs } = await read('ok.eval', makeZip([{ name: 'header.json', content: header() }, ...parts, again]))
    expect(runs[0]!.results.map(({ testCaseId, score }) => [testCaseId, score?.score])).toEqual([
      ['0', 0],
      ['1', 1],
      ['2', 1],
    ])
  })

  it('without a header is read from its journal, with a warning', async () => {
    const archive = makeZip([
      { name: '_journal/start.json', content: header({ status: 'started' }) },
      { name: 'samples/1_epoch_1.json', content: sample(1) },
    ])
    expect((await read('killed.eval', archive)).warnings.join()).toContain('did not finish')
  })

  const bomb = Buffer.alloc(40 * 1024 * 1024, 0x20)
  const two = Buffer.concat([zstdCompressSync(Buffer.from(sample(1))), zstdCompressSync(Buffer.from(' '.repeat(50)))])
  it.each<[string, () => Buffer, RegExp]>([
    [
      'a bomb',
      () => log([{ content: bomb, method: 93 }]),
      /bomb\.eval: "samples\/0_epoch_1\.json" unpacks to more than 1000 times its size/,
    ],
    ['a deflate bomb', () => log([{ content: bomb }]), /unpacks to more than 1000 times its size/],
    [
      'more than it declares',
      () => log([{ content: bomb, method: 93, claims: { size: 1000 } }]),
      /holds more than the 1000 bytes it declares/,
    ],
    [
      'two zstd frames',
      () => log([{ content: sample(1) + ' '.repeat(50), method: 93, claims: { data: two } }]),
      /is damaged: it has \d+ bytes where \d+ are declared; copy the archive again/,
    ],
    ['a wrong checksum', () => log([{ content: sample(1), claims: { crc: 1 } }]), /its checksum is wrong/],
    [
      'another method',
      () => log([{ content: sample(1), claims: { method: 14 } }]),
      /compressed with LZMA; only deflate and zstd are read/,
    ],
    ['a password', () => log([{ content: sample(1), claims: { flags: 0x801 } }]), /is encrypted/],
    [
      'damaged data',
      () => log([{ content: sample(1), claims: { data: Buffer.from('no data here') } }]),
      /cannot be unpacked|is damaged/,
    ],
    ['half of it', () => log([{ content: sample(1) }]).subarray(0, 200), /is not a readable archive: .*copy it again/],
    [
      'a path out of it',
      () => log([], [{ name: '../../evil_epoch_1.json', content: sample(1) }]),
      /invalid relative path.*are not read/,
    ],
    [
      'an absolute path',
      () => log([], [{ name: '/etc/evil_epoch_1.json', content: sample(1) }]),
      /absolute path.*are not read/,
    ],
    [
      'other files',
      () => makeZip([{ name: 'a.txt', content: 'x' }]),
      /without header\.json, so it is not an Inspect log; it has a\.txt/,
    ],
    ['no samples', () => log([]), /contains no samples/],
    [
      'one id twice',
      () => log([{ content: sample(1) }, { content: sample(1) }]),
      /samples\/1_epoch_1\.json: sample "1" of m appears twice \(first in .*samples\/0_epoch_1\.json\)/,
    ],
    [
      'a later version',
      () => makeZip([{ name: 'header.json', content: header({ version: 7 }) }]),
      /version 7; versions 1 to 3 are known: convert it/,
    ],
    [
      'a sample that is not JSON',
      () => log([{ content: '{"id": 1, "epoch": 1, "input": tru}' }]),
      /samples\/0_epoch_1\.json is not JSON near byte \d+/,
    ],
    [
      'a sample that is cut off',
      () => log([{ content: '{"id": 1, "epoch": 1, "input": "a' }]),
      /samples\/0_epoch_1\.json is cut off: it ends at byte 33/,
    ],
    ['a sample without id', () => log([{ content: '{"epoch": 1}' }]), /a sample without an id/],
    [
      'an epoch that is no number',
      () => log([{ content: sample(1, { epoch: -3 }) }]),
      /has the epoch -3; it must be 1 or more/,
    ],
  ])('with %s is refused, with what and where', async (_name, make, message) => {
    const refusal = read('bomb.eval', make())
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(message)
  })

  it('of the first scorer in the log counts, and a spreadsheet is no log', async () => {
    const { metric } = await read(
      'two.eval',
      log([{ content: sample(1, { scores: { includes: { value: 'C' }, match: { value: 'I' } } }) }]),
    )
    expect(metric).toBe('includes')
    await expect(read('book.xlsx', log([{ content: sample(1) }]))).rejects.toThrow(/is not a results file/)
  })

  it('keeps a label that can be shown, whatever the file and its metrics are called', async () => {
    const odd = `${'\u{1f600}'.repeat(60)}\u0007\u2028.eval`
    const { runs } = await read(odd, log([{ content: sample(1, { scores: { 'a\nb\u0000': { value: 1 } } }) }]))
    const label = runLabelSchema.parse(runs[0]!.label)
    expect(label?.name).toMatch(/^\u{1f600}+ +\.eval$/u)
    expect(label?.note).toContain('Scores: a b :')
  })

  it('writes nothing beside itself, whatever its entries are called', async () => {
    const before = readdirSync(folder)
    await read('odd.eval', log([], [{ name: 'samples/C:\\windows\\evil_epoch_1.json', content: sample(1) }])).catch(
      () => undefined,
    )
    expect(readdirSync(folder).filter((name) => !before.includes(name))).toEqual(['odd.eval'])
  })

  it('keeps errors, scores and answers without a score apart, and __proto__ is a key like any other', async () => {
    const archive = log([
      { content: sample(1, { error: { message: 'boom' } }) },
      { content: sample(2, { scores: {} }) },
      { content: sample(3, { scores: { s: { value: 0.25 } } }) },
      { content: sample(4, { scores: { s: { value: 'what' } } }) },
      { content: sample(5).replace('"scores":{', '"scores":{"__proto__":{"value":1},') },
    ])
    const { runs, scored, unscored, errors } = await read('mixed.eval', archive)
    expect([scored, unscored, errors]).toEqual([2, 2, 1])
    expect(
      runs[0]!.results.map(({ score, unscored: reason, error }) => score?.score ?? reason?.message ?? error),
    ).toEqual(['boom', 'the file has no score for it', 0.25, 'the score is the text "what", not a number', 1])
    expect(Reflect.get({}, 'value')).toBeUndefined()
  })
})

describe('results in JSON', () => {
  const inspect = (samples: string) =>
    `{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": [${samples}]}`
  it.each<[string, string, string | Buffer, RegExp]>([
    [
      'an Inspect log that is cut off',
      'a.json',
      inspect(sample(1)).slice(0, -20),
      /a\.json is cut off: it ends at byte \d+/,
    ],
    [
      'an Inspect log with a comma too many',
      'a.json',
      inspect(`${sample(1)},`),
      /a\.json is not JSON: found "\]" at byte \d+/,
    ],
    [
      'an older promptfoo',
      'p.json',
      '{"evalId": "x", "results": {"version": 2, "results": []}}',
      /promptfoo output of version 2; version 3 and later are read/,
    ],
    [
      'promptfoo without rows',
      'p.json',
      '{"evalId": "x", "results": {"version": 3, "results": []}}',
      /p\.json: contains no samples/,
    ],
    ['UTF-16', 'a.json', Buffer.from(inspect(sample(1)), 'utf16le'), /is not a results file|UTF-16/],
    [
      'bytes that are not UTF-8',
      'a.json',
      Buffer.concat([
        Buffer.from(inspect(sample(1)).replace('"q"', '"\u0001"')).map((byte) => (byte === 1 ? 0xff : byte)),
      ]),
      /a\.json: is not UTF-8 text near byte \d+/,
    ],
    [
      'a document that is not one of these',
      'a.json',
      '{"hello": 1}',
      /a\.json: is not a results file that Benchmaker can read\. Looked for:/,
    ],
    ['nothing', 'a.json', '', /a\.json: is empty/],
    [
      'lm-eval twice the same document',
      's.jsonl',
      `${JSON.stringify({ doc_id: 1, resps: [], acc: 1 })}\n`.repeat(2),
      /s\.jsonl:2: doc_id 1 with the filter "none" is there twice \(first in line 1\)/,
    ],
    [
      'lm-eval with a line that is cut off',
      's.jsonl',
      `${JSON.stringify({ doc_id: 1, resps: [], acc: 1 })}\n{"doc_id": 2, "resps`,
      /s\.jsonl:2: is not JSON: .*is the file cut off\?/,
    ],
    ['OpenAI evals without events', 'e.jsonl', '{"spec": {"eval_name": "x"}}\n', /has no events of samples/],
  ])('%s: refused', async (_name, file, content, message) => {
    const refusal = read(file, content)
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(message)
  })

  it('passes over very large fields without keeping them, and reads NaN', async () => {
    const events = `"events": [${Array.from({ length: 20_000 }, () => '{"a": "\\"]}{[", "b": [1, {"c": NaN}]}').join(',')}]`
    const large = sample(1).replace(/\}$/, `,${events}, "score_extra": NaN}`)
    const { runs } = await read('large.json', inspect(`${large},${sample(2, { scores: { s: { value: 'NaN' } } })}`))
    expect(runs[0]!.results.map(({ score }) => score?.score)).toEqual([1, undefined])
  })

  it('the filters of a document are metrics of it, and repeats of OpenAI evals are epochs', async () => {
    const rows = ['strict', 'flexible'].flatMap((filter, index) =>
      [1, 2].map((id) =>
        JSON.stringify({ doc_id: id, filter, resps: [], metrics: ['exact_match'], exact_match: index }),
      ),
    )
    const harness = await read('samples_x_2025-01-01T00-00-00.jsonl', rows.join('\n'), { model: 'm' })
    expect(harness.metrics.map(({ name }) => name)).toEqual(['exact_match,strict', 'exact_match,flexible'])
    expect([harness.samples, harness.task, harness.metric]).toEqual([2, 'x', 'exact_match,strict'])
    const event = (type: string, data: object) => JSON.stringify({ event_id: 0, sample_id: 's', type, data })
    const evals = await read(
      'record.jsonl',
      [
        '{"spec": {"completion_fns": ["m"], "eval_name": "x"}}',
        event('sampling', { prompt: 'q', sampled: ['one'] }),
        event('match', { correct: true, expected: 'one' }),
        event('sampling', { prompt: 'q', sampled: ['two'] }),
        event('match', { correct: false, expected: 'one' }),
      ].join('\n'),
    )
    expect(evals.epochs).toBe(2)
    expect(evals.runs.map(({ results }) => [results[0]!.response, results[0]!.score?.score])).toEqual([
      ['one', 1],
      ['two', 0],
    ])
  })

  it('tests of promptfoo with the same variables and assertions are repeats; others are cases of their own', async () => {
    const row = (testIdx: number, vars: object, more: object = {}) => ({
      testIdx,
      promptIdx: 0,
      provider: { id: 'm', label: '' },
      promptId: 'p',
      prompt: { raw: 'r', label: 'r' },
      vars,
      testCase: { vars, assert: [{ type: 'equals', value: 'x' }] },
      response: { output: 'x' },
      score: 1,
      success: true,
      failureReason: 0,
      ...more,
    })
    const rows = [
      row(2, { a: '1' }),
      row(0, { a: '1' }),
      row(1, { a: '2' }, { failureReason: 2, error: 'no', score: 0, success: false }),
      row(3, { a: '1' }, { testCase: { assert: [{ type: 'equals', value: 'y' }] } }),
    ]
    const content = JSON.stringify({ results: { version: 3, results: rows }, evalId: 'e' })
    const { runs, epochs, errors } = await read('p.json', content)
    expect([epochs, errors]).toEqual([2, 1])
    expect(runs.map(({ results }) => results.map(({ testCaseId }) => testCaseId.replace(/-[0-9a-f]{6}/, '')))).toEqual([
      ['1', '2', '1-2'],
      ['1'],
    ])
    await expect(
      read('twice.json', JSON.stringify({ results: { version: 3, results: [row(0, {}), row(0, {})] } })),
    ).rejects.toThrow(/test 0 of m is there twice/)
  })
})

describe('a results file that is nested too deeply', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const withValue = (record: object, value: string) => JSON.stringify(record).replace('"HERE"', value)
  const inspect = (value: string) =>
    withValue(
      { version: 2, status: 'success', eval: { task: 't', model: 'm' }, samples: [{ id: 1, input: 'HERE' }] },
      value,
    )
  const promptfoo = (value: string) =>
    withValue({ results: { version: 3, results: [{ provider: { id: 'm' }, vars: { a: 'HERE' }, score: 1 }] } }, value)
  const promptfooYaml = (value: string) =>
    `results:\n  version: 3\n  results:\n    - provider: { id: m }\n      score: 1\n      vars: { a: ${value} }\n`
  const evals = (value: string) =>
    `{"spec":{"completion_fns":["m"]}}\n${withValue({ event_id: 0, sample_id: 'a', type: 'match', data: { correct: true, expected: 'HERE' } }, value)}`
  const lmEval = (value: string) =>
    withValue(
      { doc_id: 0, doc: { q: 'HERE' }, target: 'x', arguments: [], resps: [['x']], filtered_resps: ['x'], acc: 1 },
      value,
    )
  const row = (value: string) => withValue({ id: 'a', score: 1, answer: 'HERE' }, value)
  it.each<[string, string, string | Buffer]>([
    ['an Inspect log', 'deep.json', inspect(deep(3000))],
    ['an Inspect archive', 'deep.eval', log([{ content: withValue({ id: 1, input: 'HERE' }, deep(200_000)) }])],
    ['promptfoo', 'deep-promptfoo.json', promptfoo(deep(3000))],
    ['promptfoo in YAML', 'deep-promptfoo.yaml', promptfooYaml(deep(200))],
    ['promptfoo in YAML that contains itself', 'circle-promptfoo.yaml', promptfooYaml('&a [*a]')],
    ['OpenAI evals', 'deep-evals.jsonl', evals(deep(3000))],
    ['lm-evaluation-harness', 'samples_t_2024-08-21T03-44-09.494230.jsonl', lmEval(deep(20_000))],
    ['JSON lines', 'deep.jsonl', row(deep(20_000))],
    ['a JSON list', 'deep-list.json', `[${row(deep(20_000))}]`],
    ['a list in a list', 'deep-columns.json', `[${row(deep(91))}]`],
  ])('%s: is refused, never by an overflow', async (_, name, content) => {
    const refusal = read(name, content)
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(/is nested deeper than 90 levels$/)
  })

  it('what is passed over may be as deep as it likes, and what is kept nearly 90 levels', async () => {
    const passedOver = inspect('"q"').replace('"id":1', `"id":1,"events":${deep(3000)}`)
    expect((await read('events.json', passedOver)).samples).toBe(1)
    expect((await read('allowed.jsonl', row(deep(80)))).samples).toBe(1)
  })
})
