/**
 * How often the interval of a score that people's ratings correct holds the true value, beside the judge's own:
 * `node bench/ratings/coverage.ts [trials] [cases] [rated]`.
 */
import { listSettings, measureCoverage } from './simulate.ts'

const [trials = 1000, cases = 200, rated = 50] = process.argv.slice(2, 5).map(Number)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8)
const points = (width: number) => width.toFixed(1).padStart(7)

console.log(
  `${trials} trials a row, ${rated} of ${cases} cases rated. Coverage of 95 % intervals, and their mean width:`,
)
console.log('ratings    quality judge     runs  weights   judge  width  ratings alone  corrected  width  scores used')
let least = 1
const [, , , , , only] = process.argv
for (const setting of listSettings({ cases, rated })) {
  if (only !== undefined && !Object.values(setting).includes(only)) continue
  const { scale, quality, judge, runs, isWeighted } = setting
  const found = measureCoverage(setting, trials)
  least = Math.min(least, found.corrected)
  console.log(
    [
      scale.padEnd(10),
      quality.padEnd(7),
      judge.padEnd(9),
      String(runs).padStart(4),
      (isWeighted ? '1 to 4' : 'equal').padEnd(8),
      percent(found.judgeOnly),
      points(found.judgeWidth),
      points(found.aloneWidth).padStart(12),
      percent(found.corrected).padStart(11),
      points(found.correctedWidth),
      percent(found.used),
    ].join(' '),
  )
}
console.log(`Least coverage after correction: ${percent(least).trim()}`)
