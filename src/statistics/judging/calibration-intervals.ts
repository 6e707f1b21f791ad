import { correlationInterval, type CorrelationInterval } from '../agreement/correlation-interval.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'
import type { Interval } from '../intervals/interval.ts'

/** A sample that a judge was asked to grade. Scores are 0 to 1. */
export interface GradedSample {
  expected: number
  /** Absent if the judge gave no readable grade. */
  actual?: number | undefined
  isWithin: boolean
}

/** 95 % intervals of the figures of a calibration. Those of errors are absent if no sample was graded. */
export interface CalibrationIntervals {
  passRate: Interval
  bias?: Interval
  meanAbsoluteError?: Interval
  correlation?: CorrelationInterval
}

/** The interval of a mean of values from −1 to 1, by the interval of scores from 0 to 1. */
function signedInterval(values: readonly number[]): Interval {
  const { low, high, method } = caseInterval(values.map((value) => (value + 1) / 2))
  return { low: 2 * low - 1, high: 2 * high - 1, method }
}

/** How far the figures of a calibration would vary over other samples of the kind. */
export function calibrationIntervals(samples: readonly GradedSample[]): CalibrationIntervals {
  const graded = samples.flatMap(({ expected, actual }) => (actual === undefined ? [] : [{ expected, actual }]))
  const errors = graded.map(({ expected, actual }) => actual - expected)
  const passed = samples.filter(({ isWithin }) => isWithin).length
  return {
    passRate: clopperPearsonInterval(passed, samples.length),
    ...(graded.length > 0 && {
      bias: signedInterval(errors),
      meanAbsoluteError: caseInterval(errors.map(Math.abs)),
      correlation: correlationInterval(
        graded.map(({ expected }) => expected),
        graded.map(({ actual }) => actual),
      ),
    }),
  }
}
