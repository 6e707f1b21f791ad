/** What other tools read: written, and read back where we can. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { CellResult, RunResult } from '../src/contract/index.ts'
import { readResults } from '../src/import/index.ts'
import { readTrajectories } from '../src/import/trajectories/index.ts'
import { buildReport, findFormat, findFormatOfFile, formats, writeReport } from '../src/report/index.ts'
import { writeReportFiles } from '../src/cli/output/report-files.ts'

const metaSchema = z.object({ artifact_uri: z.string() })

const folder = mkdtempSync(join(tmpdir(), 'export-formats-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cell = (modelId: string, index: number): CellResult => {
  const common = {
    testCaseId: `topic/${index} ü`,
    modelId,
    latencyMs: 100 + index,
    promptTokens: 10 + index,
    completionTokens: index,
    cost: 0.001 * index,
  }
  if (index === 3) return { ...common, outcome: 'error', error: 'HTTP 500: «no»' }
  if (index === 4) return { ...common, outcome: 'ok', response: 'eh', unscored: { code: 'no-answer', message: 'none' } }
  return { ...common, outcome: 'ok', response: `Answer "${index}"\n日本`, score: { score: index / 7, notes: 'near' } }
}

/** Cells, ids and texts that a writer could trip over. */
const oddRuns = ['r1', 'r2'].map((id): RunResult => {
  const odd: Record<string, Partial<CellResult>> = {
    '../up': { outcome: 'timeout', status: 'failed', error: 'timed out' },
    'a/../../b': { outcome: 'refusal', response: 'I cannot', score: { score: 1 / 3, notes: 'n\n"q", ü' } },
    'C:\\..\\x': { outcome: 'ok', response: 'eh', unscored: { code: 'judge-unreadable', message: 'no number' } },
    '日本 "q"': { outcome: 'truncated', response: 'a\r\nb', score: { score: 0.1 + 0.2 }, cost: 1e-7, latencyMs: 12 },
    '=1+1': { outcome: 'filtered', response: '=cmd()', score: { score: 0 }, promptTokens: 0, completionTokens: 0 },
    ['__proto__']: { outcome: 'empty', response: '', score: { score: 0 } },
    tools: {
      outcome: 'ok',
      response: 'done',
      toolCalls: [{ name: 'look', arguments: { at: '日本', deep: { a: [1, null] } } }],
      score: { score: 0.5 },
    },
    ...(id === 'r2' && { 'only later': { outcome: 'ok', response: '😀', score: { score: 1e-12 } } }),
  }
  const testCases = Object.keys(odd).map((testCaseId) => ({
    id: testCaseId,
    prompt: `Question ${testCaseId}`,
    scoringMethod: 'similar',
    weight: 1,
  }))
  const models = ['v/a', 'b@short', 'b#host', 'ü m']
  return {
    id,
    seriesId: 's',
    models,
    status: 'completed',
    startedAt: Date.UTC(2026, 10, 1),
    completedAt: Date.UTC(2026, 10, 1, 1),
    testSuiteSnapshot: {
      name: 'Odd "ones"',
      systemPrompt: 'Be kind.',
      variants: [{ name: 'short', systemPrompt: 'Be short.' }],
      testCases,
    },
    results: models.flatMap((modelId) =>
      Object.entries(odd).map(([testCaseId, more]): CellResult => ({ testCaseId, modelId, ...more })),
    ),
  }
})

const makeRun = (id: string): RunResult => ({
  id,
  seriesId: 's',
  models: ['vendor/a', 'b'],
  status: 'completed',
  startedAt: Date.UTC(2026, 10, 1),
  completedAt: Date.UTC(2026, 10, 1, 1),
  versions: { benchmaker: '0.1.0' },
  testSuiteSnapshot: {
    name: 'Topics',
    testCases: Array.from({ length: 8 }, (_, index) => ({
      id: `topic/${index} ü`,
      ...(index === 5
        ? {
            messages: [
              { role: 'system' as const, content: 'Be short.' },
              { role: 'user' as const, content: 'Hi' },
            ],
          }
        : { prompt: `Question ${index}?` }),
      expectedOutput: `Expected ${index}`,
      scoringMethod: 'similar',
      cluster: `g${index % 3}`,
      metadata: { category: index < 4 ? 'x' : 'y' },
      weight: 1,
    })),
  },
  results: ['vendor/a', 'b'].flatMap((modelId) => Array.from({ length: 8 }, (_, index) => cell(modelId, index))),
})
const runs = [makeRun('r1'), makeRun('r2')]
const report = buildReport(runs)

describe('a Hugging Face result', () => {
  const benchmark = { dataset: 'own/topics', task: 'easy' }
  // https://github.com/huggingface/hub-docs/blob/main/eval_results.yaml; `value` and `dataset.id` are required.
  const resultSchema = z.strictObject({
    dataset: z.strictObject({ id: z.string(), task_id: z.string(), revision: z.string().optional() }),
    value: z.number(),
    date: z.iso.datetime().optional(),
    notes: z.string().optional(),
  })
  const ofBenchmark = runs.map((run) => ({ ...run, testSuiteSnapshot: { ...run.testSuiteSnapshot!, benchmark } }))

  it('is a file for each model with its score in percent, for the task of the benchmark', async () => {
    await writeReportFiles(buildReport(ofBenchmark), [join(folder, 'topics.results.yaml')])
    const file = parse(readFileSync(join(folder, 'topics-vendor_a.results.yaml'), 'utf8')) as unknown
    const [result, ...others] = z.array(resultSchema).parse(file)
    expect(others).toEqual([])
    // (0 + 1 + 2 + 5 + 6 + 7)/7 over six cases.
    expect(result).toEqual({
      dataset: { id: 'own/topics', task_id: 'easy' },
      value: 50,
      date: '2026-11-01T00:00:00.000Z',
      notes: expect.stringMatching(/^95 % CI .*, 8 cases, 4 answers without a score left out, mean of 2 runs$/),
    })
  })
  it('is none for a suite that is of no benchmark, and for a model without a score', async () => {
    await expect(writeReportFiles(report, [join(folder, 'none.results.yaml')])).rejects.toThrow(/of no benchmark.*hf:/)
    expect(parse(writeReport(report, { format: 'hugging-face' }))).toEqual([])
    const unscored = ofBenchmark.map((run) => ({
      ...run,
      results: run.results.map(({ score: _score, ...one }) => ({ ...one, outcome: 'error' as const, error: 'no' })),
    }))
    expect(writeReport(buildReport(unscored), { format: 'hugging-face' })).not.toContain('value')
  })
})

describe('an Inspect log', () => {
  it('is a file for each model, whose scores, errors, texts, tokens and epochs come back exactly', async () => {
    await writeReportFiles(report, [join(folder, 'out.eval')])
    for (const [modelId, file] of [
      ['vendor/a', 'out-vendor_a.eval'],
      ['b', 'out-b.eval'],
    ] as const) {
      const { runs: read } = await readResults(join(folder, file), { now: 1 })
      expect(read).toHaveLength(2)
      for (const [index, run] of read.entries()) {
        expect(run.models).toEqual([modelId])
        const own = runs[index]!.results.filter((result) => result.modelId === modelId)
        expect(run.results).toHaveLength(own.length)
        for (const before of own) {
          const after = run.results.find(({ testCaseId }) => testCaseId === before.testCaseId)!
          expect(after.score?.score).toBe(before.score?.score)
          expect(after.response).toBe(before.response)
          expect(after.error).toBe(before.error)
          expect(after.unscored !== undefined).toBe(before.unscored !== undefined)
          expect([after.latencyMs, after.promptTokens, after.completionTokens]).toEqual([
            before.latencyMs,
            before.promptTokens,
            before.completionTokens,
          ])
          if (before.response !== undefined) expect(after.cost).toBe(before.cost)
        }
        const cases = run.testSuiteSnapshot!.testCases
        const suite = runs[index]!.testSuiteSnapshot!.testCases
        expect(cases.map(({ id }) => id)).toEqual(suite.map(({ id }) => id))
        expect(cases.map(({ expectedOutput, cluster }) => [expectedOutput, cluster])).toEqual(
          suite.map(({ expectedOutput, cluster }) => [expectedOutput, cluster]),
        )
      }
    }
  })

  it('brings odd runs back too: outcomes, reasons, ids, system prompts, calls', async () => {
    await writeReportFiles(buildReport(oddRuns), [join(folder, 'odd.eval')])
    const files = readdirSync(folder).filter((name) => name.startsWith('odd-'))
    expect(files).toHaveLength(4)
    for (const name of files) {
      const file = join(folder, name)
      const { runs: read, warnings } = await readResults(file, { now: 1 })
      expect(warnings).toEqual([])
      expect(read.map(({ results }) => results.length)).toEqual([7, 8])
      const [modelId] = read[0]!.models
      expect(read[0]!.testSuiteSnapshot?.systemPrompt).toBe(modelId === 'b@short' ? 'Be short.' : 'Be kind.')
      for (const [index, { results }] of read.entries())
        for (const { testCaseId, outcome, response, error, score, unscored, latencyMs, cost } of results) {
          const before = oddRuns[index]!.results.find(
            (other) => other.testCaseId === testCaseId && other.modelId === modelId,
          )!
          expect({ outcome, response, error, latencyMs, cost }).toEqual({
            outcome: before.outcome,
            response: before.response,
            error: before.error,
            latencyMs: before.latencyMs,
            cost: before.cost,
          })
          expect([score?.score, score?.notes, unscored?.message]).toEqual([
            before.score?.score,
            before.score?.notes,
            before.unscored?.message,
          ])
        }
      const conversations = await readTrajectories(file)
      const called = conversations.find(({ task }) => task === 'tools')
      expect(called?.steps.map(({ source, text }) => [source, text])).toEqual([
        ['system', modelId === 'b@short' ? 'Be short.' : 'Be kind.'],
        ['user', 'Question tools'],
        ['agent', 'done'],
      ])
      expect(called?.steps[2]?.calls).toMatchObject([
        { name: 'look', arguments: { at: '日本', deep: { a: [1, null] } } },
      ])
    }
  })

  it('has the files and fields of a log that Inspect wrote', () => {
    const list = execFileSync('python3', [
      '-c',
      'import zipfile,sys,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: json.loads(z.read(n)) for n in z.namelist()}))',
      join(folder, 'out-b.eval'),
    ])
    const files: Record<string, Record<string, unknown>> = JSON.parse(list.toString())
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['header.json', 'summaries.json', '_journal/start.json']))
    expect(Object.keys(files['header.json']!)).toEqual(['version', 'status', 'eval', 'plan', 'results', 'stats'])
    const sample = files['samples/topic/1 ü_epoch_2.json']!
    expect(sample).toMatchObject({ id: 'topic/1 ü', epoch: 2, target: 'Expected 1', error_retries: [] })
  })

  it('is a line for each model as text', () => {
    const logs = writeReport(report, { format: 'inspect' }).trim().split('\n')
    expect(logs.map((log) => JSON.parse(log).eval.model)).toEqual(report.rows.map(({ modelId }) => modelId))
  })
})

describe('what comes back of odd runs', () => {
  const odd = buildReport(oddRuns)
  const listCells = (read: readonly RunResult[], pick: (of: CellResult) => unknown) =>
    read
      .flatMap(({ results }, run) =>
        results
          .filter(({ outcome }) => outcome !== 'cancelled')
          .map((one) => [run, one.testCaseId, one.modelId, pick(one)]),
      )
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const scored = ({ outcome, score, unscored, error }: CellResult) => [
    outcome,
    score?.score,
    score?.notes,
    unscored?.message,
    error,
  ]
  const used = ({ cost, latencyMs, promptTokens, completionTokens }: CellResult) => [
    cost,
    latencyMs,
    promptTokens,
    completionTokens,
  ]

  it.each([
    ['wandb', 'odd.table.json', true],
    ['open-telemetry', 'odd.otlp.json', false],
  ])('%s: scores, outcomes, reasons and costs', async (format, name, hasAnswers) => {
    writeFileSync(join(folder, name), writeReport(odd, { format }))
    const { runs: read, isModelUnnamed } = await readResults(join(folder, name), { now: 1 })
    expect(isModelUnnamed).toBe(false)
    expect(listCells(read, scored)).toEqual(listCells(oddRuns, scored))
    expect(listCells(read, used)).toEqual(listCells(oddRuns, used))
    if (hasAnswers)
      expect(listCells(read, ({ error, response }) => error ?? response)).toEqual(
        listCells(oddRuns, ({ error, response }) => error ?? response),
      )
  })

  it('MLflow: the table of answers of each model', async () => {
    const [{ bytes }] = findFormat('mlflow')!.writeFiles!(odd) as [{ bytes: Uint8Array }]
    const file = join(folder, 'odd.mlflow.zip')
    writeFileSync(file, bytes)
    const store = join(folder, 'odd-store')
    execFileSync('python3', [
      '-c',
      'import zipfile,sys; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])',
      file,
      store,
    ])
    const tables = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('_table.json'),
    )
    expect(tables).toHaveLength(4)
    for (const name of tables) {
      const { runs: read, models } = await readResults(join(store, name), { now: 1 })
      const own = oddRuns.map((run) => ({
        ...run,
        results: run.results.filter(({ modelId }) => modelId === models[0]),
      }))
      expect(models).toHaveLength(1)
      expect(listCells(read, scored)).toEqual(listCells(own, scored))
    }
  })

  it('a table or events of others: by their own names, several metrics', async () => {
    const table = join(folder, 'other.json')
    writeFileSync(
      table,
      JSON.stringify({
        columns: ['inputs', 'outputs', 'correct'],
        data: [
          ['q', 'a', true],
          ['r', 'b', false],
        ],
      }),
    )
    const read = await readResults(table, { now: 1, model: 'm' })
    expect(
      read.runs[0]!.results.map(({ testCaseId, response, score }) => [testCaseId, response, score?.score]),
    ).toEqual([
      ['row-1', 'a', 1],
      ['row-2', 'b', 0],
    ])
    const event = (id: string, name: string, score: number) => ({
      eventName: 'gen_ai.evaluation.result',
      spanId: id,
      attributes: [
        { key: 'gen_ai.evaluation.name', value: { stringValue: name } },
        { key: 'gen_ai.evaluation.score.value', value: { doubleValue: score } },
        { key: 'gen_ai.request.model', value: { stringValue: 'm' } },
      ],
    })
    const logRecords = [
      event('1', 'Relevance', 1),
      event('1', 'Tone', 0.5),
      event('2', 'Relevance', 0),
      event('2', 'Tone', 1),
    ]
    const events = join(folder, 'events.jsonl')
    writeFileSync(events, JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))
    const { runs: told, metrics } = await readResults(events, { now: 1, metric: 'Tone' })
    expect(metrics.map(({ name }) => name)).toEqual(['Relevance', 'Tone'])
    expect(told[0]!.results.map(({ testCaseId, score }) => [testCaseId, score?.score])).toEqual([
      ['1', 0.5],
      ['2', 1],
    ])
  })
})

it('OpenTelemetry: one event for each answer, as the conventions name its attributes', () => {
  const document = JSON.parse(writeReport(report, { format: 'open-telemetry' }))
  const records: {
    eventName: string
    timeUnixNano: string
    attributes: { key: string; value: Record<string, unknown> }[]
  }[] = document.resourceLogs[0].scopeLogs[0].logRecords
  expect(records).toHaveLength(32)
  expect(new Set(records.map(({ eventName }) => eventName))).toEqual(new Set(['gen_ai.evaluation.result']))
  const of = (index: number) =>
    Object.fromEntries(records[index]!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
  expect(of(7)).toMatchObject({
    'gen_ai.evaluation.name': 'similar',
    'gen_ai.evaluation.score.value': 1,
    'gen_ai.evaluation.score.label': 'pass',
    'gen_ai.evaluation.explanation': 'near',
    'gen_ai.request.model': 'vendor/a',
  })
  expect(of(3)).toMatchObject({ 'error.type': 'error' })
  expect(of(3)).not.toHaveProperty(['gen_ai.evaluation.score.value'])
  expect(of(4)).toMatchObject({ 'error.type': 'no-answer' })
})

it('Weights & Biases: a table with a row for each answer, scores as they are', () => {
  const { columns, data, nrows } = JSON.parse(writeReport(report, { format: 'wandb' }))
  expect([nrows, data.length]).toEqual([32, 32])
  const scores = data
    .filter((row: unknown[]) => row[columns.indexOf('model')] === 'b')
    .map((row: unknown[]) => row[columns.indexOf('score')])
  expect(scores.filter((score: unknown) => score === null)).toHaveLength(4)
  expect(scores).toContain(1 / 7)
})

it('MLflow: a file store with a run for each model, metrics in its lines', () => {
  const [{ bytes }] = findFormat('mlflow')!.writeFiles!(report) as [{ bytes: Uint8Array }]
  const file = join(folder, 'store.zip')
  writeFileSync(file, bytes)
  const names: string[] = JSON.parse(
    execFileSync('python3', [
      '-c',
      'import zipfile,sys,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2]); print(json.dumps(z.namelist()))',
      file,
      folder,
    ]).toString(),
  )
  expect(names.filter((name) => name.endsWith('/meta.yaml'))).toHaveLength(3)
  // MLflow reads a relative address from the folder that it runs in.
  const metas = names.filter((name) => /^[^/]+\/[^/]+\/meta\.yaml$/.test(name))
  expect(metas).toHaveLength(2)
  for (const name of metas) {
    const { artifact_uri: uri } = metaSchema.parse(parse(readFileSync(join(folder, name), 'utf8')))
    expect(existsSync(join(folder, uri, 'eval_results_table.json'))).toBe(true)
  }
  const score = names.find((name) => name.endsWith('/metrics/score'))!
  expect(readFileSync(join(folder, score), 'utf8')).toMatch(/^\d{13} 0\.\d+ 0\n$/)
})

it('each format has a name and an extension of its own', () => {
  for (const field of ['name', 'extension', 'label'] as const)
    expect(new Set(formats.map((format) => format[field])).size).toBe(formats.length)
  expect(findFormatOfFile('x.otlp.json')?.name).toBe('open-telemetry')
  expect(findFormatOfFile('x.json')?.name).toBe('json')
})
