import { expect, it } from 'vitest'
import { describeHardest } from './hardest.ts'

/** Of each model, its answers: 1 passed, 0 failed, nothing without a score. */
const makeCase = (id: string, ...models: number[][]) => ({
  id,
  cells: models.map((answers) => ({
    ...(answers.length > 0 && { mean: answers.reduce((sum, answer) => sum + answer, 0) / answers.length }),
    passed: answers.filter((answer) => answer === 1).length,
    answers: answers.map((score) => ({ score: { score } })),
  })),
})

it('names the cases that no model passed, or that most models failed', () => {
  expect(describeHardest([makeCase('a', [1], [1]), makeCase('b', [0], [0]), makeCase('c', [0], [1])])).toBe(
    'No model passed 1 of 3 cases: b.',
  )
  expect(describeHardest([makeCase('a', [1], [1]), makeCase('c', [0], [1]), makeCase('d', [1], [0])])).toBe(
    '1 of 2 models failed 2 of 3 cases: c and d.',
  )
})

it('counts a model that failed most of its runs, and no cell without a score', () => {
  expect(describeHardest([makeCase('a', [0, 0, 1], []), makeCase('b', [0, 1, 1], [1, 1, 1])])).toBe(
    'Failed 1 of 2 cases: a.',
  )
  expect(describeHardest([makeCase('a', [1, 1, 0], [])])).toBeUndefined()
  expect(describeHardest([])).toBeUndefined()
})

it('counts more cases than it names', () => {
  const cases = Array.from({ length: 8 }, (_, index) => makeCase(`c${index}`, [0], [0]))
  expect(describeHardest(cases)).toBe('No model passed 8 of 8 cases: c0, c1, c2, c3 and 4 others.')
})
