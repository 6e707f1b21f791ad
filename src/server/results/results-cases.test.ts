import type { CasePage } from './cases/case-page.ts'
import type { CaseDetail } from './cases/case-detail.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ModelAnswer } from '../../contract/index.ts'
import { noteRunChange } from './selection/run-changes.ts'
import { demoModels as models, startResultsServer, type ResultsServer } from './testing/results-server.ts'
import { makeSuite } from '../testing/route-server.ts'

const ONE_MEGABYTE = 1_000_000

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

describe('the pages of cases', () => {
  const sorts = ['order', 'id', 'spread', 'worst', ...models.map((modelId) => `model:${modelId}`)]
  const states = ['all', 'missing', 'error', 'not-run', 'failed', 'disagree', 'flaky', 'rated']

  it('cover every case exactly once for any sort, filter and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          sort: fc.constantFrom(...sorts),
          order: fc.constantFrom('asc', 'desc', ''),
          state: fc.constantFrom(...states),
          category: fc.constantFrom('', 'even'),
          tag: fc.constantFrom('', 't3'),
          search: fc.constantFrom('', 'sum-01', 'WHAT is 1', '3'),
          limit: fc.integer({ min: 1, max: 30 }),
        }),
        async ({ order, limit, ...rest }) => {
          const query = new URLSearchParams({ ...rest, ...(order !== '' && { order }) })
          const whole = await server.page(`series:${server.seriesId}`, `${query}&limit=200`)
          const pieces: string[] = []
          for (let offset = 0; offset < whole.total;) {
            const { cases, total } = await server.page(
              `series:${server.seriesId}`,
              `${query}&limit=${limit}&offset=${offset}`,
            )
            expect([total, cases.length]).toEqual([whole.total, Math.min(limit, total - offset)])
            pieces.push(...cases.map(({ id }) => id))
            offset += cases.length
          }
          expect(pieces).toEqual(whole.cases.map(({ id }) => id))
          expect(new Set(pieces).size).toBe(whole.total)
          if (rest.state === 'all' && rest.category === '' && rest.tag === '' && rest.search === '')
            expect(whole.total).toBe(24)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('have a cell for each model, in leaderboard order: mean and spread over the runs', async () => {
    const runs = await server.loadRuns(server.series)
    const { rows } = await server.view(`series:${server.seriesId}`)
    const { cases, models: order } = await server.page(`series:${server.seriesId}`, 'limit=24')
    expect(order).toEqual(rows.map(({ modelId }) => modelId))
    for (const { id, cells } of cases)
      for (const [index, { score, spread, state }] of cells.entries()) {
        const scores = runs.map(
          ({ results }) =>
            results.find((result) => result.testCaseId === id && result.modelId === order[index])!.score!.score,
        )
        expect(score).toBeCloseTo(scores.reduce((sum, value) => sum + value, 0) / scores.length, 12)
        expect([spread, state]).toEqual([[Math.min(...scores), Math.max(...scores)], 'scored'])
      }
    expect(cases[3]).toMatchObject({
      id: 'sum-003',
      title: 'What is 3 + 24?',
      category: 'odd',
      tags: ['t3'],
      methods: ['exact-match'],
      weight: 2,
      difficulty: 'easy',
    })
  })

  it('are sorted by the requested number, with cases without it last', async () => {
    const values = async (sort: string, order: string, value: (cells: CasePage['cases'][number]['cells']) => number) =>
      (
        await server.page(`series:${server.seriesId}`, `limit=24&sort=${encodeURIComponent(sort)}&order=${order}`)
      ).cases.map(({ cells }) => value(cells))
    const scoresOf = (cells: CasePage['cases'][number]['cells']) => cells.map(({ score }) => score!)
    const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
    // Of the whole case: one bad answer of one model is not the worst case.
    const meanOf = (numbers: number[]) => numbers.reduce((sum, score) => sum + score, 0) / numbers.length
    const worst = await values('worst', 'asc', (cells) => meanOf(scoresOf(cells)))
    expect(worst).toEqual(ascending(worst))
    const spread = await values(
      'spread',
      'desc',
      (cells) => Math.max(...scoresOf(cells)) - Math.min(...scoresOf(cells)),
    )
    expect(spread).toEqual(ascending(spread).reverse())
    const { models: order } = await server.page(`series:${server.seriesId}`)
    const poorScores = await values('model:demo/poor', 'desc', (cells) => cells[order.indexOf('demo/poor')]!.score!)
    expect(poorScores).toEqual(ascending(poorScores).reverse())
  })

  it('are filtered by state', async () => {
    const { cases } = await server.page(`series:${server.seriesId}`, 'limit=24')
    const ids = async (state: string) =>
      (await server.page(`series:${server.seriesId}`, `limit=24&state=${state}`)).cases.map(({ id }) => id)
    type Cell = CasePage['cases'][number]['cells'][number]
    const passed = ({ passed: passes, scored }: Cell) => passes === scored
    expect(await ids('failed')).toEqual(
      cases.filter(({ cells }) => cells.some((cell) => !passed(cell))).map(({ id }) => id),
    )
    expect(await ids('disagree')).toEqual(
      cases.filter(({ cells }) => cells.some(passed) && cells.some((cell) => !passed(cell))).map(({ id }) => id),
    )
    const { series } = await server.view(`series:${server.seriesId}`)
    expect(new Set(await ids('flaky'))).toEqual(new Set(series.flatMap(({ repeats }) => repeats?.flaky ?? [])))
    expect(await ids('missing')).toEqual([])
    expect(await ids('rated')).toEqual([])
  })

  it('show the wrong answer of a flaky cell', async () => {
    const { cases, models: order } = await server.page(`series:${server.seriesId}`, 'limit=24&answers=1&state=flaky')
    const runs = await server.loadRuns(server.series)
    const flaky = cases.flatMap(({ id, cells, answers }) =>
      cells.flatMap(({ passed = 0, scored = 0 }, place) =>
        passed > 0 && passed < scored ? [{ id, model: order[place]!, shown: answers![place] }] : [],
      ),
    )
    expect(flaky.length).toBeGreaterThan(0)
    for (const { id, model, shown } of flaky) {
      const given = runs.flatMap(({ results }) =>
        results.filter(({ testCaseId, modelId }) => testCaseId === id && modelId === model),
      )
      const worst = Math.min(...given.map(({ score }) => score!.score))
      expect(given.filter(({ score }) => score!.score === worst).map(({ response }) => response)).toContain(shown)
    }
  })

  it('find a text in ids, prompts and answers, ignoring case', async () => {
    const found = async (search: string) =>
      (await server.page(server.single, `limit=24&search=${encodeURIComponent(search)}`)).cases.map(({ id }) => id)
    expect(await found('SUM-007')).toEqual(['sum-007'])
    expect(await found('what is 5 + 38')).toEqual(['sum-005'])
    const [run] = await server.loadRuns([server.single])
    const answer = run!.results.find(
      ({ response, testCaseId }) => /^\d{2,}$/.test(response ?? '') && testCaseId === 'sum-009',
    )!.response!
    expect(await found(answer)).toContain('sum-009')
    expect(await found('nothing of the kind')).toEqual([])
  })

  it('refuse an invalid query and name the parameter', async () => {
    for (const [query, name] of [
      ['limit=201', 'limit'],
      ['limit=0', 'limit'],
      ['offset=-1', 'offset'],
      ['sort=colour', 'sort'],
      ['state=lost', 'state'],
      ['order=up', 'order'],
    ] as const)
      expect(await server.refusal(`/results/${server.single}/cases?${query}`), query).toMatchObject({
        status: 400,
        error: { code: 'bad-query', problems: [{ path: [name] }] },
      })
    expect(await server.refusal(`/results/${server.single}/cases?sort=model:nobody`)).toMatchObject({ status: 400 })
  })

  it('show what is missing and what is pending', async () => {
    const cells = ['a', 'b', 'c'].flatMap((testCaseId) => ['m', 'n'].map((modelId) => ({ testCaseId, modelId })))
    const runId = 'partly'
    await server.storage.createRun({ id: runId, kind: 'suite', models: ['m', 'n'], startedAt: 1 }, cells)
    const answer = async (testCaseId: string, modelId: string) => {
      const cell = { runId, testCaseId, modelId }
      const attempt = await server.storage.startAttempt({
        ...cell,
        purpose: 'answer',
        askedModel: modelId,
        startedAt: 1,
      })
      await server.storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok' }, cell, {
        outcome: 'ok',
        response: 'x',
        latencyMs: 1,
      })
      return cell
    }
    await server.storage.saveScore(await answer('a', 'm'), { score: 1 })
    await server.storage.saveScore(await answer('a', 'n'), {
      unscored: { code: 'judge-unreadable', message: 'no number' },
    })
    await server.storage.saveError({ runId, testCaseId: 'b', modelId: 'm' }, 'timeout', 'no reply')
    await server.storage.setRunStatus(runId, 'cancelled', { completedAt: 3 })
    const shown = await server.page(runId)
    expect(shown.models).toEqual(['m', 'n'])
    expect(shown.cases.map(({ id, cells: row }) => [id, ...row.map(({ state }) => state)])).toEqual([
      ['a', 'scored', 'unscored'],
      ['b', 'error', 'skipped'],
    ])
    expect((await server.page(runId, 'state=missing')).total).toBe(2)
    expect((await server.view(runId)).missing).toHaveLength(2)
  })
})

describe('one case', () => {
  it('has all models and repeats, and links to the previous and next case', async () => {
    const shown = await server.detail(`series:${server.seriesId}`, 'sum-004')
    expect(shown).toMatchObject({
      index: 4,
      total: 24,
      previousId: 'sum-003',
      nextId: 'sum-005',
      prompt: 'What is 4 + 31?',
      expectedOutput: '35',
      testCase: { id: 'sum-004', weight: 1 },
    })
    expect(shown.models.map(({ answers }) => answers.map(({ runId, runNumber }) => [runId, runNumber]))).toEqual(
      models.map(() => server.series.map((id, index) => [id, index + 1])),
    )
    const [answer] = shown.models[0]!.answers
    expect(answer!.responseLength).toBe(answer!.result.response!.length)
    expect((await server.detail(server.single, 'sum-000')).previousId).toBeUndefined()
    expect((await server.detail(server.single, 'sum-023')).nextId).toBeUndefined()
    expect((await server.refusal(`/results/${server.single}/case?id=nothing`)).status).toBe(404)
    expect((await server.refusal(`/results/${server.single}/case`)).status).toBe(400)
  })

  it('shows a rating at once, in the case and in the grid, and can be filtered by it', async () => {
    const cell = { runId: server.single, testCaseId: 'sum-002', modelId: 'demo/fair' }
    await server.view(server.single)
    await server.storage.saveRating(cell, { rating: 0.8, note: 'fine' })
    noteRunChange(server.storage, server.single)
    const { cases, models: order } = await server.page(server.single, 'state=rated')
    expect(cases.map(({ id, cells }) => [id, cells.map(({ isRated }) => isRated ?? false)])).toEqual([
      ['sum-002', order.map((modelId) => modelId === 'demo/fair')],
    ])
    const shown = await server.detail(server.single, 'sum-002')
    expect(shown.models.find(({ modelId }) => modelId === 'demo/fair')!.answers[0]!.rating).toEqual({
      rating: 0.8,
      note: 'fine',
    })
  })

  it('stays under a megabyte, cut evenly, for any answers; the full answer can be downloaded', async () => {
    const response = '\u0001"<b>𝒳\n'.repeat(60_000)
    const answer: ModelAnswer = {
      outcome: 'ok',
      response,
      reasoning: response,
      latencyMs: 1,
      toolCalls: [{ name: 'save', arguments: { rows: Array.from({ length: 40_000 }, (_, index) => index) } }],
    }
    const client: Client = {
      provider: 'long',
      complete: async () => answer,
      listModels: async () => [],
      close: async () => {},
    }
    const suite = makeSuite(2)
    suite.testCases[0]!.prompt = 'Repeat! '.repeat(60_000)
    const ids = await server.run({ suite, models: ['long/a', 'long/b', 'long/c'] }, { repeat: 3, client })
    const reply = await server.request(`/results/${ids.join(',')}/case?id=sum-000`)
    const text = await reply.text()
    expect(Buffer.byteLength(text)).toBeLessThan(ONE_MEGABYTE)
    const shown: CaseDetail = JSON.parse(text)
    const lengths = shown.models.flatMap(({ answers }) => answers.map(({ result }) => result.response!.length))
    expect(lengths).toHaveLength(9)
    expect(new Set(lengths).size).toBe(1)
    expect(lengths[0]).toBeGreaterThan(5000)
    expect(shown.models[0]!.answers[0]).toMatchObject({
      responseLength: response.length,
      result: { toolCalls: [{ name: 'save' }] },
    })

    const whole = await server.request(`/results/${ids.join(',')}/answer?id=sum-000&model=long/a&run=${ids[1]}`)
    expect(await whole.text()).toBe(response)
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="sum-000 long-a\.txt"/)
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await server.refusal(`/results/${ids[0]}/answer?id=sum-000&model=long/a&run=${ids[1]}`)).status).toBe(404)
    const grid = await (await server.request(`/results/${ids.join(',')}/cases`)).text()
    expect(Buffer.byteLength(grid)).toBeLessThan(10_000)
  })
})
