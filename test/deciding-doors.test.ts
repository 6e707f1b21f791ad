import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../src/cli/compose-server.ts'
import { runCli } from '../src/cli/testing/run-cli.ts'
import type { LiveSnapshot, RunResult, Suite } from '../src/contract/index.ts'
import type { ReportDecisions } from '../src/report/model/verdict/report-decisions.ts'
import type { ResultsView } from '../src/server/results/results-view.ts'
import type { StartedRun } from '../src/server/runs/run-manager.ts'
import type { SuiteDocument } from '../src/server/suites/suite-documents.ts'
import { startServer, type StartedServer } from '../src/server/testing/started-server.ts'

const CASES = 200
const MODELS = ['demo/good', 'demo/fair', 'demo/poor']

const suite: Suite = {
  name: 'Sums',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `sum-${index}`,
    prompt: `What is ${index} + ${index * 3}?`,
    scoringMethod: 'numeric-tolerance',
    expectedOutput: String(index * 4),
    weight: 1,
  })),
}

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-deciding-'))
const file = join(folder, 'sums.json')
let server: StartedServer
let suiteId: string

beforeAll(async () => {
  writeFileSync(file, JSON.stringify(suite))
  server = await startServer({ compose: composeServer, dataFolder: join(folder, 'data') })
  suiteId = (await server.send<SuiteDocument>('POST', '/api/suites', { suite })).id
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const benchmaker = (...args: string[]) => runCli([...args, '--data', server.dataFolder])
const SETTLED = ['--until', 'decided', '--order-seed', 'x', '--models', MODELS.join(',')]

interface Printed {
  runs: RunResult[]
  decisions: ReportDecisions
}

function readDecisions(out: string): Printed {
  return JSON.parse(out)
}

/** What was decided, without what was in flight when it was. */
function decisionsOf({ decisions: { question, isSettled, best, cases, pairs, dropped } }: Printed) {
  return { question, isSettled, best, cases, pairs, dropped }
}

describe('a run that stops when decided', () => {
  it('says so, saves calls, fails no gate and exits with 0', async () => {
    const { exitCode, out, err } = await benchmaker('run', file, ...SETTLED, '--fail-under', '0', '--json')
    expect([exitCode, err]).toEqual([0, expect.stringContaining('Stopped when decided after')])
    const printed = readDecisions(out)
    const { decisions, runs } = printed
    expect(runs[0]).toMatchObject({ status: 'completed', stopReason: 'decided' })
    expect(decisions).toMatchObject({ isSettled: true, best: 'demo/good', question: 'all' })
    expect(decisions.cases).toBeLessThan(CASES)
    const asked = runs[0]!.results.filter(({ outcome }) => outcome !== 'cancelled').length
    expect(decisions.saved.calls).toBe(CASES * 3 - asked)
    expect(decisions.saved.cost).toBeGreaterThan(0)
    expect(err).toContain(`Saved ${decisions.saved.calls} of 600 requests`)
    expect(err).toContain('An early stop makes the gap look larger')
    for (const { winner, modelA, meanDiff, confidence95, adjustedP } of decisions.pairs) {
      const [low, high] = confidence95
      expect([winner === modelA ? low >= 0 : high <= 0, adjustedP <= 0.05]).toEqual([true, true])
      expect(meanDiff).toBeGreaterThanOrEqual(low)
      expect(meanDiff).toBeLessThanOrEqual(high)
    }

    const resumed = await benchmaker('resume', runs[0]!.id)
    expect([resumed.exitCode, resumed.err]).toEqual([0, expect.stringContaining(`Kept ${asked}.`)])
    const copied = await benchmaker('rescore', runs[0]!.id, '--suite', file, '--json')
    expect(copied.exitCode).toBe(0)
    expect(decisionsOf(readDecisions(copied.out))).toEqual(decisionsOf(printed))
    const junit = await benchmaker('export', runs[0]!.id, '--format', 'junit')
    expect(junit.out).toContain(`errors="0" skipped="${decisions.saved.calls}"`)
    const view = await server.send<ResultsView>('GET', `/api/results/${runs[0]!.id}`)
    expect(view.verdictCard).toMatchObject({ kind: 'winner', decided: decisions.sentences, next: { kind: 'none' } })
    expect(view.resume).toBeUndefined()
    const again = await server.try('POST', `/api/runs/${runs[0]!.id}/resume`, {})
    expect(again.status).toBe(409)
  })

  it('is the same through either door, and either finishes what the other began', async () => {
    for (const repeat of [1, 2]) {
      const flags = [...SETTLED, '--decide', 'best', '--repeat', String(repeat), '--json']
      const whole = readDecisions((await benchmaker('run', file, ...flags)).out)
      const request = { suiteId, models: MODELS, until: 'decided', decide: 'best', orderSeed: 'x', repeat }

      // Through the web app, as a viewer sees it.
      const started = await server.send<StartedRun>('POST', '/api/runs', request)
      await server.watch(`/api/runs/${started.runId}/events`).rest()
      const shown = readDecisions((await benchmaker('show', started.runId, '--json')).out)
      expect(decisionsOf(shown)).toEqual(decisionsOf(whole))
      const snapshot = await server.watch(`/api/runs/${started.runId}/events`).rest()
      const live = snapshot.find(({ event }) => event === 'snapshot')!.data as LiveSnapshot
      expect(live.progress).toMatchObject({
        state: 'done',
        deciding: { isSettled: true, cases: whole.decisions.cases, caseCount: CASES },
      })

      // Stopped by its budget, then finished by the other door.
      const maxCost = whole.runs.flatMap(({ results }) => results).reduce((sum, { cost = 0 }) => sum + cost, 0) * 0.5
      const cut = await benchmaker('run', file, ...flags, '--max-cost', String(maxCost))
      const stopped = readDecisions(cut.out)
      expect([cut.exitCode, stopped.decisions.isSettled]).toEqual([130, false])
      const { runId } = await server.send<StartedRun>('POST', `/api/runs/${stopped.runs[0]!.id}/resume`, {
        maxCost: 1000,
      })
      await server.watch(`/api/runs/${runId}/events`).rest()
      const finished = readDecisions((await benchmaker('show', runId, '--json')).out)
      expect(decisionsOf(finished)).toEqual(decisionsOf(whole))
      expect(finished.runs.map(({ status }) => status)).toEqual(whole.runs.map(() => 'completed'))
    }
  })

  it('screens: all models get the first cases, the rest goes to those still in question', async () => {
    const { exitCode, out, err } = await benchmaker('run', file, '--screen', '60', '--order-seed', 'x', '--json')
    const { decisions, runs } = readDecisions(out)
    expect([exitCode, decisions.question]).toEqual([0, 'best'])
    expect(decisions.dropped).toContainEqual({ modelId: 'demo/poor', at: 60 })
    expect(err).toContain('dropped after 60 cases')
    const countOf = (model: string) =>
      runs[0]!.results.filter(({ modelId, outcome }) => modelId === model && outcome !== 'cancelled').length
    expect(countOf('demo/poor')).toBeGreaterThanOrEqual(60)
    expect(countOf('demo/poor')).toBeLessThan(80)
  })

  it.each([
    [['--until', 'decided', '--models', 'demo/good'], 'nothing to decide with one model'],
    [['--decide', 'best'], '--decide best needs --until decided or --screen'],
    [['--until', 'soon'], 'use one of decided'],
  ])('refuses %j', async (flags, message) => {
    const { exitCode, err } = await benchmaker('run', file, ...flags)
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
  })
})
