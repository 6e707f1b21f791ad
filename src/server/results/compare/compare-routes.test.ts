import type { RunsComparison } from './compare-view.ts'
import type { PairView } from './pair-view.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ModelAnswer, RunResult } from '../../../contract/index.ts'
import { demoModels as models, startResultsServer, type ResultsServer } from '../testing/results-server.ts'
import { makeSuite } from '../../testing/route-server.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

describe('comparing', () => {
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

  it('two runs lists what got better and worse for each model, B minus A, corrected for all models', async () => {
    const [other = ''] = await server.run(
      { suite: makeSuite(30), models: ['demo/good', 'demo/fair'], parameters: { temperature: 1 } },
      { client: server.context.runTools().connect({ cache: false }, 7).clientOf('demo/good') },
    )
    const shown = await server.json<RunsComparison>(`/compare?a=${server.single}&b=${other}`)
    expect([shown.a.runs, shown.b.runs]).toEqual([[server.single], [other]])
    expect([shown.onlyInA, shown.onlyInB]).toEqual([
      { models: ['demo/poor'], cases: 0 },
      { models: [], cases: 6 },
    ])
    const [before, after] = await server.loadRuns([server.single, other])
    for (const {
      modelId,
      better,
      worse,
      betterCount,
      worseCount,
      unchanged,
      comparison,
      meanA,
      meanB,
    } of shown.models) {
      const scoreIn = (run: RunResult, id: string) =>
        run.results.find((result) => result.testCaseId === id && result.modelId === modelId)!.score!.score
      const differences = makeSuite(24).testCases.map(({ id }) => scoreIn(after!, id) - scoreIn(before!, id))
      expect([betterCount, worseCount, unchanged]).toEqual([
        differences.filter((d) => d > 1e-9).length,
        differences.filter((d) => d < -1e-9).length,
        differences.filter((d) => Math.abs(d) <= 1e-9).length,
      ])
      expect([better.length, worse.length]).toEqual([betterCount, worseCount])
      expect(better.every(({ before: from, after: to }) => to > from)).toBe(true)
      expect(comparison!.paired).toMatchObject({ n: 24, wins: betterCount, losses: worseCount })
      expect(comparison!.paired!.adjustedP).toBeGreaterThanOrEqual(comparison!.paired!.permutationP)
      expect(comparison!.scoreDiff).toBeCloseTo(meanB - meanA, 12)
    }
    expect(shown.models.map(({ modelId }) => modelId).toSorted()).toEqual(['demo/fair', 'demo/good'])
    const same = await server.json<RunsComparison>(`/compare?a=${server.single}&b=${server.single}`)
    expect(same.models.map(({ betterCount, worseCount, unchanged }) => [betterCount, worseCount, unchanged])).toEqual(
      models.map(() => [0, 0, 24]),
    )
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
