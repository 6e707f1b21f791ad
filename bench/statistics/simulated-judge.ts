import { pearsonCorrelation, type CalibrationFigures, type GradedSample } from '../../src/statistics/index.ts'
import { calibrationSets, defaultCalibrationSamples } from '../../src/scoring/index.ts'

/** A judge whose grade is the fair one plus a bias and normal noise, clipped to 0 to 1 and rounded to tenths. */
export interface SimulatedJudge {
  noise: number
  bias: number
}

interface SimulatedSample {
  expectedScore: number
  tolerance: number
}

const all: readonly SimulatedSample[] = [
  ...defaultCalibrationSamples,
  ...calibrationSets.flatMap(({ samples }) => samples),
]

/** Samples drawn from the built-in ones, with replacement. */
export function simulatedSamples(n: number, random: () => number): SimulatedSample[] {
  return Array.from({ length: n }, () => all[Math.floor(random() * all.length)]!)
}

function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log1p(-random())) * Math.cos(2 * Math.PI * random())
}

export function gradeAll(
  samples: readonly SimulatedSample[],
  { noise, bias }: SimulatedJudge,
  random: () => number,
): GradedSample[] {
  return samples.map(({ expectedScore, tolerance }) => {
    const grade = Math.min(1, Math.max(0, expectedScore + bias + noise * drawNormal(random)))
    const actual = Math.round(grade * 10) / 10
    return { expected: expectedScore, actual, isWithin: Math.abs(actual - expectedScore) <= tolerance + 1e-9 }
  })
}

export function figuresOf(samples: readonly GradedSample[]): CalibrationFigures {
  const expected = samples.map((sample) => sample.expected)
  const actual = samples.map((sample) => sample.actual ?? 0)
  const correlation = pearsonCorrelation(expected, actual)
  return {
    passRate: samples.filter(({ isWithin }) => isWithin).length / samples.length,
    meanAbsoluteError:
      samples.reduce((sum, _, index) => sum + Math.abs(actual[index]! - expected[index]!), 0) / samples.length,
    correlation: Number.isNaN(correlation) ? 0 : correlation,
  }
}
