import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeGapAxis } from './gap-axis.ts'

it('has round ends around the interval, the margin and 0', () => {
  expect(makeGapAxis([0.013, 0.056, 0.099])).toEqual({ from: -0.05, to: 0.15, ticks: [-0.05, 0, 0.05, 0.1, 0.15] })
  expect(makeGapAxis([0, 0, 0]).ticks).toContain(0)
  expect(makeGapAxis([-1, 1])).toMatchObject({ from: -1, to: 1 })
})

it('contains everything, whatever the values', () => {
  const value = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, margin) => {
        const { from, to, ticks } = makeGapAxis(values, margin)
        expect(from).toBeLessThan(to)
        for (const inside of [...values, 0, margin, -margin]) {
          expect(inside).toBeGreaterThanOrEqual(from - 1e-9)
          expect(inside).toBeLessThanOrEqual(to + 1e-9)
        }
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThan(9)
      },
    ),
  )
})
