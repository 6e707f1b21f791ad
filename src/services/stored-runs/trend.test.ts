import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunHeader, RunStatus, Storage, Suite } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { loadTrend, type TrendCache } from './trend.ts'

const suite: Suite = {
  name: 'S',
  testCases: [{ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'x', weight: 1 }],
}
let storage: Storage
beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
})
afterEach(() => storage.close())

async function store(id: string, score: number, more: Partial<RunHeader> = {}, status: RunStatus = 'completed') {
  const cell = { runId: id, testCaseId: 'a', modelId: 'm' }
  await storage.createRun(
    {
      id,
      kind: 'suite',
      models: ['m'],
      startedAt: 1,
      testSuiteId: 'S',
      testSuiteName: 'S',
      testSuiteSnapshot: suite,
      ...more,
    },
    [cell],
  )
  const attempt = await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 1 })
  await storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok' }, cell, { outcome: 'ok', response: 'x', latencyMs: 1 })
  await storage.saveScore(cell, { score })
  if (status !== 'running') await storage.setRunStatus(id, status, { completedAt: 3 })
}

describe('loadTrend', () => {
  it('reads the runs of one suite, a series as one point, oldest first, with the state of each', async () => {
    await store('one', 0)
    await store('two', 0, { seriesId: 's', label: { name: 'N', note: 'long' } })
    await store('three', 1, { seriesId: 's' })
    await store('other', 1, { testSuiteId: 'T', testSuiteName: 'T' })
    await store('stopped', 1, {}, 'cancelled')
    await store('killed', 1, {}, 'running')
    const { points, leftOut } = await loadTrend({ suite: { name: 'S' } }, { storage, now: 5 })
    expect(points.map(({ selection, state, scores }) => [selection, state, scores['m']?.mean])).toEqual([
      ['one', 'done', 0],
      ['series:s', 'done', 0.5],
      ['stopped', 'stopped', 1],
      ['killed', 'interrupted', 1],
    ])
    // A note is for the results; here it would only be large.
    expect(points[1]?.label).toEqual({ name: 'N' })
    expect(leftOut).toBe(0)
    expect((await loadTrend({ suite: { name: 'none' } }, { storage, now: 5 })).points).toEqual([])
  })

  it('reads a run again only if it changed, but always has its label', async () => {
    await store('one', 0)
    await store('two', 1)
    const loaded: string[] = []
    const counting: Storage = {
      ...storage,
      loadRun: (id, options) => {
        loaded.push(id)
        return storage.loadRun(id, options)
      },
    }
    const cache: TrendCache = new Map()
    let changes = 0
    const load = () =>
      loadTrend(
        { suite: { name: 'S' }, cache, changesOf: (id) => (id === 'two' ? changes : 0) },
        { storage: counting, now: 5 },
      )
    await load()
    await storage.saveLabel('one', { name: 'Named' })
    expect((await load()).points[0]?.label).toEqual({ name: 'Named' })
    expect(loaded).toEqual(['one', 'two'])
    changes++
    await storage.deleteRun('one')
    expect((await load()).points).toHaveLength(1)
    expect(loaded).toEqual(['one', 'two', 'two'])
  })

  it('has at most 100 points, and says how many it leaves out', async () => {
    for (let index = 0; index < 103; index++) await store(`run ${index}`, 1)
    const { points, leftOut } = await loadTrend({ suite: { name: 'S' } }, { storage, now: 5 })
    expect([points.length, points[0]?.selection, leftOut]).toEqual([100, 'run 3', 3])
  })
})
