import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { moveInGrid, pagesFor } from './page-window.ts'

describe('pagesFor', () => {
  it('returns the visible pages and the first', () => {
    expect(pagesFor({ first: 0, last: 30, total: 10_000, pageSize: 100 })).toEqual([0])
    expect(pagesFor({ first: 590, last: 620, total: 10_000, pageSize: 100 })).toEqual([0, 5, 6])
    expect(pagesFor({ first: 0, last: 20, total: 0, pageSize: 100 })).toEqual([0])
  })

  it('covers every visible row with few pages, and none beyond the end', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(60), fc.nat(20_000), (first, rows, total) => {
        const pages = pagesFor({ first, last: first + rows, total, pageSize: 100 })
        expect(new Set(pages).size).toBe(pages.length)
        expect(pages.length).toBeLessThanOrEqual(3)
        for (const page of pages.slice(1)) expect(page * 100).toBeLessThan(total)
        for (let row = first; row <= Math.min(first + rows, total - 1); row++)
          expect(pages).toContain(Math.floor(row / 100))
      }),
    )
  })
})

describe('moveInGrid', () => {
  const size = { rows: 5, columns: 3, page: 2 }

  it('moves by letters and arrows', () => {
    expect(moveInGrid('j', { row: 0, column: 0 }, size)).toEqual({ row: 1, column: 0 })
    expect(moveInGrid('ArrowRight', { row: 0, column: 0 }, size)).toEqual({ row: 0, column: 1 })
    expect(moveInGrid('PageDown', { row: 1, column: 2 }, size)).toEqual({ row: 3, column: 2 })
    expect(moveInGrid('End', { row: 1, column: 2 }, size)).toEqual({ row: 4, column: 2 })
    expect(moveInGrid('x', { row: 1, column: 2 }, size)).toBeUndefined()
  })

  it('never leaves the grid', () => {
    const keys = fc.constantFrom('j', 'k', 'h', 'l', 'PageDown', 'PageUp', 'Home', 'End')
    fc.assert(
      fc.property(fc.array(keys), (pressed) => {
        let place = { row: 2, column: 1 }
        for (const key of pressed) place = moveInGrid(key, place, size)!
        expect(place.row).toBeGreaterThanOrEqual(0)
        expect(place.row).toBeLessThan(5)
        expect(place.column).toBeGreaterThanOrEqual(0)
        expect(place.column).toBeLessThan(3)
      }),
    )
  })
})
