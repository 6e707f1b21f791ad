import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { listSplits } from './split-answers.ts'

const graded = (testCaseId: string, ...grades: number[]) => ({
  testCaseId,
  modelId: 'm',
  score: {
    score: grades[0]!,
    judges: grades.map((score, index) => ({ judgeModelId: `j${index}`, score, reasoning: '' })),
  },
})
const run = (...results: RunResult['results']): RunResult => ({ id: 'r', models: ['m'], results })

describe('answers that judges split on', () => {
  it('are those with grades 30 points apart or more, the most divided first', () => {
    const splits = listSplits([run(graded('near', 0.8, 0.6), graded('far', 0.2, 1, 0.5), graded('edge', 0.8, 0.5))])
    expect(splits).toMatchObject({
      graded: 3,
      testCaseIds: ['far', 'edge'],
      answers: [{ testCaseId: 'far', modelId: 'm', runNumber: 1, spread: 0.8 }, { testCaseId: 'edge' }],
    })
    expect(splits!.answers[0]!.judges).toEqual([
      { judgeModelId: 'j0', score: 0.2 },
      { judgeModelId: 'j1', score: 1 },
      { judgeModelId: 'j2', score: 0.5 },
    ])
  })

  it('do not exist without a panel', () => {
    expect(listSplits([run(graded('a', 0.5))])).toBeUndefined()
  })
})
