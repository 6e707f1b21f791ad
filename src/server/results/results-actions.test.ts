import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunRequest, RunInput } from '../../contract/index.ts'
import { buildReport } from '../../report/index.ts'
import { listGroups } from '../../report/model/standings/groups.ts'
import { compareWithReference } from '../../report/model/verdict/reference.ts'
import { deleteRun } from '../../services/index.ts'
import { makeSuite } from '../testing/route-server.ts'
import type { ReferenceView } from './reference-view.ts'
import type { GroupedStandings } from '../../report/model/standings/grouped-standings.ts'
import { isSmallGroup } from '../../report/words/index.ts'
import type { ResultsView } from './results-view.ts'
import { demoModels as models, startResultsServer, type ResultsServer } from './testing/results-server.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The runs with the cases of one category only, as a report of those cases sees them. */
async function loadCategory(ids: readonly string[], category: string) {
  const runs = await server.loadRuns(ids)
  return runs.map((run) => {
    const testCases = run.testSuiteSnapshot!.testCases.filter(({ metadata }) => metadata?.category === category)
    const kept = new Set(testCases.map(({ id }) => id))
    return {
      ...run,
      testSuiteSnapshot: { ...run.testSuiteSnapshot!, testCases },
      results: run.results.filter(({ testCaseId }) => kept.has(testCaseId)),
    }
  })
}

describe('the verdict card', () => {
  it('is that of the report', async () => {
    const report = buildReport(await server.loadRuns(server.series))
    const { verdictCard } = await server.view(`series:${server.seriesId}`)
    expect(verdictCard).toEqual(plain(report.verdictCard))
    expect(verdictCard.outcome).toMatch(/demo\/good/)
  })
})

describe('a group of cases', () => {
  it('has the figures of a report of those cases alone', async () => {
    const report = buildReport(await loadCategory(server.series, 'odd'))
    const shown = await server.json<ResultsView>(`/results/series:${server.seriesId}?group=category:odd`)
    expect([shown.group, shown.caseCount]).toEqual([{ by: 'category', value: 'odd' }, 12])
    expect(shown.rows).toEqual(plain(report.rows))
    expect(shown.comparisons).toEqual(plain(report.comparisons))
    expect(shown.verdictCard).toEqual(plain(report.verdictCard))
    const whole = await server.view(`series:${server.seriesId}`)
    expect(whole.rows[0]!.score!.n).toBe(24)
  })

  it('is listed with its size and the mean of each model', async () => {
    const { groups, leftOut, ungrouped } = await server.json<GroupedStandings>(
      `/results/${server.single}/groups?by=category`,
    )
    expect([leftOut, ungrouped]).toEqual([0, 0])
    expect(groups.map((group) => [group.value, group.cases, isSmallGroup(group)])).toEqual([
      ['even', 12, false],
      ['odd', 12, false],
    ])
    const report = buildReport(await loadCategory([server.single], 'even'))
    for (const { modelId, score } of report.rows)
      expect(groups[0]!.rows.find((entry) => entry.modelId === modelId)?.score?.mean).toBe(score!.mean)
    const byTag = await server.json<GroupedStandings>(`/results/${server.single}/groups?by=tag`)
    expect(byTag.groups.map((group) => [group.value, group.cases, isSmallGroup(group)])).toEqual([
      ['t0', 5, true],
      ['t1', 5, true],
      ['t2', 5, true],
      ['t3', 5, true],
      ['t4', 4, true],
    ])
  })

  it('has the verdicts of the report, corrected over groups × pairs, also within a margin', async () => {
    const report = buildReport(await server.loadRuns([server.single]), { sameWithin: 0.3 })
    const shown = await server.json<GroupedStandings>(
      `/results/${server.single}/groups?by=category&smallestDifference=30`,
    )
    expect(shown).toEqual(plain(listGroups(report).find(({ by }) => by === 'category')))
    expect(shown.groups[0]!.pairs[0]!.equivalence!.margin).toBe(0.3)
    expect(shown.tests).toBe(2 * shown.groups[0]!.pairs.length)
  })

  it('that does not exist is refused', async () => {
    expect(await server.refusal(`/results/${server.single}?group=category:none`)).toMatchObject({ status: 404 })
    expect(await server.refusal(`/results/${server.single}?group=model:x`)).toMatchObject({ status: 400 })
    expect(await server.refusal(`/results/${server.single}/groups?by=weight`)).toMatchObject({ status: 400 })
  })
})

describe('which models are not worse than one of them', () => {
  const ask = (query: string) => `/results/${server.single}/reference?${query}`
  it('is said of each other model, with its interval', async () => {
    const { margin, models: against } = await server.json<ReferenceView>(ask('model=demo/good&smallestDifference=20'))
    expect(margin).toBe(0.2)
    const runs = await server.loadRuns([server.single])
    const expected = compareWithReference(runs, { model: 'demo/good', margin: 0.2 })
    expect(against.map(({ sentence: _sentence, ...facts }) => facts)).toEqual(plain(expected))
    for (const { sentence } of against) expect(sentence).toMatch(/ worse than demo\/good by 20 points or more: /)
  })
  it('needs a margin and a model of the run', async () => {
    expect(await server.refusal(ask('model=demo/good'))).toMatchObject({ status: 422 })
    expect(await server.refusal(ask('model=nobody&smallestDifference=20'))).toMatchObject({ status: 422 })
    for (const wrong of ['0', '101', 'NaN'])
      expect(await server.refusal(ask(`model=demo/good&smallestDifference=${wrong}`))).toMatchObject({ status: 400 })
  })
})

describe('the grid', () => {
  it('shows the first lines of each answer if asked to', async () => {
    const [run] = await server.loadRuns([server.single])
    const { cases, models: order } = await server.page(server.single, 'answers=1&limit=3')
    for (const { id, answers } of cases)
      for (const [index, modelId] of order.entries()) {
        const found = run!.results.find((result) => result.testCaseId === id && result.modelId === modelId)
        expect(found!.response!.startsWith(answers![index]!.split('\n')[0]!)).toBe(true)
        expect(answers![index]).not.toBe('')
      }
    expect((await server.page(server.single, 'limit=3')).cases[0]).not.toHaveProperty('answers')
  })

  it('keeps only cases on which a model scores below a limit', async () => {
    const all = await server.page(server.single, 'limit=24')
    const expected = all.cases.filter(({ cells }) => cells.some(({ score = 1 }) => score < 0.5)).map(({ id }) => id)
    const { cases, total } = await server.page(server.single, 'limit=24&below=50')
    expect(cases.map(({ id }) => id)).toEqual(expected)
    expect(total).toBeLessThan(24)
    expect((await server.page(server.single, 'difficulty=easy')).total).toBe(24)
    expect((await server.page(server.single, 'difficulty=hard')).total).toBe(0)
    expect(await server.refusal(`/results/${server.single}/cases?below=500`)).toMatchObject({ status: 400 })
  })
})

describe('a run that stopped', () => {
  it('says so, counts what was not run, and can be resumed', async () => {
    const testCases = Array.from({ length: 6 }, (_, index) => ({ id: `c${index}`, weight: 1, prompt: 'x' }))
    const cells = testCases.map(({ id }) => ({ testCaseId: id, modelId: 'm' }))
    const { storage } = server
    const request = { suiteId: 's', models: ['m'], maxCost: 0.5, repeat: 3 } as RunRequest
    await storage.createRun(
      { id: 'cut', kind: 'suite', models: ['m'], startedAt: 1, testSuiteSnapshot: { name: 'S', testCases }, request },
      cells,
    )
    for (const [index, { testCaseId }] of cells.slice(0, 2).entries()) {
      const cell = { runId: 'cut', testCaseId, modelId: 'm' }
      const attempt = await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 1 })
      await storage.endAttempt(attempt, { endedAt: 2, outcome: index === 0 ? 'ok' : 'error' })
      if (index === 1) await storage.saveError(cell, 'error', 'HTTP 500')
    }
    await storage.setRunStatus('cut', 'cancelled', { completedAt: 3, stopReason: 'budget' })
    const view = await server.view('cut')
    expect(view.runs[0]).toMatchObject({ state: 'stopped', stopReason: 'budget' })
    // Two runs of the series have not started.
    expect(view.resume).toEqual({ runId: 'cut', notRun: 5 + 12, runsNotStarted: 2, errors: 1, usedUpBudget: 0.5 })
    expect(view.rows[0]).toMatchObject({ errors: 1, notRun: 5 })
    expect(view.verdictCard.caveats.map(({ text }) => text)).toEqual([
      'Stopped at its budget of $0.50: the next request could have exceeded it.',
      '5 of 6 cells were not run.',
      '1 of 6 cells ended in an error and is excluded from averages.',
    ])
    expect(view.verdictCard.next.kind).toBe('resume')
    const states = (await server.page('cut')).cases.map(({ cells: [cell] }) => cell!.state)
    expect(states).toEqual(['skipped', 'error', 'skipped', 'skipped', 'skipped', 'skipped'])
    expect((await server.page('cut', 'state=not-run')).total).toBe(5)
    expect((await server.page('cut', 'state=error')).total).toBe(1)
    expect((await server.view(server.single)).resume).toBeUndefined()
  })
})

describe('one run of a series, opened alone', () => {
  it('counts what a resume of the series would send, and no run that has started as not started', async () => {
    const testCases = [{ id: 'c0', weight: 1, prompt: 'x' }]
    const cells = [{ testCaseId: 'c0', modelId: 'm' }]
    const { storage } = server
    const request = { suiteId: 's', models: ['m'], repeat: 3 } as RunRequest
    const begin = async (id: string) => {
      const testSuiteSnapshot = { name: 'S', testCases }
      const facts = { id, models: ['m'], startedAt: 1, seriesId: 'begun', request, testSuiteSnapshot }
      await storage.createRun({ ...facts, kind: 'suite' }, cells)
      await storage.setRunStatus(id, 'cancelled', { completedAt: 3 })
    }
    await begin('begun-1')
    await begin('begun-2')
    expect((await server.view('begun-1')).resume).toMatchObject({ runId: 'begun-1', notRun: 3, runsNotStarted: 1 })
    await begin('begun-3')
    expect((await server.view('begun-2')).resume).toEqual({ runId: 'begun-2', notRun: 3, errors: 0 })
    expect((await server.view('series:begun')).resume).toEqual({ runId: 'begun-1', notRun: 3, errors: 0 })
  })
})

describe('running again', () => {
  const started: RunInput[] = []
  beforeAll(() => {
    server.context.runs.startSuite = async (input) => {
      started.push(input)
      return { runId: `new-${started.length}` }
    }
  })
  const again = (selection: string, body: unknown) =>
    server.request(`/results/${selection}/again`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('starts the stored request with the stored suite, with the same models or others', async () => {
    const [run] = await server.loadRuns([server.single])
    expect((await again(server.single, {})).status).toBe(201)
    expect(started.at(-1)!.suite).toEqual(run!.testSuiteSnapshot)
    expect(started.at(-1)!.request).toMatchObject({ models, parameters: run!.request!.parameters })
    const reply = await again(`series:${server.seriesId}`, { models: ['demo/coder'] })
    expect(await reply.json()).toEqual({ runId: 'new-2' })
    expect(started.at(-1)!.request.models).toEqual(['demo/coder'])
    expect((await again(server.single, { models: [] })).status).toBe(422)
    expect((await again('nothing', {})).status).toBe(404)
  })
})

describe('a model that is added', () => {
  it('is part of the result wherever that is opened, and is run again with it', async () => {
    const [base = ''] = await server.run({ suite: makeSuite(24), models: ['demo/good', 'demo/fair'] })
    const [late = ''] = await server.run({ suite: makeSuite(24), models: ['demo/poor'] })
    const requests: RunInput['request'][] = []
    server.context.runs.startSuite = async ({ request }) => {
      requests.push(request)
      return { runId: late }
    }
    const again = (body: unknown) =>
      server.request(`/results/${base}/again`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await again({ models: ['demo/poor'] })).status).toBe(201)
    const { runs, rows, again: next } = await server.view(base)
    expect(runs.map(({ id }) => id)).toEqual([base, late])
    expect(rows.map(({ modelId }) => modelId).toSorted()).toEqual(models.toSorted())
    expect(next!.models).toEqual(models)
    expect((await server.page(base)).models).toHaveLength(3)
    expect((await server.view(late)).runs.map(({ id }) => id)).toEqual([late])
    await again({})
    expect(requests.map((request) => request.models)).toEqual([['demo/poor'], models])

    await deleteRun(server.storage, late)
    expect((await server.view(base)).runs.map(({ id }) => id)).toEqual([base])
  })
})

describe('a selection', () => {
  it('can mix runs and series', async () => {
    const both = await server.view(`series:${server.seriesId},${server.single}`)
    expect(both.runs.map(({ id }) => id)).toEqual([...server.series, server.single])
    expect(both).not.toHaveProperty('seriesId')
    expect(await server.refusal('/results/series:none,x')).toMatchObject({ status: 404 })
  })
})
