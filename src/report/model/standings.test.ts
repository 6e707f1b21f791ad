import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../contract/index.ts'
import { buildStandings } from './standings.ts'

const testCases = ['a', 'b'].map((id) => ({ id, prompt: '?', weight: 1 }))

const cancelled = (results: CellResult[]): RunResult => ({
  id: 'run',
  models: ['m'],
  status: 'cancelled',
  stopReason: 'budget',
  testSuiteSnapshot: { name: 'Suite', testCases },
  results,
})

describe('the cost of a run that was stopped', () => {
  const answered: CellResult = { testCaseId: 'a', modelId: 'm', outcome: 'ok', response: 'yes', score: { score: 1 } }

  it('is nothing if nothing was asked', () => {
    expect(buildStandings([cancelled([])])).toMatchObject({ cost: { total: 0, unknown: 0 }, isCostKnown: true })
  })

  it('is unknown if an answer has no price', () => {
    const nothingInLedger = { cost: { total: 0, unknown: 0 } }
    expect(buildStandings([cancelled([answered])])).toMatchObject({ isCostKnown: false })
    expect(buildStandings([cancelled([answered])], nothingInLedger)).toMatchObject({ isCostKnown: false })
    expect(buildStandings([cancelled([{ ...answered, cost: 0 }])])).toMatchObject({ isCostKnown: true })
  })
})
