import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearScale } from './scale.ts'
import { placeStrip } from './strip.ts'

const scale = linearScale([0, 1], [0, 300])

describe('placeStrip', () => {
  it('keeps separate dots on the line and stacks equal ones', () => {
    expect(placeStrip([0, 0.5, 1], { scale, diameter: 8 }).map(({ y }) => y)).toEqual([0, 0, 0])
    expect(placeStrip([0.5, 0.5, 0.5], { scale, diameter: 8 }).map(({ y }) => y)).toEqual([0, -8, 8])
  })

  it('moves no dot sideways, keeps the given order, and hides none', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (values) => {
        const dots = placeStrip(values, { scale, diameter: 8 })
        expect(dots.map(({ index }) => index)).toEqual(values.map((_, index) => index))
        for (const dot of dots) {
          expect(dot.x).toBe(scale(values[dot.index]!))
          for (const other of dots.slice(dot.index + 1))
            expect(Math.hypot(dot.x - other.x, dot.y - other.y)).toBeGreaterThanOrEqual(8 - 1e-6)
        }
      }),
    )
  })
})
