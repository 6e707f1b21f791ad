import { expect, it } from 'vitest'
import { caseInterval } from '../intervals/case-interval.ts'
import { calibrationIntervals } from './calibration-intervals.ts'

const samples = [0, 0.2, 0.4, 0.6, 0.8, 1].map((expected, index) => ({
  expected,
  actual: Math.min(1, expected + [0.1, 0, 0.15, -0.05, 0.1, -0.3][index]!),
  isWithin: index < 5,
}))

it('gives the pass rate the exact interval: 5 of 6 is .3588 to .9958 (R binom.test)', () => {
  const { low, high } = calibrationIntervals(samples).passRate
  expect([low, high].map((bound) => bound.toFixed(4))).toEqual(['0.3588', '0.9958'])
})

it('gives the bias Student’s interval: mean 0, standard error .0671, t(.975; 5) 2.571 (R t.test)', () => {
  const { low, high, method } = calibrationIntervals(samples).bias!
  expect(low).toBeCloseTo(-0.17244, 5)
  expect(high).toBeCloseTo(0.17244, 5)
  expect(method).toBe('t')
})

it('gives the mean absolute error the interval of a mean score', () => {
  const errors = samples.map(({ expected, actual }) => Math.abs(actual - expected))
  expect(calibrationIntervals(samples).meanAbsoluteError).toEqual(caseInterval(errors))
})

it('leaves samples without a grade out of the errors, but not out of the pass rate', () => {
  const withGap = [...samples, { expected: 1, isWithin: false }]
  const { passRate, ...others } = calibrationIntervals(withGap)
  const { passRate: _whole, ...same } = calibrationIntervals(samples)
  expect(others).toEqual(same)
  expect(passRate.low).toBeCloseTo(0.2904, 3)
  expect(calibrationIntervals([{ expected: 1, isWithin: false }])).not.toHaveProperty('bias')
})

it('is honest about a judge that made no mistake on eight samples', () => {
  const perfect = [0, 0, 0.1, 0.5, 0.5, 1, 1, 1].map((expected) => ({ expected, actual: expected, isWithin: true }))
  const { bias, meanAbsoluteError, correlation } = calibrationIntervals(perfect)
  expect(bias!.high).toBeGreaterThan(0.2)
  expect(meanAbsoluteError!.high).toBeGreaterThan(0.2)
  expect(correlation!.low).toBeLessThan(0.8)
})
