import type { RunsComparison } from './compare-view.ts'
import type { PairView } from './pair-view.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runRequestSchema, type Client, type ModelAnswer, type RunResult } from '../../../contract/index.ts'
import { drawOrder } from '../../../statistics/index.ts'
import { startResultsServer, type ResultsServer } from '../testing/results-server.ts'
import { makeSuite } from '../../testing/route-server.ts'
import { compareRuns } from '../../../report/comparing/compare-runs.ts'
import { importRun } from '../../../services/index.ts'
import { noteRunChange } from '../selection/run-changes.ts'
import type { ChangedCases, ComparedCase } from './changed-cases.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

/** As it arrives in the browser. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const makeClient = (response: string): Client => ({
  provider: 'odd',
  complete: async () => ({ outcome: 'ok', response, latencyMs: 1 }),
  listModels: async () => [],
  close: async () => {},
})

describe('comparing', () => {
  it('says what people call the runs', async () => {
    const compare = () => server.json<RunsComparison>(`/compare?a=${server.single}&b=series:${server.seriesId}`)
    expect((await compare()).a.name).toBeUndefined()
    await server.storage.saveLabel(server.single, { name: 'Baseline' })
    noteRunChange(server.storage, server.single)
    const { a, b } = await compare()
    expect([a.name, b.name]).toEqual(['Baseline', undefined])
  })

  it('two models gives the leaderboard’s comparison, in either order', async () => {
    const { comparisons } = await server.view(`series:${server.seriesId}`)
    const expected = comparisons.find(
      ({ comparison: { modelA, modelB } }) => modelA === 'demo/good' && modelB === 'demo/poor',
    )!
    const straight = await server.json<PairView>(`/results/series:${server.seriesId}/compare?a=demo/good&b=demo/poor`)
    expect(straight.comparison).toEqual(expected.comparison)
    const reversed = await server.json<PairView>(`/results/series:${server.seriesId}/compare?a=demo/poor&b=demo/good`)
    const [here, there] = [straight.comparison, reversed.comparison]
    expect([there.modelA, there.meanA, there.scoreDiff]).toEqual([here.modelB, here.meanB, -here.scoreDiff])
    expect(there.paired).toMatchObject({
      meanDiff: -here.paired!.meanDiff,
      confidence95: [-here.paired!.confidence95[1], -here.paired!.confidence95[0]],
      wins: here.paired!.losses,
      losses: here.paired!.wins,
      adjustedP: here.paired!.adjustedP,
      isSignificant: here.paired!.isSignificant,
    })
    expect(reversed.sentence).toBe(straight.sentence)
    const differences = straight.cases.map(({ difference }) => difference)
    expect(differences).toEqual(differences.toSorted((a, b) => b - a))
    expect(straight.cases).toHaveLength(24)
    expect(straight.cases.every(({ a, b, difference }) => a - b === difference)).toBe(true)
    expect((await server.refusal(`/results/${server.single}/compare?a=demo/good&b=demo/good`)).status).toBe(400)
    expect((await server.refusal(`/results/${server.single}/compare?a=demo/good&b=nobody`)).status).toBe(404)
  })

  it('has the decisions of a run that stops when they are made', async () => {
    const models = ['first', 'second']
    const testCases = Array.from({ length: 40 }, (_, index) => ({ id: `case-${index}`, prompt: '?', weight: 1 }))
    const order = drawOrder(testCases, 'seed')
    const run: RunResult = {
      id: 'deciding',
      models,
      status: 'completed',
      stopReason: 'decided',
      testSuiteSnapshot: { name: 'Suite', testCases },
      request: runRequestSchema.parse({ suiteId: 'x', models, until: 'decided', decide: 'best', orderSeed: 'seed' }),
      results: order.slice(0, 13).flatMap(({ id: testCaseId }) =>
        models.map((modelId) => ({
          testCaseId,
          modelId,
          response: '',
          outcome: 'ok' as const,
          score: { score: modelId === 'first' ? 1 : 0 },
        })),
      ),
    }
    await importRun(run, server.storage, 1)
    const [shown] = (await server.json<RunsComparison>('/compare?a=deciding&b=deciding')).pairs
    const [expected] = compareRuns({ runs: [run] }, { runs: [run] }).pairs
    expect(shown!.comparison).toEqual(plain(expected!.comparison))
  })

  it('two runs counts what got better and worse for each model, as the terminal does', async () => {
    const [other = ''] = await server.run(
      { suite: makeSuite(30), models: ['demo/good', 'demo/fair'], parameters: { temperature: 1 } },
      { client: server.context.runTools().connect({ cache: false }, 7).clientOf('demo/good') },
    )
    const shown = await server.json<RunsComparison>(`/compare?a=${server.single}&b=${other}`)
    expect([shown.a.runIds, shown.b.runIds]).toEqual([[server.single], [other]])
    expect([shown.a.models, shown.b.models]).toEqual([expect.arrayContaining(['demo/poor']), expect.any(Array)])
    const [first, second] = await server.loadRuns([server.single, other])
    const expected = compareRuns({ runs: [first!] }, { runs: [second!] })
    expect(shown.pairs.map(({ before, after }) => [before, after]).toSorted()).toEqual([
      ['demo/fair', 'demo/fair'],
      ['demo/good', 'demo/good'],
    ])
    for (const { before: modelA, after: modelB, comparison, means, changes } of shown.pairs) {
      const { better, worse, same, notCompared } = changes
      const pair = expected.pairs.find((found) => found.before === modelA && found.after === modelB)!
      expect(comparison!.paired).toEqual(plain(pair.comparison!.paired))
      expect(changes).toEqual(plain({ ...pair.changes, cases: undefined }))
      expect(comparison!.paired).toMatchObject({ n: 24, wins: better, losses: worse, ties: same })
      expect(means!.b - means!.a).toBeCloseTo(comparison!.paired!.meanDiff, 12)
      expect(notCompared['only after']).toBe(6)
      const query = `a=${server.single}&b=${other}&modelA=${modelA}&modelB=${modelB}`
      const listed = await server.json<ChangedCases>(`/compare/cases?${query}&limit=200`)
      expect(listed.cases.map(({ title: _title, ...change }) => change)).toEqual(plain(pair.changes.cases))
      const filtered = await server.json<ChangedCases>(`/compare/cases?${query}&filter=worse&limit=1&offset=1`)
      expect([filtered.total, filtered.cases.length]).toEqual([worse, Math.min(1, Math.max(0, worse - 1))])
    }
    const same = await server.json<RunsComparison>(`/compare?a=${server.single}&b=${server.single}`)
    expect(same.pairs.map(({ before, after }) => before === after)).toEqual([false, false, false])
  })

  it('any model of one run with any of another, also if they share none, and a series with a single run', async () => {
    const [only = ''] = await server.run({ suite: makeSuite(24), models: ['demo/poor'] })
    const [others = ''] = await server.run({ suite: makeSuite(24), models: ['demo/good', 'demo/fair'] })
    const shown = await server.json<RunsComparison>(`/compare?a=${only}&b=${others}`)
    expect(shown.pairs.map(({ before, after }) => `${before} ${after}`).toSorted()).toEqual([
      'demo/poor demo/fair',
      'demo/poor demo/good',
    ])
    const one = await server.json<RunsComparison>(`/compare?a=${only}&b=${others}&modelB=demo/good`)
    expect(one.pairs).toHaveLength(1)
    expect(one.pairs[0]!.comparison!.paired!.adjustedP).toBeLessThanOrEqual(
      shown.pairs.find(({ after }) => after === 'demo/good')!.comparison!.paired!.adjustedP,
    )
    const series = await server.json<RunsComparison>(
      `/compare?a=series:${server.seriesId}&b=${only}&modelA=demo/good&modelB=demo/poor`,
    )
    expect(series.pairs[0]).toMatchObject({ passed: { a: { count: 72 }, b: { count: 24 } } })
    expect((await server.refusal(`/compare?a=${only}&b=${others}&modelA=nobody`)).status).toBe(404)
    expect((await server.refusal(`/compare/cases?a=${only}&b=${others}&modelA=demo/poor&modelB=no`)).status).toBe(404)
    expect((await server.refusal(`/compare?a=${only}&b=${others}&changed=1`)).status).toBe(400)
  })

  it('two answers to a case, with the cases before and after it in the list', async () => {
    const query = `a=${server.single}&b=series:${server.seriesId}&modelA=demo/good&modelB=demo/poor`
    const { cases } = await server.json<ChangedCases>(`/compare/cases?${query}&filter=worse`)
    const detail = await server.json<ComparedCase>(`/compare/case?${query}&filter=worse&id=${cases[1]!.id}`)
    expect(detail).toMatchObject({
      change: { id: cases[1]!.id, kind: 'worse' },
      index: 1,
      previousId: cases[0]!.id,
      nextId: cases[2]!.id,
    })
    expect([detail.a.answers.length, detail.b.answers.length]).toEqual([1, 3])
    expect(detail.a.prompt).toMatch(/^What is/)
    expect((await server.refusal(`/compare/case?${query}&id=none`)).status).toBe(404)
  })

  it('leaves changed cases out, names them, and pairs nothing if no case is in both', async () => {
    const suite = makeSuite(24)
    suite.testCases[3] = { ...suite.testCases[3]!, prompt: 'Something else' }
    suite.testCases[4] = { ...suite.testCases[4]!, id: 'renamed' }
    const [edited = ''] = await server.run({ suite, models: ['demo/good'] })
    const query = `a=${server.single}&b=${edited}`
    const shown = await server.json<RunsComparison>(`/compare?${query}`)
    expect(shown).toMatchObject({
      changedCases: 1,
      pairs: [
        {
          comparison: { paired: { n: 22 } },
          changes: { notCompared: { changed: 1, 'only before': 1, 'only after': 1 } },
        },
      ],
    })
    expect(shown.notes).toEqual([
      '1 case changed between the runs (prompt) and is left out of the comparison: sum-003.',
      '1 case has another id in the other run and is not compared: sum-004 → renamed.',
    ])
    const all = await server.json<RunsComparison>(`/compare?${query}&changed=include`)
    expect(all.pairs[0]).toMatchObject({ comparison: { paired: { n: 23 } }, changes: { notCompared: { changed: 0 } } })
    const other = makeSuite(24)
    for (const testCase of other.testCases) testCase.id = `other ${testCase.id}`
    const [apart = ''] = await server.run({ suite: other, models: ['demo/good'] })
    const [pair] = (await server.json<RunsComparison>(`/compare?a=${server.single}&b=${apart}`)).pairs
    const notCompared = { 'only before': 24, 'only after': 24 }
    expect(pair!.changes).toMatchObject({ better: 0, worse: 0, same: 0, notCompared })
    expect(pair!.comparison!.paired).toBeUndefined()
  })

  it('keeps hostile ids apart and stays below a megabyte', async () => {
    const names = ['__proto__', 'constructor', 'x'.repeat(300), '\u202Ertl', 'a&b=c#d']
    const suite = makeSuite(250)
    suite.testCases.forEach((testCase, index) => {
      testCase.id = names[index] ?? `${'long '.repeat(190)}${index}`
    })
    const [a = ''] = await server.run({ suite, models: ['__proto__'] }, { client: makeClient('4') })
    const [b = ''] = await server.run({ suite, models: ['constructor'] }, { client: makeClient('5') })
    const shown = await server.json<RunsComparison>(`/compare?a=${a}&b=${b}`)
    expect(shown.pairs).toMatchObject([{ before: '__proto__', after: 'constructor' }])
    const query = new URLSearchParams({ a, b, modelA: '__proto__', modelB: 'constructor' })
    const reply = await server.request(`/compare/cases?${query}&limit=200`)
    const text = await reply.text()
    expect(text.length).toBeLessThan(1_000_000)
    for (const id of names) {
      query.set('id', id)
      expect((await server.json<ComparedCase>(`/compare/case?${query}`)).change.id).toBe(id)
    }
  })

  it('a run that was stopped: what it did not ask is neither better nor worse', async () => {
    const [full = ''] = await server.run({ suite: makeSuite(24), models: ['demo/good'] })
    const [run] = await server.loadRuns([full])
    const stopped: RunResult = { ...run!, id: 'stopped-run', status: 'cancelled', results: run!.results.slice(0, 10) }
    stopped.results[0] = {
      testCaseId: stopped.results[0]!.testCaseId,
      modelId: 'demo/good',
      outcome: 'error',
      error: 'x',
    }
    await importRun(stopped, server.storage, 5)
    const shown = await server.json<RunsComparison>(`/compare?a=${full}&b=stopped-run`)
    expect(shown.b.state).toBe('stopped')
    expect(shown.pairs[0]!.changes).toMatchObject({
      better: 0,
      worse: 0,
      same: 9,
      lost: 0,
      notCompared: { error: 1, skipped: 14 },
    })
  })
})

describe('exports', () => {
  it('are downloads in every format, with the report’s figures', async () => {
    for (const [format, type, beginning] of [
      ['json', 'application/json', '{\n  "runs"'],
      ['csv', 'text/csv', 'run,suite,testCaseId'],
      ['md', 'text/markdown', '# Sums'],
      ['xml', 'application/xml', '<?xml'],
      ['html', 'text/html', '<!doctype html>'],
    ] as const) {
      const reply = await server.request(`/results/${server.single}/export?format=${format}`)
      expect(reply.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
      expect(reply.headers.get('content-disposition')).toContain(
        `attachment; filename="Sums ${server.single}.${format}"`,
      )
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await reply.text()).startsWith(beginning), format).toBe(true)
    }
    expect((await server.refusal(`/results/${server.single}/export?format=exe`)).status).toBe(400)
  })

  it('contain no path or formula, whatever the names of suites, cases and models', async () => {
    const answers = ['=HYPERLINK("http://x","y")', '+1+1', '-2+3', '@SUM(1)', '\t=1', '=1'].map(
      (response): ModelAnswer => ({ outcome: 'ok', response, latencyMs: 1 }),
    )
    let asked = 0
    const client: Client = {
      provider: 'odd',
      complete: async () => answers[asked++ % answers.length]!,
      listModels: async () => [],
      close: async () => {},
    }
    const name = "../../etc/\"=cmd|' /C calc'!A1\r\nset-cookie: x"
    const suite = { ...makeSuite(6), name }
    suite.testCases[0]!.id = '=1+2'
    const [id] = await server.run({ suite, models: ['@model'], concurrency: 1 }, { client })
    const reply = await server.request(`/results/${id}/export?format=csv`)
    const fileName = /filename="([^"]*)"/.exec(reply.headers.get('content-disposition') ?? '')![1]!
    expect(fileName).not.toMatch(/[/\\"\r\n]|\.\./)
    expect(reply.headers.get('set-cookie')).toBeNull()
    const fields = (await reply.text())
      .split(/\r\n|,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      .map((field) => field.replace(/^"/, ''))
    expect(fields.filter((field) => /^[=+\-@\t\r]/.test(field) && !/^[+-]?[\d.]+$/.test(field))).toEqual([])
    expect(fields.some((field) => field.startsWith("'=1+2"))).toBe(true)
  })
})
