import { describe, expect, it } from 'vitest'
import { chooseTellingFailures, type FailedCase } from './telling-failures.ts'

/** `'+-'`: the first model passed, the second failed; `'~'`: passed in one of three runs, `'?'`: no score. */
function casesOf(...rows: string[]): FailedCase[] {
  const cells = {
    '+': { scored: 3, passed: 3, mean: 1 },
    '-': { scored: 3, passed: 0, mean: 0 },
    '~': { scored: 3, passed: 1, mean: 1 / 3 },
    '?': { scored: 0, passed: 0, mean: Number.NaN },
  }
  return rows.map((row, index) => ({ index, cells: [...row].map((mark) => cells[mark as keyof typeof cells]) }))
}

describe('the most telling failures', () => {
  it('are one of each kind: only the leader passed, all failed, the leader is flaky', () => {
    expect(chooseTellingFailures(casesOf('+++', '~++', '---', '+--', '++-'))).toEqual([
      { kind: 'only-one-passed', index: 3, model: 0 },
      { kind: 'all-failed', index: 2 },
      { kind: 'leader-is-flaky', index: 1 },
    ])
  })

  it('are filled up with the worst, each case once', () => {
    expect(
      chooseTellingFailures(casesOf('+++', '++-', '---', '---', '---')).map(({ kind, index }) => [kind, index]),
    ).toEqual([
      ['all-failed', 2],
      ['worst', 3],
      ['worst', 4],
    ])
    expect(chooseTellingFailures(casesOf('+', '-', '~', '+')).map(({ index }) => index)).toEqual([2, 1])
  })

  it('are where the leaders differ while it is open, each in turn', () => {
    const cases = casesOf('+-+', '+-+', '-++', '---')
    expect(chooseTellingFailures(cases, { open: [0, 1] })).toEqual([
      { kind: 'only-one-passed', index: 0, model: 0 },
      { kind: 'only-one-passed', index: 2, model: 1 },
      { kind: 'only-one-passed', index: 1, model: 0 },
    ])
  })

  it('are one of each kind if the leaders differ on no case', () => {
    expect(chooseTellingFailures(casesOf('++', '--', '~~'), { open: [0, 1] }).map(({ kind }) => kind)).toEqual([
      'all-failed',
      'leader-is-flaky',
    ])
  })

  it('prefer a case that all failed in the same way, and do without scores', () => {
    expect(
      chooseTellingFailures(casesOf('--', '--', '??'), { agreementOf: (index) => (index === 1 ? 2 : 0) })[0],
    ).toEqual({ kind: 'all-failed', index: 1 })
    expect(chooseTellingFailures(casesOf('??', '++'))).toEqual([])
    expect(chooseTellingFailures([])).toEqual([])
  })
})
