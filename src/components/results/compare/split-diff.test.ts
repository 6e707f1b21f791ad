import { expect, it } from 'vitest'
import { diffTexts } from '../case/word-diff.ts'
import { splitDiff } from './split-diff.ts'

it('gives back both texts whole, with what only one of them has marked', () => {
  const [a, b] = ['The answer is 42 apples.', 'The answer is 41 apples, I think.']
  const diff = diffTexts(a, b)
  if (!('parts' in diff)) throw new Error('no diff')
  const split = splitDiff(diff)
  expect(split.a.map(({ text }) => text).join('')).toBe(a)
  expect(split.b.map(({ text }) => text).join('')).toBe(b)
  expect(split.a.find(({ isOwn }) => isOwn)?.text).toBe('42')
  expect(split.b.find(({ isOwn }) => isOwn)?.text).toBe('41')
  expect(split.a.filter(({ isOwn }) => !isOwn)).toEqual(split.b.filter(({ isOwn }) => !isOwn))
})
