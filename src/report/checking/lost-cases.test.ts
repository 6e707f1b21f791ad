import { expect, it } from 'vitest'
import { suiteSchema } from '../../contract/index.ts'
import { checkSuite } from './check-suite.ts'

const check = (testCase: Record<string, unknown>) =>
  checkSuite(suiteSchema.parse({ name: 'S', testCases: [{ id: 'a', ...testCase }] }), []).findings.map(
    ({ kind, sentence }) => [kind, sentence],
  )

it('a case whose own key fails is named', () => {
  // Of an answer only what follows "Answer:" counts.
  const found = check({ prompt: 'Who?', scoringMethod: 'text-overlap', expectedOutput: 'Question: who? Answer: Ann' })
  expect(found).toEqual([['key-fails', expect.stringContaining('a cannot be passed')]])
})

it('options that the prompt does not show are named', () => {
  const hidden = { scoringMethod: 'multiple-choice', choices: ['red', 'blue'], expectedOutput: 'A' }
  expect(check({ prompt: 'Which colour?', ...hidden })).toEqual([
    ['hidden-options', 'a does not show its options in the prompt, so a model can only guess.'],
  ])
  expect(check({ prompt: 'Which colour? A) red', ...hidden })[0]![1]).toContain('1 of its 2 options')
  expect(check({ prompt: 'Which colour?\nA) red\nB) blue', ...hidden })).toEqual([])
})

it('a letter that the prompt does not have is named', () => {
  const lettered = { scoringMethod: 'multiple-choice', expectedOutput: 'B' }
  expect(check({ prompt: 'Which colour?', ...lettered })).toEqual([
    [
      'hidden-options',
      'a expects the letter B, and its prompt shows no options with letters, so a model can only guess.',
    ],
  ])
  expect(check({ prompt: 'Which colour, (A) red or (B) blue?', ...lettered })).toEqual([])
})

it('a key that is an explanation is named', () => {
  const expectedOutput = `Because ${'water takes more room when it freezes and '.repeat(4)}so it floats`
  expect(check({ prompt: 'Why?', scoringMethod: 'text-overlap', expectedOutput })).toEqual([
    ['method-mismatch', expect.stringContaining('as an explanation has')],
  ])
})

it('sound cases have no finding', () => {
  expect(check({ prompt: 'Half of 1?', scoringMethod: 'math', expectedOutput: String.raw`\frac12` })).toEqual([])
  expect(check({ prompt: 'Capital of Norway?', scoringMethod: 'text-overlap', expectedOutput: 'Oslo' })).toEqual([])
  expect(check({ prompt: '2+2?', scoringMethod: 'exact-match', expectedOutput: '4' })).toEqual([])
})
