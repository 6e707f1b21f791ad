import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../contract/index.ts'
import { pairAnswers } from './pair-answers.ts'

const cell = (testCaseId: string, modelId: string, score?: number): CellResult => ({
  testCaseId,
  modelId,
  ...(score !== undefined && { score: { score, passed: score >= 0.95 } }),
})
const runOf = (id: string, results: CellResult[]): RunResult => ({ id, models: ['m'], results })

describe('pairing answers', () => {
  it('pairs by case, across models, and only what was asked again', () => {
    const before = runOf('a', [
      cell('1', 'm', 0),
      cell('2', 'm', 1),
      cell('3', 'm', 0.5),
      cell('4', 'm', 0),
      cell('1', 'other', 1),
    ])
    const after = runOf('b', [cell('3', 'n', 0.5), cell('2', 'n', 0), cell('1', 'n', 1)])
    const paired = pairAnswers(
      { run: before, contestant: 'm' },
      { run: after, contestant: 'n', caseIds: ['3', '1', '2'] },
    )
    expect(paired.pairs.map(({ testCaseId, difference }) => [testCaseId, difference])).toEqual([
      ['1', 1],
      ['2', -1],
      ['3', 0],
    ])
    expect(paired).toMatchObject({ better: 1, worse: 1, same: 1 })
    expect(paired.comparison?.paired).toMatchObject({ n: 3, meanDiff: 0, wins: 1, losses: 1, ties: 1 })
  })
  it('keeps unscored, failed and unasked answers apart, last and out of the comparison', () => {
    const before = runOf('a', [cell('1', 'm', 1), cell('2', 'm', 1), cell('3', 'm', 1)])
    const after = runOf('b', [
      { ...cell('1', 'm'), unscored: { code: 'judge-failed', message: '' } },
      { ...cell('2', 'm'), error: 'no key' },
      cell('4', 'm', 0.5),
    ])
    const paired = pairAnswers(
      { run: before, contestant: 'm' },
      { run: after, contestant: 'm', caseIds: ['1', '2', '3', '4'] },
    )
    expect(paired.pairs.map((pair) => [pair.before.state, pair.after.state])).toEqual([
      ['scored', 'unscored'],
      ['scored', 'error'],
      ['scored', 'skipped'],
      ['skipped', 'scored'],
    ])
    expect(paired.comparison?.paired).toBeUndefined()
  })
})
