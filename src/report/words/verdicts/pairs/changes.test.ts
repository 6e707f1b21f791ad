import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../../contract/index.ts'
import { compareWithEarlier } from '../../../../statistics/index.ts'
import { describeChange } from './changes.ts'

const runOf = (id: string, scores: number[]): RunResult => ({
  id,
  models: ['m'],
  results: scores.map((score, index) => ({ testCaseId: `case-${index}`, modelId: 'm', score: { score } })),
})
const say = (before: number[], after: number[]) =>
  describeChange(compareWithEarlier([runOf('b', after)], [runOf('a', before)], ['m']).get('m') ?? {})

describe('whether a change helped', () => {
  const zeros = Array.from({ length: 12 }, () => 0)
  const mixed = zeros.map((_, index) => (index < 10 ? 0.8 + index / 100 : 0.1))
  it('is said in one sentence with the interval', () => {
    expect(say(zeros, mixed)).toMatch(
      /^Yes, the change helps: it gains 72\.\d points \(95 % CI \d+\.\d to \d+\.\d\) over 12 cases\.$/,
    )
    expect(say(mixed, zeros)).toMatch(
      /^No, the change hurts: it loses 72\.\d points \(95 % CI \d+\.\d to \d+\.\d\) over 12 cases\.$/,
    )
    expect(say(zeros, zeros.with(0, 1))).toMatch(
      /^Not clear yet whether the change helps: \+8\.3 points \(95 % CI [−-]10\.0 to 26\.7\) over 12 cases\. An 8\.3-point gap is too small for such cases/,
    )
  })
  it('is not said of one case, of none, or of equal scores', () => {
    expect(say([0], [1])).toBe('One case proves nothing: run more cases to learn whether the change helps.')
    expect(say([], [1])).toContain('nothing to compare')
    expect(say(mixed, mixed)).toBe('No difference: every score is the same as before, over 12 cases.')
  })
})
