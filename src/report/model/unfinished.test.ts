import { expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { listRefusedModels, listUnfinishedRuns } from './unfinished.ts'

const cell = (modelId: string, testCaseId: string) => ({ modelId, testCaseId, status: 'completed' as const })
const run: RunResult = {
  id: 'run',
  models: ['open', 'closed'],
  status: 'failed',
  stopReason: 'provider',
  testSuiteSnapshot: { name: 'Suite', testCases: ['x', 'y'].map((id) => ({ id, weight: 1 })) },
  results: [cell('open', 'x'), cell('open', 'y'), cell('closed', 'x')],
}

it('names the models that were refused if others were answered', () => {
  expect(listUnfinishedRuns([run], {})).toMatchObject([
    {
      sentence: 'Stopped sending to closed because the provider refused every request to it; 1 of 4 cells not run',
    },
  ])
  expect(listRefusedModels({ ...run, results: [] })).toEqual([])
})
