import { expect, it } from 'vitest'
import { readSwipe } from './read-swipe.ts'

it('a swipe to the left shows the next page, to the right the previous one, and scrolling neither', () => {
  const start = { x: 200, y: 100 }
  expect(readSwipe(start, { x: 100, y: 110 })).toBe(1)
  expect(readSwipe(start, { x: 300, y: 90 })).toBe(-1)
  expect(readSwipe(start, { x: 180, y: 100 })).toBe(0)
  expect(readSwipe(start, { x: 100, y: 300 })).toBe(0)
})
