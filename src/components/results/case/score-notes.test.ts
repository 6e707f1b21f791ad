import { expect, it } from 'vitest'
import { readNotes } from './score-notes.ts'

const CACHED = 'The grade is from the cache, given 2026-11-02 14:05 UTC.'
const judge = (judgeModelId: string, score: number, reasoning: string) => ({ judgeModelId, score, reasoning })

it.each([
  ['the words of a single judge', 'Clear\nand short.', [judge('a', 0.5, 'Clear\nand short.')]],
  ['the grades of a panel', 'a 50, b 75', [judge('a', 0.5, 'Clear.'), judge('b', 0.75, 'Fine.')]],
])('leaves out %s, which are shown below, and keeps everything else', (_what, words, judges) => {
  expect(readNotes({ score: 0.5, judges, notes: words })).toBe('')
  expect(readNotes({ score: 0.5, judges, notes: `${words}; without c: no grade` })).toBe('without c: no grade')
  expect(readNotes({ score: 0.5, judges, notes: `${words}\n${CACHED}` })).toBe(CACHED)
})

it('keeps the notes of a score without judges, and of one whose notes do not begin with their words', () => {
  expect(readNotes({ score: 1, notes: 'expected text found' })).toBe('expected text found')
  expect(readNotes({ score: 1 })).toBe('')
  const notes = 'visual design 50, function 75\nThe page cannot be seen.'
  expect(readNotes({ score: 0.5, judges: [judge('a', 0.5, 'So.')], notes })).toBe(notes)
  expect(readNotes({ score: 0.5, judges: [judge('a', 0.5, '')], notes: CACHED })).toBe(CACHED)
})
