import { describe, expect, it } from 'vitest'
import { caseInterval } from './case-interval.ts'
import { clusterMeanInterval } from './cluster-interval.ts'

describe('cluster interval', () => {
  it('is the case interval of the cluster means, where each cluster counts once whatever its size', () => {
    const interval = clusterMeanInterval([[0, 1], [0.5, 0.7, 0.9], [0.2]])
    expect(interval.mean).toBeCloseTo((0.5 + 0.7 + 0.2) / 3, 14)
    const expected = caseInterval([0.5, 0.7, 0.2])
    expect(interval.low).toBeCloseTo(expected.low, 12)
    expect(interval.high).toBeCloseTo(expected.high, 12)
    expect(interval.method).toBe('t')
  })

  it('does not shrink if a value is repeated within its cluster', () => {
    const once = clusterMeanInterval([[0.2], [0.9], [0.6]])
    const often = clusterMeanInterval([
      [0.2, 0.2, 0.2],
      [0.9, 0.9],
      [0.6, 0.6, 0.6, 0.6],
    ])
    expect(often).toEqual(once)
  })

  it('rejects no clusters, empty clusters and scores outside [0, 1]', () => {
    expect(() => clusterMeanInterval([])).toThrow(RangeError)
    expect(() => clusterMeanInterval([[0.5], []])).toThrow(RangeError)
    expect(() => clusterMeanInterval([[1.5]])).toThrow(RangeError)
  })
})
