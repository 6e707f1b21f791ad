import { describe, expect, it } from 'vitest'
import { changeHidden, chooseColumns, readHidden } from './hidden-columns.ts'

describe('hidden columns', () => {
  it('survive a damaged browser storage', () => {
    expect([readHidden(null), readHidden('{'), readHidden('{"a":1}'), readHidden('["SD", 3]')]).toEqual([
      [],
      [],
      [],
      ['SD'],
    ])
  })

  it('are toggled one by one', () => {
    expect(changeHidden(['a'], 'b', false)).toEqual(['a', 'b'])
    expect(changeHidden(['a', 'b'], 'a', true)).toEqual(['b'])
    expect(changeHidden(['a'], 'a', false)).toEqual(['a'])
  })

  it('never hide all: names of another suite must not leave an empty table', () => {
    const name = (column: string) => column
    expect(chooseColumns(['a', 'b'], ['b', 'z'], name)).toEqual(['a'])
    expect(chooseColumns(['a', 'b'], ['a', 'b'], name)).toEqual(['a', 'b'])
  })
})
