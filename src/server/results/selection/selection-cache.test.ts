import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStorage } from '../../../storage/index.ts'
import { selectionsOf } from './selection-cache.ts'
import { startRouteServer, type RouteServer } from '../../testing/route-server.ts'

const suite = {
  name: 'S',
  testCases: [
    { id: 'a', prompt: 'Capital of France?', scoringMethod: 'exact-match', expectedOutput: 'Paris', weight: 1 },
  ],
}

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([])
})
afterAll(() => server.close())

it('a selection is loaded once while nothing changes, and again when another process has changed the run', async () => {
  const [id] = await server.run({ suite, models: ['demo/good'] })
  let later = 0
  const context = Object.assign(server.context, { now: () => Date.now() + later })
  const first = await selectionsOf(context).get(id!)
  const listRuns = vi.spyOn(server.storage, 'listRuns')

  later = 10_000
  expect(await selectionsOf(context).get(id!)).toBe(first)
  expect(listRuns).not.toHaveBeenCalled()

  const other = await openStorage({ file: join(server.dataFolder, 'benchmaker.db') })
  await other.setRunStatus(id!, 'cancelled', { completedAt: 5 })
  await other.close()
  later = 20_000
  expect((await selectionsOf(context).get(id!)).scores.runs[0]?.status).toBe('cancelled')
})

it('the next view after another process rated an answer or named the run has it; one of another run changes nothing', async () => {
  const [another] = await server.run({ suite, models: ['demo/good'] })
  const [id] = await server.run({ suite, models: ['demo/good'] })
  let later = 0
  const context = Object.assign(server.context, { now: () => Date.now() + later })
  const { scores: first } = await selectionsOf(context).get(id!)
  const cell = { runId: id!, testCaseId: 'a', modelId: 'demo/good' }
  const other = await openStorage({ file: join(server.dataFolder, 'benchmaker.db') })
  const seen = async () => {
    later += 2000
    const { scores } = await selectionsOf(context).get(id!)
    return { name: scores.runs[0]?.label?.name, ratings: scores.ratings }
  }
  await other.saveRating(cell, { rating: 0.25 }, { rater: 'ann' })
  const rated = await seen()
  expect(rated.ratings).not.toEqual(first.ratings)
  await other.saveRating(cell, { rating: 0.75 }, { rater: 'ann' })
  const changed = await seen()
  expect(changed.ratings).not.toEqual(rated.ratings)
  await other.saveRating(cell, {}, { rater: 'ann' })
  expect((await seen()).ratings).toEqual(first.ratings)
  await other.saveLabel(id!, { name: 'Named' })
  expect((await seen()).name).toBe('Named')

  const before = await selectionsOf(context).get(id!)
  await other.setRunStatus(another!, 'cancelled')
  later += 2000
  expect(await selectionsOf(context).get(id!)).toBe(before)
  await other.close()
})
