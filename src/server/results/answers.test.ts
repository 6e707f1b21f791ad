import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { buildReport } from '../../report/index.ts'
import { importRun } from '../../services/index.ts'
import { makeSuite } from '../testing/route-server.ts'
import { startResultsServer, type ResultsServer } from './testing/results-server.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

const MODELS = ['m', 'm#slow']
const WORDINGS = ['plain', 'polite', 'terse']

/** Every case in three wordings, by one model at two hosts; the second one fails more, mostly where it is asked politely. */
const run: RunResult = {
  id: 'wordings-at-hosts',
  kind: 'imported',
  models: MODELS,
  testSuiteName: 'Hosts',
  testSuiteSnapshot: {
    name: 'Hosts',
    testCases: Array.from({ length: 10 }, (_, index) => `c${index}`).flatMap((id) =>
      WORDINGS.map((wording) => ({
        id: `${id} ~ ${wording}`,
        prompt: `${wording} ${id}`,
        weight: 1,
        scoringMethod: 'none',
        cluster: id,
        metadata: { wording, wordingOf: id },
      })),
    ),
  },
  startedAt: 1,
  completedAt: 2,
  status: 'completed',
  results: Array.from({ length: 10 }, (_, index) => index).flatMap((index) =>
    WORDINGS.flatMap((wording, place) =>
      MODELS.map((modelId, model) => ({
        testCaseId: `c${index} ~ ${wording}`,
        modelId,
        status: 'completed' as const,
        outcome: 'ok' as const,
        response: 'x',
        score: { score: model === 1 && (place === 1 || index < 3) ? 0 : 1 },
      })),
    ),
  ),
}

it('the page of results says of hosts and wordings what the report says', async () => {
  await importRun(run, server.storage, 3)
  const report = JSON.parse(JSON.stringify(buildReport(run)))
  expect([report.hosts.groups.length, report.wordings.pairs.length]).toEqual([1, 1])
  await expect.poll(async () => (await server.view(run.id)).pendingComparisons).toBeUndefined()
  const { hosts, wordings } = await server.view(run.id)
  expect({ hosts, wordings }).toEqual({ hosts: report.hosts, wordings: report.wordings })
  const plain = await server.view(server.single)
  expect([plain.hosts, plain.wordings, plain.byHistory]).toEqual([undefined, undefined, undefined])
})

it('the page of results has the score of all cases from some', async () => {
  const testCases = makeSuite(60).testCases.map((testCase) => ({ ...testCase, weight: 1 }))
  const suite = { name: 'Drawn', testCases }
  const known = ['a', 'b', 'c', 'd', 'e']
  await importRun(
    {
      id: 'known',
      kind: 'imported',
      models: known,
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      startedAt: 1,
      completedAt: 2,
      status: 'completed',
      results: suite.testCases.flatMap(({ id: testCaseId }, index) =>
        known.map((modelId, model) => ({
          testCaseId,
          modelId,
          status: 'completed' as const,
          outcome: 'ok' as const,
          response: 'x',
          score: { score: (index + model) % 3 === 0 ? 0 : 1 },
        })),
      ),
    },
    server.storage,
    3,
  )
  const [drawn = ''] = await server.run({ suite, models: ['demo/fair'], informative: 30 })
  await expect.poll(async () => (await server.view(drawn)).pendingComparisons).toBeUndefined()
  const { byHistory, caseCount } = await server.view(drawn)
  expect([caseCount, byHistory]).toEqual([30, expect.objectContaining({ cases: 60, drawn: 30, otherModels: 5 })])
})
