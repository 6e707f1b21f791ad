import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unseenMassInterval } from './unseen-mass-interval.ts'

describe('unseen-mass interval', () => {
  it('is .81785–.95695 for a mean of .95 from 20 draws: u = 1 − .05^(1/20) = .13911 (closed form)', () => {
    const { low, high, method } = unseenMassInterval(0.95, 20)
    const unseen = 1 - 0.05 ** (1 / 20)
    expect(low).toBeCloseTo(0.95 * (1 - unseen), 14)
    expect(high).toBeCloseTo(0.95 * (1 - unseen) + unseen, 14)
    expect(unseen).toBeCloseTo(0.13911, 5)
    expect(method).toBe('unseen-mass')
  })

  it('keeps 5 % of the score of a single draw', () => {
    expect(unseenMassInterval(0.4, 1).low).toBeCloseTo(0.02, 14)
    expect(unseenMassInterval(0.4, 1).high).toBeCloseTo(0.97, 14)
  })

  it('is wider at a higher level: at 99 % a single draw keeps 1 %', () => {
    expect(unseenMassInterval(0.4, 1, 0.99).low).toBeCloseTo(0.004, 14)
  })

  it('contains the mean, is in [0, 1] and mirrors with the score', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        (mean, size) => {
          const { low, high } = unseenMassInterval(mean, size)
          expect(0 <= low && low <= mean + 1e-15 && mean <= high + 1e-15 && high <= 1).toBe(true)
          expect(unseenMassInterval(1 - mean, size).low).toBeCloseTo(1 - high, 12)
        },
      ),
    )
  })

  it.each([
    [1.1, 5],
    [-0.1, 5],
    [0.5, 0],
    [NaN, 5],
    [0.5, NaN],
  ])('rejects mean %s of size %s', (mean, size) => {
    expect(() => unseenMassInterval(mean, size)).toThrow(RangeError)
  })
})
