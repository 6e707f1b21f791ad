/** A short version of bench/ratings/coverage.ts. The generators are seeded: the same code gives the same rates. */
import { describe, expect, it } from 'vitest'
import { measureCoverage, type Setting } from '../bench/ratings/simulate.ts'
import { isLong } from './scaled.ts'

const base: Setting = {
  scale: 'points',
  quality: 'fair',
  judge: 'good',
  cases: 120,
  rated: 40,
  runs: 1,
  isWeighted: false,
}
const TRIALS = 250
/** 94 %, less two standard errors of the simulation. */
const LEAST = 0.94 - 2 * Math.sqrt((0.94 * 0.06) / TRIALS)

const settings: Partial<Setting>[] = [
  { judge: 'good' },
  { judge: 'lenient' },
  { judge: 'noisy' },
  { judge: 'lying' },
  { judge: 'strict', quality: 'good' },
  { judge: 'lenient', runs: 3 },
  { judge: 'noisy', isWeighted: true },
  { judge: 'lenient', scale: 'pass-fail' },
  { judge: 'noisy', scale: 'pass-fail', runs: 3 },
  { judge: 'lying', scale: 'pass-fail' },
]

describe('scores corrected by ratings, through draw, ratings and report', () => {
  it.each(isLong ? settings : settings.slice(0, 4))('hold the true value in 94 %%: %j', (change) => {
    expect(measureCoverage({ ...base, ...change }, TRIALS).corrected).toBeGreaterThanOrEqual(LEAST)
  })

  it('a lenient judge alone is sure and wrong; corrected it is right, and surer than the ratings alone', () => {
    const { judgeOnly, corrected, correctedWidth, aloneWidth } = measureCoverage({ ...base, judge: 'lenient' }, 100)
    expect(judgeOnly).toBeLessThan(0.05)
    expect(corrected).toBeGreaterThan(0.9)
    expect(correctedWidth).toBeLessThan(0.75 * aloneWidth)
  })
})
