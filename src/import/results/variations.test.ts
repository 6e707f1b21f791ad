import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { auditScoring } from '../../scoring/index.ts'
import { makeZip } from './testing/zip-file.ts'
import { readResults, type ReadResults, type ResultsChoices } from './read-results.ts'

// Files as the sources of the tools write them, in the ways in which they differ between versions and options.

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-variations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
function write(name: string, content: string | Buffer): string {
  written += 1
  const path = join(folder, String(written), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
const read = (name: string, content: string | Buffer, choices: ResultsChoices = {}) =>
  readResults(write(name, content), { ...choices, now: 0 })

/** Mean of what is scored, and how many are unscored and errors. */
function figures({ runs, unscored, errors }: ReadResults) {
  const scores = runs.flatMap(({ results }) => results.flatMap(({ score }) => (score ? [score.score] : [])))
  return { mean: scores.reduce((sum, score) => sum + score, 0) / scores.length, n: scores.length, unscored, errors }
}

const lines = (rows: readonly object[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`

describe('Inspect', () => {
  const log = (samples: object[], about: object = {}, more: object = {}) =>
    JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 't', model: 'openai/gpt-4o', ...about },
      ...more,
      samples: samples.map((sample, index) => ({ id: index + 1, epoch: 1, input: 'q', target: 'a', ...sample })),
    })
  const scored = (value: unknown, more: object = {}) => ({ scores: { m: { value } }, ...more })

  it('a list of scores is several metrics, letters too', async () => {
    const lists = log([scored(['C', 'I']), scored(['I', 'I'])])
    expect(await read('a.json', lists)).toMatchObject({ metric: 'm[0]', metrics: [{ name: 'm[0]' }, { name: 'm[1]' }] })
    expect(figures(await read('a.json', lists, { metric: 'm[1]' }))).toMatchObject({ mean: 0, n: 2 })
  })

  it('keeps what a solver told the model before the question, in a log or an archive', async () => {
    const user = { role: 'user', content: 'q' }
    const messages = [
      { role: 'system', content: 'attachment://abc' },
      { role: 'system', content: [{ type: 'text', text: 'Answer in one word.' }] },
      user,
      { role: 'assistant', content: 'a' },
      { role: 'system', content: 'later' },
    ]
    const told = [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: 'Answer in one word.' },
    ]
    const samples = [
      scored('C', { messages, attachments: { abc: 'Be kind.', def: 'unused' } }),
      scored('C', { messages: [user] }),
      scored('C', { messages: null }),
      scored('C', { input: [told[0], user], messages }),
      scored('C', { messages, choices: ['x', 'y'], attachments: { abc: 'Be kind.' } }),
    ]
    const wanted = [
      { messages: [...told, user] },
      { prompt: 'q' },
      { prompt: 'q' },
      { messages: [told[0], user] },
      { messages: [...told, { role: 'user', content: 'q\n\nA) x\nB) y' }] },
    ]
    const text = log(samples)
    const { samples: whole, ...header } = JSON.parse(text)
    const archive = makeZip([
      { name: 'header.json', content: JSON.stringify(header) },
      ...whole.map((sample: { id: number }) => ({
        name: `samples/${sample.id}_epoch_1.json`,
        content: JSON.stringify(sample),
      })),
    ])
    for (const { runs } of [await read('a.json', text), await read('a.eval', archive)])
      expect(runs[0]!.testSuiteSnapshot?.testCases).toMatchObject(wanted)
    const same = scored('C', { messages: [told[0], user] })
    const [run] = (await read('a.json', log([same, same]))).runs
    expect(run?.testSuiteSnapshot).toMatchObject({
      systemPrompt: 'Be kind.',
      testCases: [{ prompt: 'q' }, { prompt: 'q' }],
    })
  })

  it('a sample that was marked as invalid does not count, and that is said', async () => {
    const results = await read('a.json', log([scored('I'), scored('C', { invalidation: { reason: 'wrong image' } })]))
    expect(figures(results)).toEqual({ mean: 0, n: 1, unscored: 1, errors: 0 })
    expect(results.warnings).toEqual([expect.stringContaining('1 of 2 samples are marked as invalid')])
    expect(results.runs[0]!.results[1]!.unscored?.message).toContain('wrong image')
  })

  it('a log without a model takes the one it used, or the one that the user names', async () => {
    const usage = { stats: { model_usage: { 'openai/gpt-5': { input_tokens: 1 } } } }
    expect((await read('a.json', log([scored('C')], { model: 'none/none' }, usage))).models).toEqual(['openai/gpt-5'])
    const unnamed = log([scored('C')], { model: undefined })
    expect(await read('a.json', unnamed)).toMatchObject({
      isModelUnnamed: true,
      warnings: [expect.stringContaining('--model names it')],
    })
    expect((await read('a.json', unnamed, { model: 'mine' })).models).toEqual(['mine'])
  })
})

describe('promptfoo', () => {
  const row = (testIdx: number, more: object = {}) => ({
    promptIdx: 0,
    testIdx,
    promptId: 'p',
    provider: { id: 'openai:gpt-4o', label: '' },
    prompt: { raw: `Say v${testIdx}`, label: 'Say {{x}}' },
    vars: { x: `v${testIdx}` },
    testCase: { vars: { x: `v${testIdx}` }, assert: [{ type: 'equals', value: 'a' }] },
    response: { output: 'a' },
    score: 1,
    success: true,
    failureReason: 0,
    namedScores: {},
    ...more,
  })
  const rows = [
    row(0),
    row(1, { score: 0, success: false, failureReason: 1, error: 'Expected a' }),
    row(2, { score: 0, success: false, failureReason: 2, error: 'API error 500' }),
  ]
  const summary = { version: 3, timestamp: '2025-01-01T00:00:00.000Z', prompts: [], results: rows, stats: {} }
  const expected = { mean: 0.5, n: 2, unscored: 0, errors: 1 }
  const casesOf = ({ runs }: ReadResults) => runs[0]!.results.map(({ testCaseId }) => testCaseId)

  it.each([
    ['the JSON of its library', 'a.json', JSON.stringify(summary)],
    // Lines have no vars of their own.
    ['JSON lines', 'a.jsonl', lines(rows.map(({ vars: _vars, ...rest }) => ({ ...rest, evalId: 'e' })))],
    ['JSON lines in gzip', 'a.jsonl.gz', gzipSync(lines(rows))],
    [
      'YAML, which refers to what is equal',
      'a.yaml',
      `evalId: e\nresults:\n  version: 3\n  results:\n${rows
        .map(
          ({ vars, testCase: { assert }, ...rest }, index) =>
            `    - vars: &ref_${index} ${JSON.stringify(vars)}\n      testCase:\n        vars: *ref_${index}\n        assert: ${JSON.stringify(assert)}\n${Object.entries(
              rest,
            )
              .map(([key, value]) => `      ${key}: ${JSON.stringify(value)}`)
              .join('\n')}`,
        )
        .join('\n')}\nconfig: {}\n`,
    ],
    [
      'CSV',
      'a.csv',
      `x,[openai:gpt-4o] Say {{x}},Status,Score,Named Scores,Grader Reason,Comment\nv0,"a, b",PASS,1.00,{},,\nv1,a,FAIL,0.00,{},no,\nv2,,ERROR,0.00,{},API error 500,\n`,
    ],
    [
      'the CSV of older versions',
      'a.csv',
      `x,[openai:gpt-4o] Say {{x}}\nv0,[PASS] a\nv1,"[FAIL] Expected a\n---\na"\nv2,[ERROR] API error 500\n`,
    ],
  ])('%s gives what the JSON output gives', async (_name, name, content) => {
    const plain = await read('a.json', JSON.stringify({ evalId: 'e', results: summary, config: {} }))
    expect(figures(plain)).toEqual(expected)
    const other = await read(name, content)
    expect(figures(other)).toEqual(expected)
    expect(other.models).toEqual(plain.models)
    expect(casesOf(other)).toEqual(casesOf(plain))
    expect(other.runs[0]!.results[2]!.error).toBe('API error 500')
  })

  it('what promptfoo adds to the variables while it runs does not make another case', async () => {
    const talk = (said: string) =>
      read('a.jsonl', lines([row(0, { vars: { x: 'v0', _conversation: [{ output: said }], sessionId: said } })]))
    expect(casesOf(await talk('one'))).toEqual(casesOf(await talk('another')))
  })

  it('a named score called score does not replace that of the test', async () => {
    const named = lines([
      row(0, { score: 0.5, success: false, failureReason: 1, namedScores: { score: 1, tone: 0.2 } }),
    ])
    const byDefault = await read('a.jsonl', named)
    expect([byDefault.metric, figures(byDefault).mean]).toEqual(['score', 0.5])
    expect(byDefault.metrics.map(({ name }) => name)).toEqual(['score', 'namedScores.score', 'tone'])
    expect(figures(await read('a.jsonl', named, { metric: 'namedScores.score' })).mean).toBe(1)
    expect(figures(await read('a.jsonl', named, { metric: 'tone' })).mean).toBe(0.2)
  })

  it('rows without a prompt id are of one prompt if its template is one', async () => {
    const { warnings, runs } = await read('a.jsonl', lines(rows.map(({ promptId: _id, ...rest }) => rest)))
    expect([warnings, runs.length]).toEqual([[], 1])
  })
})

describe('lm-evaluation-harness', () => {
  const TIME = '2025-01-01T00-00-00.000001'
  const doc = (id: number, metrics: object) => ({
    doc_id: id,
    doc: { question: `q${id}` },
    target: '1',
    arguments: { gen_args_0: { arg_0: 'p', arg_1: 'a' } },
    resps: [['a']],
    filtered_resps: ['a'],
    ...metrics,
  })
  const samples = (...rows: object[]) => lines(rows.map((metrics, index) => doc(index, metrics)))

  it.each<[string, object, object]>([
    ['Matthews correlation: gold and prediction', { mcc: [1, 0] }, { mcc: [1, 1] }],
    ['perplexity: log-likelihood and weight', { word_perplexity: [-0.5, 0.3] }, { word_perplexity: [-0.1, 0.2] }],
    ['a task that is not scored', { bypass: 999 }, { bypass: 999 }],
  ])('%s is not taken for a score', async (_name, first, second) => {
    const results = await read(`samples_t_${TIME}.jsonl`, samples(first, second), { model: 'm' })
    expect(results.metric).toBeUndefined()
    expect(results).toMatchObject({ scored: 0, unscored: 2 })
  })

  it('an error measure counts downwards, also without a summary beside it', async () => {
    const results = await read(`samples_t_${TIME}.jsonl`, samples({ mae: 0.1 }, { mae: 0.3 }), { model: 'm' })
    expect(figures(results).mean).toBeCloseTo(0.8, 12)
    expect(results.scores).toBe('mae: 0 became 100 and 1 became 0')
  })

  it.each([
    ['toxicity_score', 'lower', 0.9],
    ['word_error_rate', 'lower', 0.9],
    ['helpfulness', 'higher', 0.1],
    ['terms', 'higher', 0.1],
  ] as const)('without a summary, the direction of %s is assumed openly', async (metric, assumed, mean) => {
    const path = write(`samples_t_${TIME}.jsonl`, samples({ [metric]: 0.1 }, { [metric]: 0.1 }))
    const alone = await readResults(path, { model: 'm', now: 0 })
    expect(figures(alone).mean).toBeCloseTo(mean, 12)
    expect(alone).toMatchObject({
      assumedDirection: assumed,
      warnings: [
        `samples_t_${TIME}.jsonl: ${assumed} values of ${metric} are assumed to be better, because there is no results_….json of the same time that says so; put it beside the file, or choose both in the web app${assumed === 'higher' ? '; --lower-is-better turns them round' : ''}`,
      ],
    })
    // Whoever says it assumes nothing, and neither does the summary.
    expect((await readResults(path, { model: 'm', lowerIsBetter: true, now: 0 })).warnings).toEqual([])
    const summary = { higher_is_better: { t: { [metric]: assumed === 'lower' } } }
    writeFileSync(join(dirname(path), `results_${TIME}.json`), JSON.stringify(summary))
    const summarised = await readResults(path, { model: 'm', now: 0 })
    expect([summarised.assumedDirection, summarised.warnings]).toEqual([undefined, []])
    expect(figures(summarised).mean).toBeCloseTo(1 - mean, 12)
  })

  it.each(['acc', 'acc_norm', 'exact_match', 'bleu_acc', 'f1'])('nothing is assumed about %s', async (metric) => {
    const { assumedDirection, warnings } = await read(`samples_t_${TIME}.jsonl`, samples({ [metric]: 1 }), {
      model: 'm',
    })
    expect([assumedDirection, warnings]).toEqual([undefined, []])
  })

  it.each([
    [{ model_name: '', config: { model: 'hf', model_args: 'dtype=auto,pretrained=org/name,x=1' } }, 'org/name'],
    [{ config: { model: 'vllm', model_args: { pretrained: 'org/name' } } }, 'org/name'],
    [{ model_name: 'org/given', config: {} }, 'org/given'],
    [{ model_name: '', config: { model: 'dummy', model_args: '' } }, 'dummy'],
  ])('reads the model from the summary %j', async (summary, model) => {
    const path = write(`samples_t_${TIME}.jsonl`, samples({ acc: 1 }))
    writeFileSync(join(dirname(path), `results_${TIME}.json`), JSON.stringify(summary))
    expect((await readResults(path, { now: 0 })).models).toEqual([model])
  })

  it('the answer is what the model wrote; what the filter made of it explains the score', async () => {
    const row = { ...doc(0, { exact_match: 0 }), target: 'So 6 × 7 = 42.\n#### 42', resps: [['It makes 42 in all.']] }
    const rows = [
      { ...row, filter: 'strict-match', filtered_resps: ['[invalid]'] },
      { ...row, filter: 'flexible-extract', exact_match: 1, filtered_resps: ['42'] },
    ]
    const cell = async (metric: string) => {
      const { runs } = await read('samples_t.jsonl', lines(rows), { model: 'm', metric })
      expect(auditScoring(runs[0]!).suspects).toHaveLength(1)
      return runs[0]!.results[0]!
    }
    expect(await cell('exact_match,strict-match')).toMatchObject({
      response: 'It makes 42 in all.',
      score: { score: 0, notes: expect.stringMatching(/^strict-match read: \[invalid\]/), otherReading: 'passes' },
    })
    expect(await cell('exact_match,flexible-extract')).toMatchObject({
      score: { score: 1, notes: expect.stringMatching(/^flexible-extract read: 42/), otherReading: 'fails' },
    })
  })

  it('several texts of a document are not log-likelihoods', async () => {
    const { runs } = await read(
      'samples_t.jsonl',
      samples({ exact_match: 1, resps: [['42', '43']], filtered_resps: [['42', '43']] }),
    )
    expect(runs[0]!.results[0]!.response).toBe('["42","43"]')
  })
})

describe('OpenAI evals', () => {
  it('the score of a grading model counts, not the letter that it picked', async () => {
    const grade = (id: number, choice: string, score: number | null) => ({
      run_id: 'r',
      event_id: id,
      sample_id: `fact.${id}`,
      type: 'metrics',
      data: { choice, score },
    })
    const results = await read(
      'a.jsonl',
      lines([
        { spec: { completion_fns: ['gpt-4'], eval_name: 'fact.dev.v0' } },
        grade(0, 'C', 1),
        grade(1, 'A', 1),
        grade(2, 'D', 0),
        grade(3, '__invalid__', null),
      ]),
    )
    expect(results.metric).toBe('score')
    expect(figures(results)).toEqual({ mean: 2 / 3, n: 3, unscored: 1, errors: 0 })
  })

  it.each(['gpt-4', 'gpt-3.5'])('two joined files are refused, the second of %s', async (second) => {
    const match = { event_id: 0, sample_id: 'e.0', type: 'match', data: { correct: true, expected: 'a', sampled: 'a' } }
    const records = ['gpt-4', second].flatMap((model) => [
      { spec: { completion_fns: [model], eval_name: 'e' } },
      { run_id: 'r', ...match },
    ])
    await expect(read('a.jsonl', lines(records))).rejects.toThrow(
      /a\.jsonl:3: has a second spec \(first in line 1\); were two files joined\? Import each by itself/,
    )
  })
})

describe('a table', () => {
  it.each([
    [
      'JSON lines',
      'a.jsonl',
      lines([
        { id: 'a', score: 1 },
        { id: 'b', correct: 1, score: 0.5 },
      ]),
    ],
    [
      'a JSON list',
      'a.json',
      JSON.stringify([
        { id: 'a', score: 1 },
        { id: 'b', score: 0.5 },
      ]),
    ],
    ['decimal commas', 'a.csv', 'id;score\r\na;1\r\nb;0,5\r\n'],
    ['percentages', 'a.csv', 'id,score\na,100%\nb,50 %\n'],
    ['UTF-16', 'a.csv', Buffer.from('\uFEFFid,score\na,1\nb,0.5\n', 'utf16le')],
    ['gzip', 'a.csv.gz', gzipSync('id,score\na,1\nb,0.5\n')],
    ['words for no error', 'a.csv', 'id,score,error\na,1,None\nb,0.5,nan\n'],
    ['blanks around ids', 'a.csv', 'id , score\n a,1\nb , 0.5\n'],
  ])('%s: known by the usual names of its columns', async (_name, name, content) => {
    const results = await read(name, content)
    expect(figures(results)).toEqual({ mean: 0.75, n: 2, unscored: 0, errors: 0 })
    expect(results.runs[0]!.results.map(({ testCaseId }) => testCaseId)).toEqual(['a', 'b'])
  })

  it.each([
    ['a comma outside quotes', 'id,answer,score\n1,hello, world,1\n', /a\.csv:2: has 4 fields where the header has 3/],
    ['two columns of one name', 'id,score,score\n1,1,0\n', /two columns are named "score"/],
    ['no column for the score', 'id,bleu\n1,1\n', /which column holds the score\?.*there are "id", "bleu"/],
    ['cut gzip', gzipSync('id,score\n'.padEnd(9999, '1,1\n')).subarray(0, 30), /a\.csv: cannot be unpacked: .*copy it/],
  ])('%s is refused with what to do', async (_name, content, message) => {
    await expect(read('a.csv', content)).rejects.toThrow(message)
  })

  // 85% is 0.85 of the scale, whatever the scale is.
  it.each([
    ['a,85%\nb,90', { scale: { min: 0, max: 100 } }, [0.85, 0.9]],
    ['a,85%\nb,3', { scale: { min: 1, max: 5 } }, [0.85, 0.5]],
    ['a,85%\nb,50%', { scale: { min: 1, max: 5 } }, [0.85, 0.5]],
    ['a,85%\nb,90', { scale: { min: 0, max: 100 }, lowerIsBetter: true }, [0.15, 0.1]],
    ['a,85%\nb,0.5', {}, [0.85, 0.5]],
  ])('percentages among other numbers: %j with %j', async (rows, choices, expected) => {
    const { runs, scores } = await read('a.csv', `id,score\n${rows}\n`, choices)
    const given = runs[0]!.results.map(({ score }) => Number(score!.score.toFixed(12)))
    expect(given).toEqual(expected)
    expect(scores).toContain('100% became ')
  })

  it('percentages beyond 100% are refused, and other numbers need a scale', async () => {
    await expect(read('a.csv', 'id,score\na,120%\nb,90%\n')).rejects.toThrow(/score has 1 percentage beyond 0% to 100%/)
    await expect(read('a.csv', 'id,score\na,120%\nb,9\n', { scale: { min: 0, max: 10 } })).rejects.toThrow(/beyond 0%/)
    await expect(read('a.csv', 'id,score\na,85%\nb,90\n')).rejects.toThrow(/scores from 90 to 90, which is not 0 to 1/)
  })

  it.each([
    ['a,1.0000000000000002\nb,-1e-17\nc,0.5', {}, [1, 0, 0.5]],
    ['a,1.0000000000000002\nb,-1e-17\nc,0.5', { lowerIsBetter: true }, [0, 1, 0.5]],
    ['a,100.00000000000001%\nb,-1e-15%\nc,50%', {}, [1, 0, 0.5]],
    ['a,5.000000000000001\nb,0.9999999999999999\nc,3', { scale: { min: 1, max: 5 } }, [1, 0, 0.5]],
  ])('what rounding put beyond the ends of the scale is at its end: %j with %j', async (rows, choices, expected) => {
    const { runs } = await read('a.csv', `id,score\n${rows}\n`, choices)
    expect(runs[0]!.results.map(({ score }) => score!.score)).toEqual(expected)
  })

  it('what is further beyond them is refused, with all digits', async () => {
    await expect(read('a.csv', 'id,score\na,1.00000001\nb,0.5\n')).rejects.toThrow(
      'score has 2 scores from 0.5 to 1.00000001, which is not 0 to 1',
    )
    await expect(read('a.csv', 'id,score\na,5.0000001\nb,2\n', { scale: { min: 1, max: 5 } })).rejects.toThrow(
      'score has values from 2 to 5.0000001, beyond the scale 1:5',
    )
  })

  it('a thousand is not mistaken for a fraction', async () => {
    expect(await read('a.csv', 'id;score\na;1\nb;1,234\n')).toMatchObject({ scored: 1, unscored: 1 })
  })

  it('a column can be chosen as the metric', async () => {
    expect(figures(await read('a.csv', 'id,bleu,rouge\na,1,0.5\n', { metric: 'rouge' })).mean).toBe(0.5)
  })
})
