import { describe, expect, it } from 'vitest'
import { readEntry } from './read-entry.ts'

describe('readEntry', () => {
  it.each([
    ['80', { kind: 'rate', rating: 0.8 }],
    [' 72,5  too long ', { kind: 'rate', rating: 0.725, note: 'too long' }],
    ['0', { kind: 'rate', rating: 0 }],
    ['100', { kind: 'rate', rating: 1 }],
    ['101', { kind: 'unknown' }],
    ['-3', { kind: 'unknown' }],
    ['p', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['s', { kind: 'skip' }],
    ['SKIP I cannot tell', { kind: 'skip', note: 'I cannot tell' }],
    ['n look again', { kind: 'note', note: 'look again' }],
    ['u', { kind: 'undo' }],
    ['q', { kind: 'quit' }],
  ])('reads %j by points', (line, entry) => expect(readEntry(line, 'points')).toEqual(entry))

  it.each([
    ['p', { kind: 'rate', rating: 1 }],
    ['Fail wrong city', { kind: 'rate', rating: 0, note: 'wrong city' }],
    ['80', { kind: 'unknown' }],
  ])('reads %j as pass or fail', (line, entry) => expect(readEntry(line, 'pass-fail')).toEqual(entry))
})
