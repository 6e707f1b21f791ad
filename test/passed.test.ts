import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import stringWidth from 'fast-string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../src/cli/testing/run-cli.ts'
import type { RunResult } from '../src/contract/index.ts'
import { describeVerdict } from '../src/report/words/index.ts'
import { buildReport, createRunStore, defineClient, defineScorer, executeRun, writeReport } from '../src/index.ts'
import { resultsRoutes } from '../src/server/results/routes.ts'
import type { ResultsView } from '../src/server/results/results-view.ts'
import { compareRoutes } from '../src/server/results/compare/compare-routes.ts'
import type { RunsComparison } from '../src/server/results/compare/compare-view.ts'
import type { PairView } from '../src/server/results/compare/pair-view.ts'
import { startRouteServer, type RouteServer } from '../src/server/testing/route-server.ts'
import { importRun } from '../src/services/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-passed-'))
const data = ['--data', join(folder, 'data')]

/** As an older version stored it: no pass mark anywhere. One case for each rule. */
const oldRun: RunResult = {
  id: 'old-run',
  status: 'completed',
  startedAt: Date.UTC(2026, 5, 1),
  models: ['a', 'b'],
  testSuiteSnapshot: {
    name: 'Old',
    testCases: [
      { id: 'exact', prompt: 'p', scoringMethod: 'exact-match', expectedOutput: 'x', weight: 1 },
      { id: 'judged', prompt: 'p', scoringMethod: 'llm-judge', weight: 1 },
      { id: 'number', prompt: 'p', scoringMethod: 'numeric-tolerance', expectedOutput: '7', weight: 2 },
      {
        id: 'checks',
        prompt: 'p',
        checks: [
          { scoringMethod: 'boolean', expectedOutput: 'x', weight: 1 },
          { scoringMethod: 'llm-judge', weight: 3 },
        ],
        weight: 1,
      },
    ],
  },
  results: ['a', 'b'].flatMap((modelId, model) =>
    [
      { testCaseId: 'exact', score: { score: [0.95, 0.94][model]! } },
      { testCaseId: 'judged', score: { score: [0.8, 0.79][model]! } },
      { testCaseId: 'number', score: { score: [0.99, 1][model]! } },
      {
        testCaseId: 'checks',
        score: {
          score: [0.85, 0.75][model]!,
          checks: [
            { scoringMethod: 'boolean', weight: 1, score: [1, 0][model]! },
            { scoringMethod: 'llm-judge', weight: 3, score: [0.8, 1][model]! },
          ],
        },
      },
    ].map((cell) => ({ ...cell, modelId, outcome: 'ok' as const, response: 'x', latencyMs: 1, cost: 0 })),
  ),
}
const expected = { a: ['3/4', 0.6], b: ['1/4', 0.4] } as const

let server: RouteServer
beforeAll(async () => {
  writeFileSync(join(folder, 'old.json'), JSON.stringify({ runs: [oldRun] }))
  server = await startRouteServer([resultsRoutes, compareRoutes])
  await importRun(oldRun, server.storage, oldRun.startedAt!)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const view = async (path: string): Promise<ResultsView> => JSON.parse(JSON.stringify(await server.get(path)))

describe('a run stored before there were pass marks', () => {
  it('has the same answers passed in the terminal, its exports and --json', async () => {
    expect((await runCli(['import', join(folder, 'old.json'), ...data])).exitCode).toBe(0)
    const { out } = await runCli(['show', 'old-run', '--cases', ...data])
    for (const [model, [passed]] of Object.entries(expected))
      expect(out).toMatch(new RegExp(`${model} +\\d+\\.\\d .*${passed}`))
    expect(out).toContain(' 95.0 ✓  exact · a')
    expect(out).toContain(' 94.0 ✗  exact · b')
    const document = JSON.parse((await runCli(['show', 'old-run', '--json', ...data])).out)
    for (const [model, [passed, rate]] of Object.entries(expected)) {
      expect(`${document.scores[model].passed}/${document.scores[model].count}`).toBe(passed)
      expect(document.scores[model].passRate).toBeCloseTo(rate, 12)
    }
    const csv = (await runCli(['export', 'old-run', '--format', 'csv', ...data])).out
    const rows = Papa.parse<Record<string, string>>(csv.trim(), { header: true }).data
    expect(
      rows.filter((row) => row['passed'] === 'true').map((row) => `${row['modelId']} ${row['testCaseId']}`),
    ).toEqual(['a exact', 'a judged', 'b number', 'a checks'])
    const junit = (await runCli(['export', 'old-run', '--format', 'junit', ...data])).out
    expect(junit).toContain('tests="8" failures="4" errors="0"')
    expect(junit).toContain('boolean 0.0 is below 100.0')
  })

  it('has the same in the web app and in the library', async () => {
    const { rows } = await view('/results/old-run')
    const report = buildReport(oldRun)
    expect(rows.map(({ modelId, score }) => [modelId, score])).toEqual(
      report.rows.map(({ modelId, score }) => [modelId, score]),
    )
    const scores = createRunStore([oldRun]).getDetailedAggregateScores('old-run')
    for (const [model, [passed, rate]] of Object.entries(expected)) {
      const { score } = rows.find(({ modelId }) => modelId === model)!
      expect([`${score!.passed}/${score!.count}`, score!.passRate]).toEqual([passed, expect.closeTo(rate, 12)])
      expect(scores.get(model)).toMatchObject({
        passed: score!.passed,
        passRate: score!.passRate,
        passRateConfidence95: score!.passRateConfidence95,
      })
    }
  })

  it('survives an export and import unchanged', async () => {
    const [again] = JSON.parse(writeReport(buildReport(oldRun), { format: 'json' })).runs
    expect(again).toEqual(JSON.parse(JSON.stringify(oldRun)))
  })
})

describe('a custom scorer with a pass mark of its own', () => {
  it('decides what passes, also for whoever reads the stored run without it', async () => {
    const half = defineScorer({ name: 'half', passAt: 0.4, score: ({ response }) => ({ score: Number(response) }) })
    const answers: Record<string, string> = { low: '0.3', high: '0.5' }
    const client = defineClient({
      provider: 'fake',
      complete: async ({ messages }) => ({ response: answers[String(messages.at(-1)!.content)]! }),
    })
    const run = await executeRun({
      suite: {
        name: 'Own',
        testCases: [
          { id: 'low', prompt: 'low', scoringMethod: 'half' },
          { id: 'high', prompt: 'high', scoringMethod: 'half' },
          { id: 'own mark', prompt: 'low', scoringMethod: 'half', passAt: 0.2 },
        ],
      },
      models: ['m'],
      client,
      scorers: [half],
    })
    await importRun({ ...run, id: 'custom' }, server.storage, 1)
    const { rows } = await view('/results/custom')
    const light = await server.storage.loadRun('custom', { texts: false })
    for (const { score } of [rows[0]!, buildReport(run).rows[0]!, buildReport(light!).rows[0]!])
      expect(score).toMatchObject({ passed: 2, count: 3 })
  })
})

/** Two models that differ, but not surely. */
const closeRun: RunResult = {
  id: 'close-run',
  status: 'completed',
  startedAt: Date.UTC(2026, 5, 2),
  models: ['a', 'b'],
  testSuiteSnapshot: {
    name: 'Close',
    testCases: Array.from({ length: 12 }, (_, index) => ({
      id: `c${index}`,
      prompt: 'p',
      scoringMethod: 'boolean',
      expectedOutput: 'x',
      weight: 1,
    })),
  },
  results: ['a', 'b'].flatMap((modelId, model) =>
    Array.from({ length: 12 }, (_, index) => ({
      testCaseId: `c${index}`,
      modelId,
      outcome: 'ok' as const,
      response: (index + model) % 3 === 0 ? 'x' : 'o',
      latencyMs: 1,
      score: { score: (index + model) % 3 === 0 ? 1 : 0 },
    })),
  ),
}
const planned = /[Aa]bout ([\d,]+) more cases.*? would detect a 5\.0-point gap/

describe('the smallest difference worth detecting', () => {
  it('is what the library plans for', () => {
    const [observed, chosen] = [buildReport(closeRun), buildReport(closeRun, { smallestDifference: 0.05 })]
    expect(observed.comparisons[0]!.comparison.paired!.plan).toMatchObject({ isChosen: false })
    expect(chosen.comparisons[0]!.comparison.paired!.plan).toMatchObject({ difference: 0.05, isChosen: true })
    expect(chosen.comparisons[0]!.sentence).toMatch(planned)
    expect(chosen.rows).toEqual(observed.rows)
    for (const smallestDifference of [0, -0.1, 5, Number.NaN])
      expect(() => buildReport(closeRun, { smallestDifference })).toThrow(
        /more than 0 and at most 1 \(5 points are 0\.05\)/,
      )
  })

  it('is --smallest-difference in every command that prints verdicts', async () => {
    writeFileSync(join(folder, 'close.json'), JSON.stringify({ runs: [closeRun] }))
    await runCli(['import', join(folder, 'close.json'), ...data])
    const flag = ['--smallest-difference', '5', ...data]
    for (const args of [
      ['show', 'close-run', ...flag],
      ['compare', 'close-run', ...flag],
      ['export', 'close-run', '--format', 'markdown', ...flag],
      ['rescore', 'close-run', ...flag],
    ]) {
      const { exitCode, out } = await runCli(args, { columns: 1000 })
      expect(exitCode, args.join(' ')).toBe(0)
      expect(out, args.join(' ')).toMatch(planned)
    }
    const { out } = await runCli(['show', 'close-run', '--json', ...flag])
    expect(JSON.parse(out).comparisons[0].paired.plan).toMatchObject({ difference: 0.05, isChosen: true })
  })

  it('is one of `run`, `resume` and `score` too', async () => {
    const suite = join(import.meta.dirname, '../examples/first-look/suite.yaml')
    const flag = ['--smallest-difference', '2.5']
    const started = await runCli(['run', suite, '--limit', '8', ...flag, ...data], { columns: 1000 })
    expect(started.out).toContain('would detect a 2.5-point gap')
    const resumed = await runCli(['resume', 'latest', ...flag, ...data], { columns: 1000 })
    expect(resumed.out).toContain('would detect a 2.5-point gap')
    expect((await runCli(['score', ...flag], { columns: 1000 })).out).toContain('would detect a 2.5-point gap')
  })

  it.each(['0', '101', 'x', '-5', ''])('refuses %j points in the terminal', async (points) => {
    expect(await runCli(['show', 'latest', `--smallest-difference=${points}`, ...data])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(': must be a number from 0.1 to 100'),
    })
  })

  it('is in the address of the web app’s results, pairs, comparisons of runs and exports', async () => {
    await importRun(closeRun, server.storage, closeRun.startedAt!)
    await importRun(
      {
        ...closeRun,
        id: 'later-run',
        results: closeRun.results.map((cell, index) => ({ ...cell, score: { score: index % 4 === 0 ? 1 : 0 } })),
      },
      server.storage,
      3,
    )
    const sentence = buildReport(closeRun, { sameWithin: 0.05 }).comparisons[0]!.sentence
    const shown = await view('/results/close-run?smallestDifference=5')
    expect(shown.comparisons[0]!.sentence).toBe(sentence)
    expect((await view('/results/close-run')).comparisons[0]!.sentence).not.toBe(sentence)
    expect((await view('/results/close-run?smallestDifference=')).comparisons[0]!.sentence).not.toBe(sentence)
    const pair: PairView = JSON.parse(
      JSON.stringify(await server.get('/results/close-run/compare?a=b&b=a&smallestDifference=5')),
    )
    expect(pair.sentence).toBe(sentence)
    const runs: RunsComparison = JSON.parse(
      JSON.stringify(await server.get('/compare?a=close-run&b=later-run&smallestDifference=5')),
    )
    expect(runs.pairs.map(({ comparison }) => describeVerdict(comparison!)).join('\n')).toMatch(planned)
    expect(runs.pairs.map(({ passed: { a, b } }) => [a.count, b.count])).toEqual([
      [12, 12],
      [12, 12],
    ])
    const exported = await server.request('/results/close-run/export?format=md&smallestDifference=5')
    expect(await exported.text()).toContain(sentence)
    for (const wrong of ['0', '101', 'x'])
      expect((await server.request(`/results/close-run?smallestDifference=${wrong}`)).status).toBe(400)
  })
})

describe('the leaderboard in the terminal', () => {
  it.each([60, 70, 80, 100, 120, 160])('fits into %s columns, with the answers passed', async (columns) => {
    const { out } = await runCli(['score'], { columns })
    const all = out.split('\n')
    const head = all.findIndex((line) => /^ *Rank {2}Model/.test(line))
    const lines = all.slice(head, head + 4)
    expect(lines[0]).toContain('Passed')
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns)
    expect(lines[0]!.includes('100')).toBe(columns >= 70)
  })
})
