import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitPages } from './mcp.ts'

it('keeps every character, no page longer than asked, lines whole where they fit', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', '😀'), maxLength: 60 }),
      fc.integer({ min: 2, max: 40 }),
      (text, length) => {
        const pages = splitPages(text, length)
        expect(pages.join('')).toBe(text)
        expect(pages.filter((page) => page.length > length + 1)).toEqual([])
      },
    ),
  )
  expect(splitPages('one\ntwo\nthree\n', 9)).toEqual(['one\ntwo\n', 'three\n'])
})

it('never splits a character', () => {
  expect(splitPages('ab😀cd', 3)).toEqual(['ab', '😀c', 'd'])
})

it('has one page for a short text', () => {
  expect([splitPages('', 10), splitPages('short', 10)]).toEqual([[''], ['short']])
})
