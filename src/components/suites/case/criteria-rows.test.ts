import { describe, expect, it } from 'vitest'
import { readRows, writeRows } from './criteria-rows.ts'

describe('the criteria of a rubric in the form', () => {
  it('are read from texts and objects and written back as short as they can be', () => {
    const value = ['Is short', { text: 'Cites', weight: 2 }, { text: 'Names Paris', id: 'paris' }]
    const rows = readRows(value)!
    expect(rows.map(({ text, weight }) => [text, weight])).toEqual([
      ['Is short', undefined],
      ['Cites', 2],
      ['Names Paris', undefined],
    ])
    expect(writeRows(rows)).toEqual(value)
  })

  it('have text instead of criterion once they are edited, and keep their ids', () => {
    expect(writeRows(readRows([{ criterion: 'Cites', id: 'c' }])!)).toEqual([{ text: 'Cites', id: 'c' }])
  })

  it('are none without a value, and unreadable if they are no list', () => {
    expect(readRows(undefined)).toEqual([])
    expect(writeRows([])).toBeUndefined()
    expect(readRows('Is short')).toBeUndefined()
    expect(readRows([7])).toBeUndefined()
  })
})
