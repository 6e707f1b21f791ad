import { describe, expect, it } from 'vitest'
import { toScoreTable, type CellResult, type RunResult } from '../../contract/index.ts'
import { pairAnswers, pickAnswers } from './pair-answers.ts'

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
      { scores: toScoreTable(before), contestant: 'm' },
      { scores: toScoreTable(after), contestant: 'n', caseIds: ['3', '1', '2'] },
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
      { scores: toScoreTable(before), contestant: 'm' },
      { scores: toScoreTable(after), contestant: 'm', caseIds: ['1', '2', '3', '4'] },
    )
    expect(paired.pairs.map((pair) => [pair.before.state, pair.after.state])).toEqual([
      ['scored', 'unscored'],
      ['scored', 'error'],
      ['scored', 'skipped'],
      ['skipped', 'scored'],
    ])
    expect(paired.comparison?.paired).toBeUndefined()
  })
  it('gives the same with all answers of the earlier run as with only the needed ones', () => {
    const testCases = ['1', '2', '3'].map((id) => ({ id, weight: id === '2' ? 3 : 1 }))
    const makeScores = (id: string, models: string[], scoreOf: (model: string, caseId: string) => number) =>
      toScoreTable({
        id,
        models,
        testSuiteSnapshot: { name: 'Suite', testCases },
        results: models.flatMap((modelId) =>
          testCases.map((testCase) => cell(testCase.id, modelId, scoreOf(modelId, testCase.id))),
        ),
      })
    const before = makeScores('a', ['x', 'y', 'z'], (model, id) => (model === 'y' ? Number(id) / 10 : 1))
    const caseIds = ['3', '1', '2']
    const after = { scores: makeScores('b', ['new'], () => 0.4), contestant: 'new', caseIds }
    const narrow = pickAnswers({ scores: before, contestant: 'y' }, caseIds)
    expect(Array.from(narrow.cells.score)).toEqual([0.1, 0.2, 0.3])
    const paired = pairAnswers({ scores: narrow, contestant: 'y' }, after)
    expect(paired).toEqual(pairAnswers({ scores: before, contestant: 'y' }, after))
    // Weighted: (0.3 + 3 × 0.2 + 0.1) ÷ 5.
    expect(paired.comparison!.paired!.meanDiff).toBeCloseTo(0.2, 12)
    expect(pickAnswers({ scores: before, contestant: 'nobody' }, ['1']).cells.score).toHaveLength(0)
  })
})
