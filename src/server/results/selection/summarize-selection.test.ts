import { expect, it } from 'vitest'
import { toScoreTable, type RunResult } from '../../../contract/index.ts'
import { summarizeSelection } from './summarize-selection.ts'

const testCases = ['a', 'b', 'c'].map((id, index) => ({
  id,
  prompt: id,
  scoringMethod: 'exact-match',
  expectedOutput: 'x',
  weight: index === 2 ? 4 : 1,
}))
const run: RunResult = {
  id: 'r',
  models: ['m', 'n'],
  testSuiteSnapshot: { name: 'S', testCases },
  results: [{ testCaseId: 'a', modelId: 'm', outcome: 'ok', score: { score: 1 } }],
}

function missingOf(status: RunResult['status']) {
  const scores = toScoreTable({ ...run, ...(status && { status }) })
  const [first] = summarizeSelection({ scores, cost: { total: 0, unknown: 0 } })
  return first?.part === 'standings' ? first.standings.missing : undefined
}

it('a run that was cut short counts the cells it did not reach as not run, with their weights', () => {
  expect(missingOf('cancelled')).toMatchObject([
    {
      modelId: 'm',
      cells: 3,
      errors: 0,
      notRun: 2,
      weight: 5,
      reasons: { 'not-run': 2 },
      boundsWithMissing: [1 / 6, 1],
    },
    { modelId: 'n', cells: 3, errors: 0, notRun: 3, weight: 6, reasons: { 'not-run': 3 } },
  ])
})

it('a run in progress or interrupted counts them too', () => {
  expect(missingOf('running')).toEqual(missingOf('cancelled'))
})
