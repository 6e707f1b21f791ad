import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearScale, logScale, logTicks, niceTicks, zoomDomain } from './scale.ts'

const score = fc.double({ min: 0, max: 1, noNaN: true })

describe('linearScale', () => {
  it('maps both ends and the middle', () => {
    const scale = linearScale([0, 10], [100, 200])
    expect([scale(0), scale(5), scale(10)]).toEqual([100, 150, 200])
  })

  it('maps an empty range to the middle', () => {
    expect(linearScale([3, 3], [0, 100])(3)).toBe(50)
  })
})

describe('logScale', () => {
  it('gives each power of ten the same width', () => {
    const scale = logScale([0.01, 100], [0, 400])
    expect([0.01, 0.1, 1, 10, 100].map((value) => Math.round(scale(value)))).toEqual([0, 100, 200, 300, 400])
  })
})

describe('ticks', () => {
  it('are round numbers inside the range', () => {
    expect(niceTicks(0, 1, 4)).toEqual([0, 0.5, 1])
    expect(niceTicks(0.6, 0.95, 4)).toEqual([0.6, 0.7, 0.8, 0.9])
    expect(logTicks(0.002, 3)).toEqual([0.01, 0.1, 1])
    expect(logTicks(1, 30)).toEqual([1, 2, 5, 10, 20])
  })

  it('of a logarithmic axis are inside any range', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (from, ratio) => {
          for (const tick of logTicks(from, from * ratio)) {
            expect(tick).toBeGreaterThanOrEqual(from)
            expect(tick).toBeLessThanOrEqual(from * ratio)
          }
        },
      ),
    )
  })

  it('are empty if there is no logarithm', () => {
    expect(logTicks(0, 10)).toEqual([])
  })
})

describe('zoomDomain', () => {
  it('contains every score, stays within 0 to 1 and is at least 0.1 wide', () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 1 }), (scores) => {
        const [from, to] = zoomDomain(scores)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(1)
        expect(to - from).toBeGreaterThanOrEqual(0.1 - 1e-9)
        for (const value of scores) {
          expect(value).toBeGreaterThanOrEqual(from - 1e-9)
          expect(value).toBeLessThanOrEqual(to + 1e-9)
        }
      }),
    )
  })

  it('is 0 to 1 without scores', () => {
    expect(zoomDomain([])).toEqual([0, 1])
    expect(zoomDomain([0.812, 0.856])).toEqual([0.8, 0.9])
  })
})
