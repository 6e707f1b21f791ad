import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { chooseFailures, listChosenCases, listFailureRows } from './failures.ts'

const testCases = Array.from({ length: 8 }, (_, index) => ({
  id: `c${index}`,
  prompt: `Question\n${index}?`,
  expectedOutput: 'yes',
  scoringMethod: 'exact-match',
  weight: 1,
}))

/** A digit for each case: 0 to 9 tenths of a point, `-` for no score, `*` for full marks. */
function makeRun(id: string, scores: Record<string, string>): RunResult {
  return {
    id,
    models: Object.keys(scores),
    testSuiteSnapshot: { name: 'S', testCases },
    results: Object.entries(scores).flatMap(([modelId, digits]) =>
      [...digits].map((digit, index) => ({
        testCaseId: `c${index}`,
        modelId,
        response: `${modelId} says  ${digit}`,
        ...(digit !== '-' && { score: { score: digit === '*' ? 1 : Number(digit) / 10 } }),
      })),
    ),
  }
}

describe('what failed', () => {
  it('is listed by model in the order of the suite, five at most, without what has no score', () => {
    const run = makeRun('r', { a: '**0***--', b: '00000500' })
    const chosen = chooseFailures([run], ['a', 'b'])
    expect(chosen).toEqual({
      models: [
        { modelId: 'a', failed: 1, caseIds: ['c2'] },
        { modelId: 'b', failed: 8, caseIds: ['c0', 'c1', 'c2', 'c3', 'c4'] },
      ],
    })
    expect(listChosenCases(chosen)).toEqual(['c2', 'c0', 'c1', 'c3', 'c4'])
    const rows = listFailureRows(chosen, { runs: [run], models: ['a', 'b'] })
    expect(rows.map(({ name }) => name)).toEqual([
      'a · 1 failed',
      '  c2',
      'b · 8 failed, 5 shown',
      '  c0',
      '  c1',
      '  c2',
      '  c3',
      '  c4',
    ])
    expect(rows[1]).toEqual({ name: '  c2', prompt: 'Question 2?', expected: 'yes', got: 'a says 0' })
  })
  it('shows a pattern between slashes, once', () => {
    const patterns = ['^no', '/^no/i'].map((expectedOutput, index) => ({
      ...testCases[index]!,
      expectedOutput,
      scoringMethod: 'regex-match',
    }))
    const run = { ...makeRun('r', { a: '00' }), testSuiteSnapshot: { name: 'S', testCases: patterns } }
    const rows = listFailureRows(chooseFailures([run], ['a']), { runs: [run], models: ['a'] })
    expect(rows.slice(1).map(({ expected }) => expected)).toEqual(['/^no/', '/^no/i'])
  })
  it('has the question of the case, without the prompts of variants', () => {
    const run = makeRun('r', { 'a@plain': '0', 'a@steps': '*' })
    const variants = [{ name: 'plain' }, { name: 'steps', prompt: '{{prompt}} Think.' }]
    const asked = { ...run, testSuiteSnapshot: { name: 'S', testCases, variants } }
    const models = ['a@plain', 'a@steps']
    const rows = listFailureRows(chooseFailures([asked], models), { runs: [asked], models })
    expect(rows[1]).toMatchObject({ name: '  c0', prompt: 'Question 0?' })
  })
  it('of more than three models is that of the first, then the cases with the lowest mean', () => {
    const run = makeRun('r', { a: '*****0**', b: '0****000', c: '0******0', d: '********' })
    const chosen = chooseFailures([run], ['d', 'a', 'c', 'b'])
    expect(chosen).toEqual({
      models: [],
      hardest: { failed: 4, caseIds: ['c0', 'c5', 'c7', 'c6'] },
    })
    const rows = listFailureRows(chosen, { runs: [run], models: ['d', 'a', 'c', 'b'] })
    expect(rows[0]).toMatchObject({ name: 'hardest cases · 4 failed by some model', isHeading: true })
    expect(rows[1]).toMatchObject({ name: '  c0', count: '2 of 4', got: 'c says 0, b says 0' })
  })
  it('over several runs is what failed in most of them, and a graded score goes before the answer', () => {
    const runs = [makeRun('1', { a: '*4' }), makeRun('2', { a: '04' }), makeRun('3', { a: '*4' })]
    const chosen = chooseFailures(runs, ['a'])
    expect(chosen.models).toEqual([{ modelId: 'a', failed: 1, caseIds: ['c1'] }])
    expect(listFailureRows(chosen, { runs, models: ['a'] })[1]?.got).toBe('40.0 · a says 4')
  })
  it('is nothing if everything passed or nothing has a score', () => {
    expect(chooseFailures([makeRun('r', { a: '**', b: '--' })], ['a', 'b'])).toEqual({ models: [] })
    expect(listFailureRows({ models: [] }, { runs: [], models: [] })).toEqual([])
  })
})
