import { describe, expect, it } from 'vitest'
import { hasPassed, passMarkOfMethod, readPassMark, readPassMarks, suiteSchema } from '../index.ts'

describe('the pass mark of a case', () => {
  it('is the one of its method: 0.95 for exact match, 0.8 for judges, 1 for all others', () => {
    expect(
      ['exact-match', 'llm-judge', 'code-arena', 'regex-match', 'tool-calls', 'constructor'].map(passMarkOfMethod),
    ).toEqual([0.95, 0.8, 0.8, 1, 1, 1])
    expect(readPassMark({ scoringMethod: 'exact-match' })).toBe(0.95)
    expect(readPassMark({})).toBe(1)
  })

  it('is set by the case, else by the suite', () => {
    expect(readPassMark({ scoringMethod: 'exact-match', passAt: 0.5 }, 0.7)).toBe(0.5)
    expect(readPassMark({ scoringMethod: 'exact-match' }, 0.7)).toBe(0.7)
    expect(readPassMark({ scoringMethod: 'exact-match', passAt: 0 }, 0.7)).toBe(0)
  })

  it('is one for each check, unless the case or the suite sets one for their mean', () => {
    const checks = [{ scoringMethod: 'exact-match' }, { scoringMethod: 'llm-judge', passAt: 0.6 }]
    expect(readPassMark({ checks })).toEqual([0.95, 0.6])
    expect(readPassMark({ checks, passAt: 0.75 })).toBe(0.75)
    expect(readPassMark({ checks }, 0.75)).toBe(0.75)
  })

  it('is 1 for a case that the suite does not have, and without a suite', () => {
    const suite = { passAt: 0.3, testCases: [{ id: 'a' }] }
    expect([readPassMarks(suite)('a'), readPassMarks(suite)('b'), readPassMarks(undefined)('a')]).toEqual([0.3, 1, 1])
  })

  it.each([80, -0.1])('%s is refused in a suite', (passAt) => {
    const testCase = { id: 'a', prompt: 'p', scoringMethod: 'boolean' }
    expect(suiteSchema.safeParse({ name: 's', passAt, testCases: [testCase] }).success).toBe(false)
    expect(suiteSchema.safeParse({ name: 's', testCases: [{ ...testCase, passAt }] }).success).toBe(false)
  })
})

describe('an answer', () => {
  it('passes from the mark on, whatever rounding did to it', () => {
    expect([0.95, 0.95 - 1e-12, 0.949].map((score) => hasPassed({ score }, 0.95))).toEqual([true, true, false])
    expect(hasPassed({ score: 0.1 + 0.2 + 0.7 - 2e-16 }, 1)).toBe(true)
  })

  it('passes if each check does: a mean of 92 does not make up for a wrong tool', () => {
    const checks = [
      { scoringMethod: 'llm-judge', weight: 5, score: 1 },
      { scoringMethod: 'boolean', weight: 1, score: 0.5 },
    ]
    expect(hasPassed({ score: 0.92, checks }, [0.8, 1])).toBe(false)
    expect(hasPassed({ score: 0.92, checks }, 0.9)).toBe(true)
    expect(
      hasPassed(
        {
          score: 0.87,
          checks: [
            { ...checks[0]!, score: 0.84 },
            { ...checks[1]!, score: 1 },
          ],
        },
        [0.8, 1],
      ),
    ).toBe(true)
  })

  it('without its checks must reach the highest of their marks', () => {
    expect([0.9, 0.96].map((score) => hasPassed({ score }, [0.8, 0.95]))).toEqual([false, true])
  })

  it('passes if its source says so', () => {
    expect(hasPassed({ score: 0.4, passed: true }, 0.95)).toBe(true)
    expect(hasPassed({ score: 1, passed: false }, 0)).toBe(false)
  })
})
