import { describe, expect, it } from 'vitest'
import { ClientError, type Client, type RunResult, type Suite } from '../contract/index.ts'
import { createScoring } from '../scoring/index.ts'
import type { EngineTools } from './run-with-client.ts'
import { executeRun } from './run-with-client.ts'
import { importRun } from './stored-runs/import-run.ts'
import { openStorage } from '../storage/index.ts'
import { rescoreRun } from './run-with-client.ts'

const suite: Suite = {
  name: 'S',
  testCases: [{ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'Paris', weight: 1 }],
}
let asked = 0
let copies = 0
const client: Client = {
  provider: 'scripted',
  complete: async () => {
    asked++
    return { outcome: 'ok', response: 'paris', latencyMs: 3, cost: 0.5 }
  },
  listModels: async () => [],
  close: async () => {},
}
const tools: EngineTools = {
  storage: await openStorage({ file: ':memory:' }),
  scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
  clock: { now: () => 1000, sleep: async () => {} },
  random: () => 0.5,
  createId: () => (copies++ === 0 ? 'run' : `copy-${copies}`),
  countTokens: (text) => text.length,
  versions: {},
}

describe('stored runs', () => {
  it('are rescored with a changed suite without calling a model', async () => {
    const run = await executeRun({ suite, models: ['m'], client }, tools)
    expect([asked, run.results[0]?.score?.score]).toEqual([1, 0.95])
    const strict = { ...suite, testCases: suite.testCases.map((testCase) => ({ ...testCase, partial: false })) }
    const rescored = await rescoreRun('run', { suite: strict, client }, tools)
    expect([asked, rescored.run.results[0]?.score?.score]).toEqual([1, 0])
  })
  it('become a new run with its own suite when scored with another suite; the old run stays unchanged', async () => {
    let ids = 0
    const own = { ...tools, storage: await openStorage({ file: ':memory:' }), createId: () => `own-${++ids}` }
    const [first] = suite.testCases
    const pair: Suite = { ...suite, testCases: [first!, { ...first!, id: 'b' }] }
    const before = await executeRun({ suite: pair, models: ['m'], client, seriesId: 's' }, own)
    const asksBefore = asked
    const changed: Suite = {
      name: 'T',
      testCases: [
        { ...first!, expectedOutput: 'Rome' },
        { ...first!, id: 'b', prompt: 'Which?' },
        { ...first!, id: 'c' },
      ],
    }
    const { run, warnings } = await rescoreRun('own-1', { suite: changed, client }, own)
    expect(asked).toBe(asksBefore)
    expect(run.id).not.toBe('own-1')
    expect(run).toMatchObject({
      status: 'completed',
      testSuiteName: 'T',
      versions: { answersOf: 'own-1' },
      seriesId: expect.stringMatching(/^s-/),
    })
    expect(run.testSuiteSnapshot?.testCases.map(({ id, expectedOutput }) => [id, expectedOutput])).toEqual([
      ['a', 'Rome'],
      ['b', 'Paris'],
    ])
    expect(run.results.map(({ response, score, cost }) => [response, score?.score, cost])).toEqual([
      ['paris', 0, 0.5],
      ['paris', 0.95, 0.5],
    ])
    expect(warnings).toEqual([
      'left out 1 test case of the suite that this run did not include',
      'the prompt of b has changed since the answers were given',
    ])
    expect(await own.storage.loadRun('own-1')).toEqual(before)
  })
  it('keep their errors in the new run, which neither asked nor paid for them', async () => {
    let ids = 0
    const own = { ...tools, storage: await openStorage({ file: ':memory:' }), createId: () => `own-${++ids}` }
    const failing: Client = {
      ...client,
      complete: async ({ modelId }) => {
        if (modelId === 'bad') throw new ClientError('refused', 'code 400', { status: 400 })
        return { outcome: 'ok', response: 'paris', latencyMs: 3, cost: 0.5 }
      },
    }
    const before = await executeRun({ suite, models: ['m', 'bad'], client: failing }, own)
    expect(before.status).toBe('completed')
    const [first] = suite.testCases
    const changed: Suite = { name: 'T', testCases: [{ ...first!, expectedOutput: 'Rome' }] }
    const { run } = await rescoreRun('own-1', { suite: changed, client }, own)
    expect(run).toMatchObject({
      status: 'completed',
      results: [
        { modelId: 'm', outcome: 'ok', score: { score: 0 } },
        { modelId: 'bad', outcome: 'error', error: expect.stringContaining('code 400') },
      ],
    })
    expect(await own.storage.listRuns({ ids: [run.id] })).toMatchObject([{ cost: 0.5, unknownCosts: 0 }])
  })
  it('keep the reason why they stopped in the new run', async () => {
    const own = { ...tools, storage: await openStorage({ file: ':memory:' }) }
    const cell = { testCaseId: 'a', modelId: 'm' }
    await own.storage.createRun(
      { id: 'stopped', kind: 'suite', models: ['m', 'n'], startedAt: 1, testSuiteSnapshot: suite },
      [cell, { ...cell, modelId: 'n' }],
    )
    const attempt = await own.storage.startAttempt({
      ...cell,
      runId: 'stopped',
      purpose: 'answer',
      askedModel: 'm',
      startedAt: 1,
    })
    const answer = { outcome: 'ok' as const, response: 'paris', latencyMs: 3 }
    await own.storage.saveAnswer(attempt, { outcome: 'ok', endedAt: 2 }, { ...cell, runId: 'stopped' }, answer)
    await own.storage.setRunStatus('stopped', 'cancelled', { completedAt: 3, stopReason: 'budget' })
    const [first] = suite.testCases
    const changed: Suite = { name: 'T', testCases: [{ ...first!, expectedOutput: 'Rome' }] }
    const { run } = await rescoreRun('stopped', { suite: changed, client }, own)
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
  })
  it('are not paid for again by the new run', async () => {
    let ids = 0
    const own = { ...tools, storage: await openStorage({ file: ':memory:' }), createId: () => `own-${++ids}` }
    const { request } = await executeRun({ suite, models: ['m'], client }, own)
    await own.storage.saveRequest('own-1', { ...request!, startedBy: { id: 'ada', name: 'Ada' }, project: 'Atlas' })
    const [first] = suite.testCases
    const changed: Suite = { name: 'T', testCases: [{ ...first!, expectedOutput: 'Rome' }] }
    const { run } = await rescoreRun('own-1', { suite: changed, client }, own)
    expect(run.request).toMatchObject({ startedBy: { id: 'ada' }, project: 'Atlas' })
    expect(await own.storage.access.listSpending(0)).toEqual([])
    // From here on it pays for itself.
    const cell = { runId: run.id, testCaseId: 'a', modelId: 'm' }
    const judge = await own.storage.startAttempt({ ...cell, purpose: 'judge', askedModel: 'j', startedAt: 1 })
    await own.storage.endAttempt(judge, { endedAt: 2, outcome: 'ok', cost: 0.25 })
    expect(await own.storage.access.listSpending(0)).toEqual([
      { owner: { kind: 'person', id: 'ada' }, spent: 0.25 },
      { owner: { kind: 'project', id: 'Atlas' }, spent: 0.25 },
    ])
  })
  it('stay the same run when scored with their own suite', async () => {
    expect((await rescoreRun('run', { suite, client }, tools)).run).toMatchObject({
      id: 'run',
      results: [{ score: { score: 0.95 } }],
    })
    await expect(
      rescoreRun('run', { suite: { name: 'U', testCases: [{ ...suite.testCases[0]!, id: 'z' }] }, client }, tools),
    ).rejects.toThrow(/none of the test cases/)
  })
  it('can be imported elsewhere with answers, scores, errors and costs', async () => {
    const elsewhere = await openStorage({ file: ':memory:' })
    const run = (await tools.storage.loadRun('run'))!
    const withGaps: RunResult = {
      ...run,
      id: 'other',
      models: ['m', 'n', 'o'],
      results: [
        ...run.results,
        {
          testCaseId: 'a',
          modelId: 'n',
          response: 'x',
          outcome: 'truncated',
          unscored: { code: 'judge-unreadable', message: 'no' },
        },
        { testCaseId: 'a', modelId: 'o', outcome: 'timeout', error: 'too slow' },
      ],
    }
    await importRun(withGaps, elsewhere, 5)
    const imported = (await elsewhere.loadRun('other'))!
    expect(imported.results).toMatchObject([
      { modelId: 'm', response: 'paris', cost: 0.5, score: { score: 0.95 } },
      { modelId: 'n', response: 'x', outcome: 'truncated', unscored: { code: 'judge-unreadable' } },
      { modelId: 'o', outcome: 'timeout', error: 'too slow' },
    ])
    expect(imported.testSuiteSnapshot).toEqual(suite)
    await expect(importRun(withGaps, elsewhere, 5)).rejects.toThrow(/already a run other/)
  })
})
