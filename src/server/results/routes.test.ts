import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildReport } from '../../report/index.ts'
import { importRun } from '../../services/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { noteRunChange } from './selection/run-changes.ts'
import { demoModels as models, startResultsServer, type ResultsServer } from './testing/results-server.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('the figures of a selection', () => {
  it('are those of the report that the command line exports', async () => {
    for (const [selection, ids] of [
      [server.single, [server.single]],
      [server.series.join(','), server.series],
      [`series:${server.seriesId}`, server.series],
    ] as const) {
      const report = buildReport(await server.loadRuns([...ids]))
      const shown = await server.view(selection)
      expect(shown.rows).toEqual(plain(report.rows))
      expect(shown.comparisons).toEqual(plain(report.comparisons))
      expect(shown.groups).toEqual(report.groups)
      expect(shown.series.map(({ flakyCount: _count, ...stats }) => stats)).toEqual(plain(report.series))
      expect([shown.missing, shown.method, shown.title]).toEqual([plain(report.missing), report.method, report.title])
      expect(shown.pendingComparisons).toBeUndefined()
    }
  })

  it('show what was run, how consistent models are over a series, and that answers are simulated', async () => {
    const shown = await server.view(`series:${server.seriesId}`)
    expect(shown).toMatchObject({
      seriesId: server.seriesId,
      totalCells: 3 * 24 * 3,
      suite: { name: 'Sums', cases: 24, categories: ['even', 'odd'], methods: ['exact-match'] },
    })
    expect(shown.runs.map(({ id, state }) => [id, state])).toEqual(server.series.map((id) => [id, 'done']))
    expect(shown.rows.every(({ isSimulated }) => isSimulated)).toBe(true)
    const { repeats, flakyCount } = shown.series.find(({ modelId }) => modelId === 'demo/fair')!
    const { passAtK, passHatK, flaky } = repeats!
    expect([passAtK.length, passHatK.length, flaky.length]).toEqual([3, 3, flakyCount])
    const spent = (await server.storage.listRuns())
      .filter(({ id }) => server.series.includes(id))
      .reduce((sum, { cost }) => sum + cost, 0)
    expect(shown.cost.total).toBeCloseTo(spent, 12)
  })

  it('of a suite that is called like a Code Arena run are those of a suite', async () => {
    const testSuiteName = 'Code Arena: regression suite'
    const testSuiteSnapshot = { name: testSuiteName, testCases: [{ id: 'page', prompt: 'x', weight: 1 }] }
    const run = { id: 'regression', models: ['m'], results: [], testSuiteName, testSuiteSnapshot }
    await importRun({ ...run, testSuiteId: 'code-arena' }, server.storage, 1)
    expect(await server.view('regression')).toMatchObject({ kind: 'suite', title: testSuiteName })
    await server.storage.deleteRun('regression')
  })

  it('of very many cells are computed in another thread, and are the same', async () => {
    const random = createRandom('large')
    const testCases = Array.from({ length: 1600 }, (_, index) => ({
      id: `case ${index}`,
      prompt: `Question ${index}`,
      weight: index % 4 === 0 ? 3 : 1,
      scoringMethod: 'llm-judge',
    }))
    const results = testCases.flatMap(({ id }) =>
      models.map((modelId, skill) => {
        if (random() < 0.01) return { testCaseId: id, modelId, outcome: 'error' as const, error: 'refused' }
        const answered = {
          testCaseId: id,
          modelId,
          outcome: 'ok' as const,
          response: 'yes',
          latencyMs: Math.round(random() * 1000),
          ...(random() < 0.9 && { cost: 0.001 }),
        }
        if (random() < 0.01) return { ...answered, unscored: { code: 'judge-unreadable', message: 'no number' } }
        const score = random() < 0.4 + skill / 10 ? 1 : Math.round(random() * 10) / 10
        const judges = ['one', 'two'].map((judge) => ({
          judgeModelId: judge,
          score: Math.min(1, Math.round(random() * 10) / 10),
          reasoning: 'because',
        }))
        return { ...answered, score: { score, judges } }
      }),
    )
    await importRun(
      { id: 'large', models, testSuiteSnapshot: { name: 'Large', testCases }, results, startedAt: 1 },
      server.storage,
      1,
    )
    let shown = await server.view('large')
    for (let tries = 0; shown.pendingComparisons && tries < 600; tries++) {
      expect([shown.comparisons, shown.groups, shown.rows.map(({ rank }) => rank)]).toEqual([
        [],
        [],
        [undefined, undefined, undefined],
      ])
      await new Promise((resolve) => setTimeout(resolve, 100))
      shown = await server.view('large')
    }
    const [stored] = await server.loadRuns(['large'])
    const report = buildReport([stored!])
    expect(shown.rows).toEqual(plain(report.rows))
    expect(shown.comparisons).toEqual(plain(report.comparisons))
    expect(shown.agreement).toEqual(plain(report.agreement))
    expect(shown.missing).toEqual(plain(report.missing))
    await server.storage.deleteRun('large')
    noteRunChange(server.storage, 'large')
    expect((await server.refusal('/results/large')).status).toBe(404)
  })

  it('of an unknown run, series or selection are refused with a reason', async () => {
    for (const path of [
      '/results/nobody',
      '/results/series:nobody',
      `/results/${server.single},nobody`,
      '/results/nobody/cases',
      '/compare?a=nobody&b=nobody',
    ])
      expect(await server.refusal(path), path).toMatchObject({ status: 404, error: { code: 'not-found' } })
    expect(await server.refusal('/results/,')).toMatchObject({ status: 400, error: { code: 'bad-selection' } })
    expect(
      await server.refusal(`/results/${Array.from({ length: 201 }, (_, index) => index).join(',')}`),
    ).toMatchObject({ status: 400 })
    expect(await server.refusal('/compare?a=x')).toMatchObject({ status: 400, error: { problems: [{ path: ['b'] }] } })
  })
})

describe('a run in progress', () => {
  it('is shown in its current state on every request', async () => {
    const cells = Array.from({ length: 5 }, (_, index) => ({ testCaseId: `c${index}`, modelId: 'm' }))
    await server.storage.createRun({ id: 'live', kind: 'suite', models: ['m'], startedAt: Date.now() }, cells)
    server.live.add('live')
    expect(await server.view('live')).toMatchObject({
      rows: [{ modelId: 'm' }],
      totalCells: 5,
      runs: [{ state: 'running' }],
    })
    server.waiting.set('live', 'Waiting for openai: batch b is "validating"')
    expect((await server.view('live')).runs[0]!.waiting).toBe('Waiting for openai: batch b is "validating"')
    server.waiting.delete('live')
    expect((await server.view('live')).runs[0]!.waiting).toBeUndefined()
    for (const [index, { testCaseId, modelId }] of cells.entries()) {
      const cell = { runId: 'live', testCaseId, modelId }
      const attempt = await server.storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 1 })
      await server.storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok' }, cell, {
        outcome: 'ok',
        response: 'x',
        latencyMs: 1,
      })
      await server.storage.saveScore(cell, { score: 1 })
      noteRunChange(server.storage, 'live')
      expect((await server.view('live')).rows[0]!.score!.n).toBe(index + 1)
    }
    const readCase = async () => (await server.request('/results/live/case?id=c0')).json()
    expect(await readCase()).toMatchObject({ isLive: true, models: [{ answers: [{ result: { response: 'x' } }] }] })
    server.live.delete('live')
    expect(await readCase()).toMatchObject({ isLive: false })
  })

  it('in another process is noticed within a second', async () => {
    await server.storage.createRun({ id: 'elsewhere', kind: 'suite', models: ['m'], startedAt: Date.now() }, [
      { testCaseId: 'c', modelId: 'm' },
    ])
    expect((await server.view('elsewhere')).rows[0]!.score).toBeUndefined()
    const cell = { runId: 'elsewhere', testCaseId: 'c', modelId: 'm' }
    const attempt = await server.storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 1 })
    await server.storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok' }, cell, {
      outcome: 'ok',
      response: 'x',
      latencyMs: 1,
    })
    await server.storage.saveScore(cell, { score: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await server.view('elsewhere')).rows[0]!.score!.mean).toBe(1)
  })
})
