import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../contract/index.ts'
import { aggregateScores } from './aggregate-scores.ts'

const makeRun = (scores: (number | undefined)[]): RunResult => ({
  id: 'r',
  models: ['m'],
  results: scores.map((score, index) => ({
    testCaseId: `c${index}`,
    modelId: 'm',
    ...(score === undefined ? { unscored: { code: 'judge-unreadable', message: 'no' } } : { score: { score } }),
  })),
})
const weigh = (weights: number[]) => weights.map((weight, index) => ({ id: `c${index}`, weight }))

describe('the bounds with missing cells', () => {
  it('equal the mean to the last digit if nothing is missing', () => {
    const cell = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1e-3, max: 1e3, noNaN: true }))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 12 }), (cells) => {
        const { mean, boundsWithMissing } = aggregateScores(
          makeRun(cells.map(([score]) => score)),
          weigh(cells.map(([, weight]) => weight)),
        ).get('m')!
        expect(boundsWithMissing).toEqual([mean, mean])
      }),
    )
  })
  it('are the means with missing cells at 0 and at 1', () => {
    expect(aggregateScores(makeRun([1, undefined]), weigh([3, 1])).get('m')?.boundsWithMissing).toEqual([0.75, 1])
    expect(aggregateScores(makeRun([0.5, undefined]), weigh([1e300, 1e300])).get('m')?.boundsWithMissing).toEqual([
      0.25, 0.75,
    ])
  })
})

it('rejects weights that add up to infinity', () => {
  expect(() => aggregateScores(makeRun([1, 1]), weigh([1e308, 1e308]))).toThrow(
    /the weights of the test cases add up to more than/,
  )
})
