import { describe, expect, it } from 'vitest'
import { pooledTTest } from '../tests/pooled-t-test.ts'
import { measureSelfPreference } from './self-preference.ts'

const answers = (pairs: [quality: number, score: number][]) => pairs.map(([quality, score]) => ({ quality, score }))

describe('self-preference', () => {
  it('is the coefficient of “own” with an intercept for each quality (numpy least squares)', () => {
    const measured = measureSelfPreference(
      answers([
        [0.5, 0.7],
        [0.5, 0.8],
        [0.8, 0.9],
        [0.8, 1],
        [0.2, 0.4],
        [1, 1],
      ]),
      answers([
        [0.5, 0.5],
        [0.5, 0.6],
        [0.5, 0.4],
        [0.8, 0.9],
        [0.8, 0.8],
        [0.2, 0.1],
        [0.2, 0.3],
        [0, 0.9],
      ]),
    )!
    // The answers of quality 1 and 0 have no counterpart.
    expect([measured.own, measured.others]).toEqual([5, 7])
    expect(measured.difference).toBeCloseTo(0.186047, 6)
    expect(measured.low).toBeCloseTo(0.060994, 6)
    expect(measured.high).toBeCloseTo(0.311099, 6)
    expect(measured.pValue).toBeCloseTo(0.0089448, 6)
    expect(measured.isReal).toBe(true)
  })

  it('at one quality is the pooled t test', () => {
    const own = [0.6, 0.7, 0.9, 0.4]
    const others = [0.5, 0.2, 0.6]
    const measured = measureSelfPreference(
      answers(own.map((score) => [0.5, score])),
      answers(others.map((score) => [0.5, score])),
    )!
    const { difference, pValue } = pooledTTest(own, others)
    expect(measured.difference).toBeCloseTo(difference, 12)
    expect(measured.pValue).toBeCloseTo(pValue, 12)
  })

  it('cannot be measured if no quality has answers of both sides', () => {
    expect(measureSelfPreference(answers([[1, 1]]), answers([[0.5, 1]]))).toBeUndefined()
    expect(measureSelfPreference(answers([[1, 1]]), answers([[1, 1]]))).toBeUndefined()
    expect(measureSelfPreference([], answers([[1, 1]]))).toBeUndefined()
  })
})
