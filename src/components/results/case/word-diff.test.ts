import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffTexts as diffWithin, MAX_DIFF_LENGTH } from './word-diff.ts'

/** With a long timeout, so that a slow machine does not change the result. */
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

  it('reports equal texts and texts that are too long', () => {
    expect(diffTexts('a', 'a')).toEqual({ kind: 'same' })
    expect(diffTexts('a', 'b'.repeat(MAX_DIFF_LENGTH))).toEqual({ kind: 'too-long' })
  })

  it('marks nothing in texts that share less than 30 %', () => {
    expect(diffTexts('Scotland', 'England and Wales')).toEqual({ kind: 'too-different' })
    expect(diffTexts('2027-05-25', '2027-05-26').kind).toBe('words')
  })

  it('compares long texts by line', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line number ${index}`)
    const diff = diffTexts(lines.join('\n'), [...lines.slice(0, 1500), 'new', ...lines.slice(1500)].join('\n'))
    expect(diff.kind).toBe('lines')
    expect('parts' in diff && diff.parts.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual([
      'new\n',
    ])
  })

  it('loses nothing: without the added parts it is the expected text, without the removed ones the answer', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'Wort', '.', 'é')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (expected, answer) => {
        const diff = diffTexts(expected, answer)
        if (!('parts' in diff)) {
          expect(diff.kind).toBe(expected === answer ? 'same' : 'too-different')
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
