import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countChanges, diffTexts } from './version-diff.ts'

describe('the diff of two versions', () => {
  it('numbers the lines on both sides and omits those far from a change', () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n')
    const rows = diffTexts(`${before}\n`, `${before.replace('line 6', 'other')}\n`)
    expect(rows).toEqual([
      { kind: 'gap', count: 2 },
      { kind: 'same', text: 'line 3', before: 3, after: 3 },
      { kind: 'same', text: 'line 4', before: 4, after: 4 },
      { kind: 'same', text: 'line 5', before: 5, after: 5 },
      { kind: 'removed', text: 'line 6', before: 6 },
      { kind: 'added', text: 'other', after: 6 },
      { kind: 'same', text: 'line 7', before: 7, after: 7 },
      { kind: 'same', text: 'line 8', before: 8, after: 8 },
      { kind: 'same', text: 'line 9', before: 9, after: 9 },
      { kind: 'gap', count: 3 },
    ])
    expect(countChanges(rows)).toEqual({ added: 1, removed: 1 })
  })

  it('has no rows for equal texts', () => {
    expect(diffTexts('a\nb\n', 'a\nb\n')).toEqual([])
  })

  it('shows every line of both sides or counts it in a gap', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 30 })
      .map((lines) => `${lines.join('\n')}\n`)
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after)
        const rows = diffTexts(before, after)
        const total = (other: 'added' | 'removed') =>
          rows.reduce((sum, row) => sum + (row.kind === 'gap' ? row.count : row.kind === other ? 0 : 1), 0)
        expect(total('added')).toBe(before.split('\n').length - 1)
        expect(total('removed')).toBe(after.split('\n').length - 1)
      }),
    )
  })
})
