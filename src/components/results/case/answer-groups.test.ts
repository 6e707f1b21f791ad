import { expect, it } from 'vitest'
import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import { findSharedFailure, groupAnswers } from './answer-groups.ts'

const answer = (response: string, score?: number): AnswerDetail => ({
  runId: 'r',
  runNumber: 1,
  responseLength: response.length,
  result: {
    testCaseId: 'c',
    modelId: 'm',
    outcome: 'ok',
    response,
    ...(score !== undefined && { score: { score } }),
  },
  ...(score !== undefined && { passed: score === 1 }),
})

const models = (answers: Record<string, AnswerDetail[]>) =>
  Object.entries(answers).map(([modelId, own]) => ({ modelId, answers: own }))

it('groups identical answers, failures first, with how often each model gave them', () => {
  const groups = groupAnswers({
    models: models({ a: [answer('x', 1), answer('y', 0)], b: [answer('y ', 0)], c: [answer('z', 0)] }),
  })
  expect(groups.map(({ state, answer: { result }, models: own }) => [state, result.response, own])).toEqual([
    [
      'failed',
      'y',
      [
        { modelId: 'a', times: 1, of: 2 },
        { modelId: 'b', times: 1, of: 1 },
      ],
    ],
    ['failed', 'z', [{ modelId: 'c', times: 1, of: 1 }]],
    ['passed', 'x', [{ modelId: 'a', times: 1, of: 2 }]],
  ])
})

it('asks about the expected output only if most of at least three models agree against it', () => {
  const wrong = { a: [answer('y', 0)], b: [answer('y', 0)], c: [answer('y', 0)] }
  const find = (answers: Record<string, AnswerDetail[]>) =>
    findSharedFailure(groupAnswers({ models: models(answers) }), Object.keys(answers).length)?.answer.result.response
  expect(find(wrong)).toBe('y')
  expect(find({ ...wrong, d: [answer('x', 1)] })).toBe('y')
  expect(find({ a: wrong.a, b: wrong.b })).toBeUndefined()
  expect(find({ ...wrong, d: [answer('x', 1)], e: [answer('x', 1)], f: [answer('x', 1)] })).toBeUndefined()
})
