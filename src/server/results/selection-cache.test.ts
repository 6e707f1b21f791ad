import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStorage } from '../../storage/index.ts'
import { selectionsOf } from './selection-cache.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const suite = {
  name: 'S',
  testCases: [
    { id: 'a', prompt: 'Capital of France?', scoringMethod: 'exact-match', expectedOutput: 'Paris', weight: 1 },
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([])
})
afterAll(() => server.close())

it('a selection is read and counted once while nothing changes, and anew when another program changed the run', async () => {
  const [id] = await server.run({ suite, models: ['demo/good'] })
  let later = 0
  const parts = Object.assign(server.parts, { now: () => Date.now() + later })
  const first = await selectionsOf(parts).get(id!)
  const counted = vi.spyOn(server.storage, 'listRuns')

  later = 10_000
  expect(await selectionsOf(parts).get(id!)).toBe(first)
  expect(counted).not.toHaveBeenCalled()

  const other = await openStorage({ file: join(server.dataFolder, 'benchmaker.db') })
  await other.setRunStatus(id!, 'cancelled', 5)
  await other.close()
  later = 20_000
  expect((await selectionsOf(parts).get(id!)).runs[0]?.status).toBe('cancelled')
})
