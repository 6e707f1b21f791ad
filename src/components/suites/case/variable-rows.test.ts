import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRowError, fromRows, toRows } from './variable-rows.ts'

describe('variables as rows', () => {
  it('come back as they were: numbers stay numbers, order stays', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minKeys: 1 }),
        (variables) => {
          const back = fromRows(toRows(variables))
          expect(back).toEqual(variables)
          expect(Object.keys(back ?? {})).toEqual(Object.keys(variables))
        },
      ),
    )
  })
  it('none is no field at all', () => {
    expect(fromRows([])).toBeUndefined()
    expect(fromRows([{ name: '', value: 'x' }])).toBeUndefined()
    expect(toRows(undefined)).toEqual([])
  })
  it('the first of two equal names counts, and the second says so', () => {
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
