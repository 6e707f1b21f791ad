import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRowError, fromRows, toRows } from './variable-rows.ts'

describe('variables as rows', () => {
  it('survive a round trip: numbers stay numbers, and the order stays', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minKeys: 1 }),
        (variables) => {
          const result = fromRows(toRows(variables))
          expect(result).toEqual(variables)
          expect(Object.keys(result ?? {})).toEqual(Object.keys(variables))
        },
      ),
    )
  })
  it('are undefined if there are none', () => {
    expect(fromRows([])).toBeUndefined()
    expect(fromRows([{ name: '', value: 'x' }])).toBeUndefined()
    expect(toRows(undefined)).toEqual([])
  })
  it('use the first of two equal names, and report an error for the second', () => {
    const rows = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
      { name: '', value: 'x' },
      { name: '', value: '' },
    ]
    expect(fromRows(rows)).toEqual({ a: '1' })
    expect(rows.map((_, index) => findRowError(rows, index) !== undefined)).toEqual([false, true, true, false])
  })
})
