import { describe, expect, it } from 'vitest'
import { toMoney, type Suite } from '../../contract/index.ts'
import { formatScore } from '../../report/words/index.ts'
import { LiveRun } from './live-run.ts'

const MEGABYTE = 1_000_000

function makeSuite(cases: number, { id = (index: number) => `case-${index}`, prompt = 'What is it?' } = {}): Suite {
  return {
    name: 'S',
    testCases: Array.from({ length: cases }, (_, index) => ({
      id: id(index),
      prompt,
      scoringMethod: 'boolean',
      weight: 1,
    })),
  }
}

function startRun(suite: Suite, models: number, now = () => 1000): LiveRun {
  return new LiveRun({
    runId: 'r',
    runNumber: 1,
    runsPlanned: 1,
    kind: 'suite',
    suite,
    models: Array.from({ length: models }, (_, index) => `vendor/model-${index}`),
    startedAt: 0,
    now,
  })
}

function cellOf(run: { testCaseId: string; modelId: string }) {
  return { runId: 'r', ...run }
}

/** Finishes every cell, one in ten without a score and one in ten in error. */
function finishAll(run: LiveRun, suite: Suite, models: number): void {
  suite.testCases.forEach(({ id }, row) => {
    for (let column = 0; column < models; column++) {
      const cell = cellOf({ testCaseId: id, modelId: `vendor/model-${column}` })
      if (row % 10 === 0) run.onEvent({ type: 'cell-failed', cell, error: 'the \u0001 server 🎈 said no '.repeat(30) })
      else if (row % 10 === 1)
        run.onEvent({
          type: 'cell-scored',
          cell,
          score: { unscored: { code: 'judge-unreadable', message: 'no grade '.repeat(60) } },
        })
      else run.onEvent({ type: 'cell-scored', cell, score: { score: (row % 7) / 6 } })
    }
  })
}

it('counts the cells and the cost of the other runs of its series, and the time left is that of the series', () => {
  const suite = makeSuite(10)
  let now = 0
  const run = new LiveRun({
    runId: 'r',
    runNumber: 2,
    runsPlanned: 3,
    kind: 'suite',
    suite,
    models: ['vendor/model-0'],
    startedAt: 0,
    countOthers: () => ({ done: 10, spent: toMoney(0.25), unknownCosts: 1 }),
    now: () => now,
  })
  now = 2000
  for (const { id } of suite.testCases.slice(0, 4))
    run.onEvent({
      type: 'cell-scored',
      cell: cellOf({ testCaseId: id, modelId: 'vendor/model-0' }),
      score: { score: 1 },
    })
  // 4 cells in 2 s: the other 16 of 30 take 8 s.
  expect(run.progress()).toMatchObject({ done: 4, total: 10, series: { done: 14, total: 30 }, rate: 2, etaMs: 8000 })
  expect(run.progress()).toMatchObject({ cost: 0.25, unknownCosts: 1 })
  expect(startRun(suite, 1).progress().series).toBeUndefined()
})

it('keeps pages whole until the run ends, counts their fresh starts, and keeps only the ends of other answers', () => {
  const suite = makeSuite(1)
  const [pages, answers] = (['page', 'suite'] as const).map((kind) => {
    const run = new LiveRun({
      runId: 'r',
      runNumber: 1,
      runsPlanned: 1,
      kind,
      suite,
      models: ['m'],
      startedAt: 0,
      now: () => 0,
    })
    const cell = cellOf({ testCaseId: 'case-0', modelId: 'm' })
    const text = 'x'.repeat(1000)
    run.onEvent({ type: 'tokens-arrived', cell, text: 'a first try' })
    run.onEvent({ type: 'attempt-failed', cell, reason: 'the connection was lost', retryInMs: 1 })
    run.onEvent({ type: 'tokens-arrived', cell, text })
    expect(run.readPage(0).cell).toMatchObject({ state: 'running', step: 'streaming', tail: text.slice(-240) })
    const streamed = run.readPage(0).text.length
    run.onEvent({ type: 'page-seen', cell })
    run.onEvent({ type: 'attempt-failed', cell, reason: 'the judge is overloaded', retryInMs: 1 })
    expect(run.readPage(0).cell).toMatchObject({ state: 'running', step: 'scoring' })
    run.onEvent({ type: 'cell-scored', cell, score: { score: 1 } })
    const { text: scored, restarts } = run.readPage(0)
    run.finish('done')
    return [streamed, scored.length, restarts, run.readPage(0).text]
  })
  expect([pages, answers]).toEqual([
    [1000, 1000, 1, ''],
    [240, 0, 0, ''],
  ])
})

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

it('sends scores unrounded: a rounded 76.149 would read 76.2 here and 76.1 in Results', () => {
  const suite = makeSuite(1)
  const run = startRun(suite, 1)
  const cell = cellOf({ testCaseId: 'case-0', modelId: 'vendor/model-0' })
  run.onEvent({ type: 'cell-scored', cell, score: { score: 0.76149 } })
  const [sent] = run.takeUpdate()!.cells
  expect(sent?.score).toBe(0.76149)
  expect(formatScore(sent?.score)).toBe('76.1')
})

describe('a snapshot stays under 1 MB', () => {
  it.each([
    ['20,000 cases × 5 models', 20_000, 5, {}],
    ['100,000 cases × 1 model', 100_000, 1, {}],
    ['2,000 cases × 50 models', 2000, 50, {}],
    ['3,000 cells with long messages', 600, 5, {}],
    [
      'long ids and prompts of many bytes',
      4000,
      3,
      { id: (index: number) => `${'🎈'.repeat(60)}${index}`, prompt: '\u0001"🎈'.repeat(500) },
    ],
  ])('%s', (_name, cases, models, options) => {
    const suite = makeSuite(cases, options)
    const run = startRun(suite, models)
    expect(sizeOf(run.snapshot())).toBeLessThan(MEGABYTE)
    finishAll(run, suite, models)
    const snapshot = run.snapshot()
    expect(sizeOf(snapshot)).toBeLessThan(MEGABYTE)
    expect(snapshot.progress).toMatchObject({ done: cases * models, errors: Math.ceil(cases / 10) * models })
    if (cases === 20_000) expect(snapshot.caseIds).toHaveLength(cases)
    for (let update = run.takeUpdate(); update; update = run.takeUpdate()) expect(sizeOf(update)).toBeLessThan(MEGABYTE)
  })
})

describe('progress', () => {
  const suite = makeSuite(100)
  const score = (run: LiveRun, index: number) =>
    run.onEvent({
      type: 'cell-scored',
      cell: cellOf({ testCaseId: `case-${index}`, modelId: 'vendor/model-0' }),
      score: { score: 1 },
    })

  it('gives the recent rate, and the time left at that rate', () => {
    let now = 0
    const run = startRun(suite, 1, () => now)
    expect(run.progress()).toMatchObject({ rate: 0, done: 0 })
    expect(run.progress().etaMs).toBeUndefined()
    for (let index = 0; index < 20; index++) {
      now += 500
      score(run, index)
    }
    expect(run.progress().rate).toBeCloseTo(2, 1)
    expect(run.progress().etaMs).toBeCloseTo(40_000, -3)
    now += 60_000
    expect(run.progress().rate).toBe(0)
    expect(run.progress().etaMs).toBeUndefined()
  })
  it('of a resumed run starts with the finished cells, without counting them in the rate', () => {
    const run = startRun(suite, 1, () => 10_000)
    const results = Array.from({ length: 40 }, (_, index) => ({
      testCaseId: `case-${index}`,
      modelId: 'vendor/model-0',
      ...(index < 30 ? { score: { score: 1 } } : { error: 'no', outcome: 'error' as const }),
    }))
    run.restore({ id: 'r', models: ['vendor/model-0'], results, status: 'cancelled' }, { areErrorsOpen: true })
    expect(run.progress()).toMatchObject({ done: 30, scored: 30, errors: 0, total: 100, rate: 0, state: 'running' })
    run.restore({ id: 'r', models: ['vendor/model-0'], results, status: 'cancelled' }, { areErrorsOpen: false })
    expect(run.progress()).toMatchObject({ done: 40, errors: 10 })
  })
  it('adds money exactly: 0.1 and 0.2 make 0.3', () => {
    const run = startRun(suite, 1)
    const attempt = { runId: 'r', testCaseId: 'c', modelId: 'm' }
    const refused = { outcome: 'error' as const, promptTokens: 0, completionTokens: 0 }
    for (const paid of [{ cost: 0.1 }, { cost: 0.2 }, {}, refused])
      run.onEvent({ type: 'attempt-ended', attempt, end: { endedAt: 1, outcome: 'ok', ...paid } })
    expect(run.progress()).toMatchObject({ cost: 0.3, unknownCosts: 1 })
  })
})

describe('cells in progress', () => {
  it('show less text each when very many stream, so that an update stays small', () => {
    const suite = makeSuite(500)
    const run = startRun(suite, 1)
    for (const { id } of suite.testCases)
      run.onEvent({
        type: 'tokens-arrived',
        cell: cellOf({ testCaseId: id, modelId: 'vendor/model-0' }),
        text: 'word '.repeat(200),
      })
    const update = run.takeUpdate()!
    expect(update.cells).toHaveLength(500)
    expect(sizeOf(update)).toBeLessThan(100_000)
    expect(update.cells[0]?.tail).toMatch(/^.{60}$/)
  })
  it('are waiting again once the run has stopped', () => {
    const run = startRun(makeSuite(2), 1)
    run.onEvent({ type: 'cell-started', cell: cellOf({ testCaseId: 'case-0', modelId: 'vendor/model-0' }) })
    run.onEvent({ type: 'run-finished', runId: 'r', status: 'cancelled' })
    expect(run.takeUpdate()).toMatchObject({
      cells: [{ case: 0, model: 0, state: 'skipped' }],
      progress: { state: 'stopped' },
    })
    expect(run.snapshot().cells).toEqual([])
  })
})

it('says what a batch is waiting for, in the words of the provider, until the run ends', () => {
  const run = startRun(makeSuite(1), 1)
  const looked = { type: 'batch-looked-at', provider: 'openai', id: 'batch_1', status: 'in progress' } as const
  run.onEvent({ ...looked, done: 12, total: 1000, isEnded: false })
  expect(run.progress().waiting).toBe('Waiting for openai: batch batch_1 is "in progress", 12 of 1,000 requests done')
  run.onEvent({ ...looked, id: 'batch_2', status: 'validating', done: 0, total: 500, isEnded: false })
  expect(run.progress().waiting).toBe(
    'Waiting for openai: 2 batches, "in progress", "validating", 12 of 1,500 requests done',
  )
  run.onEvent({ ...looked, status: 'completed', done: 1000, total: 1000, isEnded: true })
  expect(run.progress().waiting).toBe('Waiting for openai: batch batch_2 is "validating", 0 of 500 requests done')
  run.onEvent({ type: 'batch-delayed', reason: 'openai returned error 503' })
  expect(run.progress().waiting).toBe('openai returned error 503; retrying')
  run.onEvent({ type: 'run-finished', runId: 'r', status: 'completed' })
  expect(run.progress().waiting).toBeUndefined()
})
