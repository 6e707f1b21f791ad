import { expect, it } from 'vitest'
import { awaitsGrade } from './score.ts'

it.each([
  ['judge-failed', true],
  // The browser ended while it was used, as when a run is stopped.
  ['browser-failed', true],
  ['page-not-seen', false],
  ['no-answer', false],
])('a resume scores what is unscored as %s: %s', (code, isScored) => {
  expect(awaitsGrade({ unscored: { code, message: '' } })).toBe(isScored)
})
