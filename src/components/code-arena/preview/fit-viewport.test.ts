import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitViewport, readViewportWidth } from './fit-viewport.ts'
import { describeViewport } from '../../../report/words/code-arena.ts'

describe('a viewport in a box', () => {
  it('scales a wide page down and makes it fill the height of the box', () => {
    expect(fitViewport(1440, { width: 720, height: 400 })).toEqual({ width: 1440, height: 800, scale: 0.5, left: 0 })
  })

  it('centres a narrow page at full size', () => {
    expect(fitViewport(375, { width: 575, height: 400 })).toEqual({ width: 375, height: 400, scale: 1, left: 100 })
  })

  it('stays inside the box', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(375, 768, 1440),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 1, max: 4000 }),
        (width, boxWidth, boxHeight) => {
          const { scale, left, height } = fitViewport(width, { width: boxWidth, height: boxHeight })
          expect(left + width * scale).toBeLessThanOrEqual(boxWidth + 1e-6)
          expect(scale).toBeLessThanOrEqual(1)
          expect(Math.abs(height * scale - boxHeight)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('handles a box without a layout', () => {
    expect(fitViewport(768, { width: 0, height: 0 })).toEqual({ width: 768, height: 1, scale: 1, left: 0 })
  })

  it('is described by its width and scale', () => {
    expect(describeViewport(fitViewport(768, { width: 390, height: 400 }))).toBe('768 px at 51 %')
    expect(describeViewport(fitViewport(375, { width: 390, height: 400 }))).toBe('375 px, full size')
  })

  it('accepts only known widths from the address', () => {
    expect([readViewportWidth('375', 768), readViewportWidth('999', 768), readViewportWidth(null, 768)]).toEqual([
      375, 768, 768,
    ])
  })
})
