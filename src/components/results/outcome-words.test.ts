import { describe, expect, it } from 'vitest'
import { cellMark } from './outcome-words.ts'

describe('cellMark', () => {
  it('labels every cell except an ordinary answer', () => {
    expect(cellMark({ state: 'scored', outcome: 'ok' }, false)).toBeUndefined()
    expect(cellMark({ state: 'scored', outcome: 'truncated' }, false)).toBe('cut off')
    expect(cellMark({ state: 'unscored', outcome: 'ok' }, false)).toBe('unscored')
    expect(cellMark({ state: 'error', outcome: 'timeout' }, false)).toBe('timeout')
    expect(cellMark({ state: 'error' }, false)).toBe('error')
    expect(cellMark({ state: 'partly', outcome: 'ok', scored: 2, expected: 3 }, false)).toBe('2 of 3 scored')
    expect(cellMark({ state: 'pending' }, false)).toBe('not run')
    expect(cellMark({ state: 'pending' }, true)).toBe('waiting')
  })
})
