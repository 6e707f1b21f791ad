import { describe, expect, it } from 'vitest'
import { cellMark } from './outcomes.ts'

describe('cellMark', () => {
  it('labels every cell except an ordinary answer', () => {
    expect(cellMark({ state: 'scored', outcome: 'ok' })).toBeUndefined()
    expect(cellMark({ state: 'scored', outcome: 'truncated' })).toBe('cut off')
    expect(cellMark({ state: 'unscored', outcome: 'ok' })).toBe('unscored')
    expect(cellMark({ state: 'error', outcome: 'timeout' })).toBe('timeout')
    expect(cellMark({ state: 'error' })).toBe('error')
    expect(cellMark({ state: 'scored', outcome: 'ok', scored: 2, expected: 3 })).toBe('2 of 3 scored')
    expect(cellMark({ state: 'skipped' })).toBe('not run')
    expect(cellMark({ state: 'pending' })).toBe('pending')
  })
})
