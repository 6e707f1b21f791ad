import { expect, it } from 'vitest'
import { namesOfCase, readNames } from './case-names.ts'

it('names a case by its id, its category and its tags', () => {
  expect(namesOfCase({ id: 'a', category: 'facts', tags: ['x', 'y'] })).toEqual(['a', 'facts', 'x', 'y'])
  expect(namesOfCase({ id: 'a' })).toEqual(['a'])
})
it('reads names with commas, and keeps a known one whole', () => {
  expect(readNames(' a, b,,c ')).toEqual(['a', 'b', 'c'])
  expect(readNames('a, b', new Set(['a, b']))).toEqual(['a, b'])
  expect(readNames(' , ')).toEqual([])
})
