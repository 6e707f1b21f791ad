import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffTexts as diffWithin, LONGEST_DIFFED } from './word-diff.ts'

/** Without hurry: a slow machine must not change what is found. */
const diffTexts = (expected: string, answer: string) => diffWithin(expected, answer, 60_000)

describe('diffTexts', () => {
  it('marks the words that differ', () => {
    expect(diffTexts('The capital is Paris.', 'The capital is Rome.')).toEqual({
      kind: 'words',
      parts: [
        { kind: 'same', text: 'The capital is ' },
        { kind: 'removed', text: 'Paris' },
        { kind: 'added', text: 'Rome' },
        { kind: 'same', text: '.' },
      ],
    })
  })

  it('says when there is nothing to mark, and when it is too much', () => {
    expect(diffTexts('a', 'a')).toEqual({ kind: 'same' })
    expect(diffTexts('a', 'b'.repeat(LONGEST_DIFFED))).toEqual({ kind: 'too-long' })
  })

  it('goes by lines where the texts are long', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line number ${index}`)
    const diff = diffTexts(lines.join('\n'), [...lines.slice(0, 1500), 'new', ...lines.slice(1500)].join('\n'))
    expect(diff.kind).toBe('lines')
    expect('parts' in diff && diff.parts.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual([
      'new\n',
    ])
  })

  it('loses nothing: what is not added is the expected text, what is not removed is the answer', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'Wort', '.', 'é')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (expected, answer) => {
        const diff = diffTexts(expected, answer)
        if (!('parts' in diff)) {
          expect(expected).toBe(answer)
          return
        }
        const without = (kind: string) =>
          diff.parts
            .filter((part) => part.kind !== kind)
            .map((part) => part.text)
            .join('')
        expect(without('added')).toBe(expected)
        expect(without('removed')).toBe(answer)
      }),
    )
  })
})
