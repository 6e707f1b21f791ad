import { checkWhole } from '../numbers/check-arguments.ts'
import type { GradedSample } from './calibration-intervals.ts'

/** What a judge would score on all samples of the kind. */
export interface CalibrationFigures {
  passRate: number
  meanAbsoluteError: number
  correlation: number
}

/** A draw from Gamma(1, 1). */
function drawExponential(random: () => number): number {
  return -Math.log1p(-random())
}

/** A draw from Gamma(½, 1): half the square of a standard normal, by Box & Muller. */
function drawHalfGamma(random: () => number): number {
  return drawExponential(random) * Math.cos(2 * Math.PI * random()) ** 2
}

/** Graded samples as columns: the draws visit them thousands of times. */
interface Columns {
  expected: Float64Array
  actual: Float64Array
  isWithin: boolean[]
}

function toColumns(samples: readonly GradedSample[]): Columns {
  const graded = samples.filter(({ actual }) => actual !== undefined)
  return {
    expected: Float64Array.from(graded, ({ expected }) => expected),
    actual: Float64Array.from(graded, ({ actual }) => actual!),
    isWithin: graded.map(({ isWithin }) => isWithin),
  }
}

function weightedCorrelation({ expected, actual }: Columns, weights: Float64Array, total: number): number {
  let [meanX, meanY] = [0, 0]
  for (let i = 0; i < weights.length; i++) {
    meanX += (weights[i]! * expected[i]!) / total
    meanY += (weights[i]! * actual[i]!) / total
  }
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = 0; i < weights.length; i++) {
    const x = expected[i]! - meanX
    const y = actual[i]! - meanY
    xx += weights[i]! * x * x
    yy += weights[i]! * y * y
    xy += weights[i]! * x * y
  }
  return xx < 1e-12 || yy < 1e-12 ? 0 : xy / Math.sqrt(xx * yy)
}

/**
 * Draws of what a judge would score on all samples of the kind, given those it graded: the Bayesian bootstrap (Rubin,
 * Ann. Statist. 9, 1981), which weighs the samples at random, plus half a sample that passes and half a sample that
 * does not. Without them, a judge that passed all of a few samples would pass all in every draw, as in the ordinary
 * bootstrap; with them, its pass rate is drawn from Beta(k + ½, n − k + ½), the posterior with Jeffreys' prior.
 */
export function drawCalibrations(
  samples: readonly GradedSample[],
  { draws, random }: { draws: number; random: () => number },
): CalibrationFigures[] {
  checkWhole(draws, 1, 'draws')
  const columns = toColumns(samples)
  const { expected, actual, isWithin } = columns
  const n = expected.length
  if (n === 0) throw new RangeError('samples has no graded sample: at least one is needed.')
  const weights = new Float64Array(n)
  return Array.from({ length: draws }, () => {
    let [total, passed, error] = [0, 0, 0]
    for (let i = 0; i < n; i++) {
      const weight = drawExponential(random)
      weights[i] = weight
      total += weight
      error += weight * Math.abs(actual[i]! - expected[i]!)
      if (isWithin[i]) passed += weight
    }
    let failed = total - passed
    for (let i = n; i < samples.length; i++) failed += drawExponential(random)
    passed += drawHalfGamma(random)
    failed += drawHalfGamma(random)
    return {
      passRate: passed / (passed + failed),
      meanAbsoluteError: error / total,
      correlation: weightedCorrelation(columns, weights, total),
    }
  })
}
