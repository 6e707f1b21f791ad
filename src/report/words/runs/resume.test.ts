import { expect, it } from 'vitest'
import { describeRest, describeResumed } from './resume.ts'

it('a resume says what it kept, sent, retried and scored, and nothing of what it did not', () => {
  const none = { kept: 15, asked: 0, retried: 0, repeated: 0, scored: 0 }
  expect(describeResumed(none)).toBe('Kept 15.')
  expect(describeResumed({ ...none, asked: 9, retried: 9 })).toBe('Kept 15, retried 9.')
  expect(describeResumed({ kept: 6, asked: 14, retried: 1, repeated: 2, scored: 3 })).toBe(
    'Kept 6, sent 13 (2 of them were in flight), retried 1, scored 3 stored answers.',
  )
})

it('a stopped run says what is left and how to go on', () => {
  expect(describeRest(1, { runId: 'r1', isAtBudget: false })).toBe(
    'Stopped with 1 cell not run. Next: benchmaker resume r1',
  )
  expect(describeRest(20, { runId: 'r1', isAtBudget: true })).toBe(
    'Stopped with 20 cells not run. Next: benchmaker resume r1 --max-cost <usd>, with a larger budget',
  )
})
