/**
 * How often a calibration calls a noisy judge excellent, and how often it is sure of it, by noise, bias and number of
 * samples; and how often a rating that it is sure of is right. Run: `node bench/statistics/calibration.ts [trials]`
 */
import { calibrationRatings, measureCertainty, rateFigures } from '../../src/scoring/judging/rate-calibration.ts'
import { calibrationIntervals, createRandom, type GradedSample } from '../../src/statistics/index.ts'
import { figuresOf, gradeAll, simulatedSamples, type SimulatedJudge } from './simulated-judge.ts'

const trials = Number(process.argv[2] ?? 400)
const random = createRandom('bench calibration')

const judges: [string, SimulatedJudge][] = [
  ['noise 5', { noise: 0.05, bias: 0 }],
  ['noise 10', { noise: 0.1, bias: 0 }],
  ['noise 15', { noise: 0.15, bias: 0 }],
  ['noise 20', { noise: 0.2, bias: 0 }],
  ['noise 30', { noise: 0.3, bias: 0 }],
  ['noise 5, bias +10', { noise: 0.05, bias: 0.1 }],
  ['noise 10, bias −10', { noise: 0.1, bias: -0.1 }],
]

const covers = ({ low, high }: { low: number; high: number }, value: number) => low <= value && value <= high
const percent = (count: number) => `${((100 * count) / trials).toFixed(1)} %`

console.log(
  '| judge | truly | samples | called excellent | sure-excellent | sure | sure and right | bias, MAE, r covered |',
)
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |')
for (const [name, judge] of judges) {
  const large = gradeAll(simulatedSamples(200_000, random), judge, random)
  const truth = figuresOf(large)
  const rating = rateFigures(truth)
  const bias = large.reduce((sum, { expected, actual = 0 }) => sum + actual - expected, 0) / large.length
  for (const n of [8, 24, 48, 100]) {
    const counts = { excellent: 0, sureExcellent: 0, sure: 0, right: 0, bias: 0, error: 0, correlation: 0 }
    for (let trial = 0; trial < trials; trial++) {
      const samples: GradedSample[] = gradeAll(simulatedSamples(n, random), judge, random)
      const called = rateFigures(figuresOf(samples))
      const { isSure } = measureCertainty(called, samples)
      const intervals = calibrationIntervals(samples)
      counts.excellent += called === 'excellent' ? 1 : 0
      counts.sureExcellent += called === 'excellent' && isSure ? 1 : 0
      counts.sure += isSure ? 1 : 0
      // A judge at least as good as it was called is no false alarm.
      counts.right += isSure && calibrationRatings.indexOf(rating) <= calibrationRatings.indexOf(called) ? 1 : 0
      counts.bias += covers(intervals.bias!, bias) ? 1 : 0
      counts.error += covers(intervals.meanAbsoluteError!, truth.meanAbsoluteError) ? 1 : 0
      counts.correlation += covers(intervals.correlation!, truth.correlation) ? 1 : 0
    }
    const coverage = [counts.bias, counts.error, counts.correlation].map(percent).join(', ')
    console.log(
      `| ${name} | ${rating} | ${n} | ${percent(counts.excellent)} | ${percent(counts.sureExcellent)} | ${percent(counts.sure)} | ${counts.sure === 0 ? '–' : `${((100 * counts.right) / counts.sure).toFixed(1)} %`} | ${coverage} |`,
    )
  }
}
