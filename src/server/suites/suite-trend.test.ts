import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import type { SuiteTrend } from './suite-trend.ts'

let server: StartedServer
beforeAll(async () => {
  server = await startServer({ compose: composeServer })
})
afterAll(() => server.remove())

const suiteId = 'example-first-look'
const read = () => server.get<SuiteTrend>(`/api/suites/${suiteId}/trend`)
async function run(body: object): Promise<string> {
  const { runId } = await server.send<StartedRun>('POST', '/api/runs', { suiteId, models: ['demo/good'], ...body })
  await server.watch(`/api/runs/${runId}/events`).rest()
  return runId
}

describe('the trend of a suite', () => {
  it('counts against the suite as it is now, and follows its runs', async () => {
    expect(await read()).toEqual({ name: 'First look', models: [], cases: 30, points: [], drift: [], leftOut: 0 })
    const first = await run({ label: { name: 'First' } })
    await run({ limit: 3, models: ['demo/good', 'demo/poor'] })
    const { points, models } = await read()
    expect(models.toSorted()).toEqual(['demo/good', 'demo/poor'])
    expect(points).toMatchObject([
      { selection: first, label: { name: 'First' }, covered: 30, caseSet: 0, changes: [] },
      { covered: 3, caseSet: 1, changes: [{ kind: 'cases-selected', count: 3, before: 30 }] },
    ])
    // A changed score shows although the number of cells is the same.
    const mean = points[0]?.scores['demo/good']?.mean ?? 0
    const [result] = (await server.context.storage.loadRun(first))?.results ?? []
    await server.context.storage.saveScore(
      { runId: first, testCaseId: result!.testCaseId, modelId: 'demo/good' },
      { score: 1 - (result?.score?.score ?? 0) },
    )
    await server.send('PUT', `/api/runs/${first}/rating`, {
      testCaseId: result!.testCaseId,
      modelId: 'demo/good',
      rating: 1,
    })
    expect((await read()).points[0]?.scores['demo/good']?.mean).not.toBe(mean)
    await server.send('DELETE', `/api/runs/${first}`)
    expect((await read()).points).toHaveLength(1)
  })

  it('shows the runs of a suite that cannot run any more', async () => {
    await server.context.storage.saveDocument({
      kind: 'suite',
      id: suiteId,
      content: { suite: { name: 'First look', testCases: [] } },
    })
    expect(await read()).toMatchObject({ cases: 3, points: [{ covered: 3, removed: 0 }] })
  })

  it('of an unknown suite is not found', async () => {
    expect((await server.try('GET', '/api/suites/none/trend')).status).toBe(404)
  })
})
