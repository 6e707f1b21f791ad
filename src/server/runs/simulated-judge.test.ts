import { afterAll, beforeAll, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { composeServer } from '../../cli/compose-server.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import type { ResultsView } from '../results/results-view.ts'
import type { SuiteDocument } from '../suites/suite-documents.ts'
import type { StartedRun } from './run-manager.ts'

let server: StartedServer
let models: ModelServer

beforeAll(async () => {
  models = await startModelServer({ cost: 0.01, answer: () => 'Bees make honey.', tokenDelayMs: 0, models: ['fake'] })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

it('a simulated judge of real answers is named in the results, and its price is in no cost', async () => {
  const testCases = [1, 2].map((id) => ({ id: `${id}`, prompt: 'Who makes honey?', scoringMethod: 'llm-judge' }))
  const suite = await server.send<SuiteDocument>('POST', '/api/suites', { suite: { name: 'Bees', testCases } })
  const request = { suiteId: suite.id, judgeModelIds: ['demo/judge'] }
  const run = async (chosen: string[]) => {
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', { ...request, models: chosen })
    await server.watch(`/api/runs/${runId}/events`).rest()
    return server.get<ResultsView>(`/api/results/${runId}`)
  }
  const real = await run(['local/fake'])
  expect(real.verdictCard.caveats.map(({ kind }) => kind)).toContain('judge-is-simulated')
  expect(real.cost).toMatchObject({ total: 0.02, unknown: 0 })
  const simulated = await run(['demo/good'])
  expect(simulated.verdictCard.caveats.map(({ kind }) => kind)).not.toContain('judge-is-simulated')
})
