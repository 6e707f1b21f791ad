import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiError } from '../../contract/index.ts'
import type { ResultsView } from '../results/results-view.ts'
import { resultsRoutes } from '../results/routes.ts'
import { makeSuite, startRouteServer, type RouteServer } from '../testing/route-server.ts'
import type { QueueView } from './queue-view.ts'
import { ratingRoutes, type ListedQueue } from './routes.ts'

const models = ['demo/good', 'demo/fair', 'demo/poor']
let server: RouteServer
let runId: string
let seriesId: string
beforeAll(async () => {
  server = await startRouteServer([ratingRoutes, resultsRoutes])
  ;[runId = ''] = await server.run({ suite: makeSuite(20), models })
  const series = await server.run({ suite: makeSuite(12), models }, { repeat: 3 })
  seriesId = (await server.storage.loadRun(series[0]!))!.seriesId!
})
afterAll(() => server.close())

async function send<Reply>(method: string, path: string, body: unknown, status = 200): Promise<Reply> {
  const reply = await server.request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  expect([reply.status, text.slice(0, 300)]).toEqual([status, text.slice(0, 300)])
  return JSON.parse(text)
}
const draw = async (body: object): Promise<string> =>
  (await send<{ id: string }>('POST', '/ratings', { selection: runId, ...body }, 201)).id
const open = async (id: string, rater = ''): Promise<QueueView> =>
  JSON.parse(JSON.stringify(await server.get(`/ratings/${id}?rater=${encodeURIComponent(rater)}`)))
const rate = (id: string, position: number, body: object) =>
  send<QueueView>('PUT', `/ratings/${id}/items/${position}`, { rater: 'ann', ...body })
const results = async (selection: string): Promise<ResultsView> =>
  JSON.parse(JSON.stringify(await server.get(`/results/${selection}`)))

describe('a rating queue', () => {
  it('never says which model an answer is of, or how it was scored, from the first item to the last', async () => {
    const id = await draw({ perModel: 4, seed: 'blind' })
    let view = await open(id, 'ann')
    const seen = new Set<number>()
    while (view.item) {
      const text = JSON.stringify(view)
      expect(text).not.toMatch(/demo\/|good|fair|poor/)
      const { item } = view
      expect(Object.keys(item).toSorted()).toEqual([
        'expectedOutput',
        'position',
        'prompt',
        'response',
        'responseLength',
      ])
      expect(item.prompt).toMatch(/^What is/)
      seen.add(item.position)
      const reply = await server.request(`/ratings/${id}/items/${item.position}/answer`)
      expect(`${[...reply.headers].join(' ')} ${await reply.text()}`).not.toMatch(/demo|good|fair|poor/)
      view = await rate(id, item.position, { rating: 0.5 })
    }
    expect(seen.size).toBe(12)
    expect(view.progress).toMatchObject({ total: 12, rated: 12, skipped: 0 })
    expect(view.estimates.models.map(({ modelId }) => modelId)).toEqual(['Model A', 'Model B', 'Model C'])
  })

  it('narrows the estimate with every rating, and the results show it by name', async () => {
    const id = await draw({ perModel: 20, seed: 'narrow' })
    const run = (await server.storage.loadRun(runId))!
    const widths: number[] = []
    for (let view = await open(id, 'bob'); view.item;) {
      const { position, response, expectedOutput } = view.item
      view = await send<QueueView>('PUT', `/ratings/${id}/items/${position}`, {
        rater: 'bob',
        rating: response.includes(expectedOutput!) ? 1 : 0.2,
      })
      const [first] = view.estimates.models
      if (first?.estimate) widths.push(first.estimate.high - first.estimate.low)
    }
    expect(widths.at(-1)).toBeLessThan(widths[0]!)
    const { people, verdictCard } = await results(runId)
    expect(people?.models.map(({ modelId }) => modelId).toSorted()).toEqual(models.toSorted())
    expect(people?.models[0]).toMatchObject({ ratedCases: 20, cases: 20 })
    expect(people?.notes.join('\n')).toMatch(
      /Drawn at random within each model: 20 of 20 cases of each model.*seed narrow/,
    )
    expect(people?.raters).toEqual(['ann', 'bob'])
    expect(verdictCard.next.kind).not.toBe('rate')
    expect(run.results.length).toBe(60)
  })

  it('of the same cases of all models corrects their differences', async () => {
    const id = await draw({ perModel: 12, seed: 'same', sameCases: true })
    let view = await open(id, 'cem')
    expect(view.draw).toMatchObject({ items: 36, models: 3, isComplete: false })
    const prompts: string[] = []
    while (view.item) {
      prompts.push(view.item.prompt)
      const rating = ((view.item.position * 7) % 10) / 10
      view = await rate(id, view.item.position, { rater: 'cem', rating })
    }
    for (let start = 0; start < 36; start += 3) expect(new Set(prompts.slice(start, start + 3)).size).toBe(1)
    const { people } = await results(runId)
    expect(people!.pairs.map(({ modelA, modelB }) => `${modelA} ${modelB}`)).toHaveLength(3)
    for (const { ratedCases, estimate } of people!.pairs) {
      expect(ratedCases).toBeGreaterThanOrEqual(12)
      expect(estimate!.level).toBeCloseTo(1 - 0.05 / 3, 12)
    }
    expect(people!.notes.filter((note) => note.startsWith('As people would score them'))).toHaveLength(3)
    expect(people!.notes.join(' ')).toContain('hold for all 3 pairs together (95 %)')
    const more = await send<QueueView>('POST', `/ratings/${id}/more`, { perModel: 100, rater: 'cem' })
    expect(more.draw).toMatchObject({ items: 60, isComplete: true })
  })

  it('skips, notes, takes back, and goes on after a reload', async () => {
    const id = await draw({ scale: 'pass-fail', perModel: 2, seed: 'undo' })
    const first = (await open(id, 'cleo')).item!
    await rate(id, first.position, { rater: 'cleo', note: ' cannot tell ' })
    const second = (await open(id, 'CLEO')).item!
    expect(second.position).toBe(first.position + 1)
    await rate(id, second.position, { rater: 'cleo', rating: 1, note: 'fine' })
    expect((await open(id, 'cleo')).progress).toMatchObject({ rated: 1, skipped: 1 })
    const undone = await send<QueueView>('POST', `/ratings/${id}/undo`, { rater: 'cleo' })
    expect(undone.item).toMatchObject({ position: second.position, own: { rating: 1, note: 'fine' } })
    expect(undone.progress).toMatchObject({ rated: 0, skipped: 1 })
    await send('PUT', `/ratings/${id}/items/${second.position}`, { rater: 'cleo', rating: 0.5 }, 422)
    await send('PUT', `/ratings/${id}/items/99`, { rater: 'cleo', rating: 1 }, 422)
    const { error } = await send<ApiError>('PUT', `/ratings/${id}/items/1`, { rater: ' ', rating: 1 }, 422)
    expect(error.message).toMatch(/needs a name/)
    const more = await send<QueueView>('POST', `/ratings/${id}/more`, { perModel: 3, rater: 'cleo' })
    expect(more.draw).toMatchObject({ items: 15, models: 3, isComplete: false })
  })

  it('of a series lists its selection, and draws one repeat of each case', async () => {
    const selection = `series:${seriesId}`
    const id = await draw({ selection, perModel: 12 })
    const listed: ListedQueue[] = JSON.parse(
      JSON.stringify(await server.get(`/ratings?selection=${encodeURIComponent(selection)}`)),
    )
    expect(listed).toMatchObject([{ id, selection, title: 'Sums', items: 36, rated: 0, raters: [] }])
    expect((await open(id)).selection).toBe(selection)
    expect(await server.get('/ratings')).toHaveLength(5)
  })

  it('refuses what it cannot draw, and what does not exist', async () => {
    await send('POST', '/ratings', { selection: 'nowhere' }, 404)
    await send('POST', '/ratings', { selection: runId, perModel: 0 }, 422)
    await send('PUT', '/ratings/nothing/items/1', { rater: 'ann' }, 404)
    expect((await server.request('/ratings/nothing')).status).toBe(404)
    expect((await server.request('/ratings?selection=nothing')).status).toBe(404)
    expect((await server.request(`/ratings?selection=${runId},nothing`)).status).toBe(404)
  })
})
