import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../contract/index.ts'
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

describe('a series in which scores are missing', () => {
  const score = (modelId: string, index: number, value: number): CellResult => ({
    testCaseId: `c${index}`,
    modelId,
    outcome: 'ok',
    response: 'x',
    score: { score: value },
  })
  const indexes = Array.from({ length: 40 }, (_, index) => index)
  // The first run of the model has a score on the two cases that it solves; the second on all, and solves six.
  const own = [[1, 1], indexes.map((index) => (index < 6 ? 1 : 0))]
  const runs = own.map((scores, run): RunResult => ({
    id: `r${run}`,
    seriesId: 's',
    models: ['m', 'better'],
    results: [
      ...scores.map((value, index) => score('m', index, value)),
      ...indexes.map((index) => score('better', index, index < 14 ? 1 : 0)),
    ],
  }))

  it('counts every case once: the mean is that of its interval and its pass rate, 6 of 40', () => {
    const { rows } = buildStandings(runs)
    expect(rows.map(({ modelId }) => modelId)).toEqual(['better', 'm'])
    const { mean, low, high, passRate } = rows[1]!.score!
    expect([mean, passRate]).toEqual([6 / 40, 6 / 40])
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
  })
})
