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
  expect((await selectionsOf(context).get(id!)).runs[0]?.status).toBe('cancelled')
})
