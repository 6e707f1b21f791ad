/**
 * How often what the program says is true: false alarms, coverage and power of every verdict, interval and plan it
 * shows, on simulated data with a known truth, beside the seed's methods and a plain paired t test.
 * Run: `node bench/truth/truth.ts [replications]`; prints the tables of docs/methodology.md.
 */
import { kinds } from './kinds.ts'
import {
  measureIntervals,
  measurePlans,
  measureRatings,
  measureRunIntervals,
  measureSeedTest,
  measureVerdicts,
} from './simulations.ts'

const replications = Number(process.argv[2] ?? 1000)
const sizes = [5, 6, 10, 20, 30, 50, 100, 300]

const percent = (value: number) => (Number.isNaN(value) ? '–' : (value * 100).toFixed(1))

function printTable(title: string, head: string[], rows: string[][]): void {
  console.log(`\n### ${title}\n`)
  console.log(`| ${head.join(' | ')} |\n|${head.map((_, i) => (i === 0 ? ' --- ' : ' ---: ')).join('|')}|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}

const byKind = (measure: (kind: (typeof kinds)[number], size: number) => string) =>
  kinds.map((kind) => [kind.name, ...sizes.map((size) => measure(kind, size))])
const sizeHead = ['scores', ...sizes.map((size) => `n = ${size}`)]

printTable(
  'False alarms: "A beats B" though they are equal (%): ours / plain paired t / the seed’s t over 3 runs',
  sizeHead,
  byKind((kind, size) => {
    const { ours, pairedT } = measureVerdicts({ kind, size, replications })
    return [ours, pairedT, measureSeedTest({ kind, size, replications })].map(percent).join(' / ')
  }),
)
printTable(
  'Power: "A beats B" when A is 10 points better (%): ours / plain paired t',
  sizeHead,
  byKind((kind, size) => {
    const { ours, pairedT } = measureVerdicts({ kind, size, gap: 0.1, replications })
    return `${percent(ours)} / ${percent(pairedT)}`
  }),
)
printTable(
  'Coverage of the interval of a difference of 0 and of 10 points (%)',
  sizeHead,
  byKind((kind, size) =>
    [0, 0.1].map((gap) => percent(measureVerdicts({ kind, size, gap, replications }).coverage)).join(' / '),
  ),
)
printTable(
  'Coverage of the 95 % interval over cases (%): ours / Student’s t / the seed’s ± 1.96 SE',
  sizeHead,
  byKind((kind, size) => {
    const { ours, t, seed } = measureIntervals({ kind, size, replications })
    return [ours, t, seed].map(percent).join(' / ')
  }),
)
printTable(
  'Coverage of the 95 % interval over runs, a model right 50, 90 or 99 % of the time (%): ours / the seed’s ± 1.96 SE',
  ['cases × runs', '50 %', '90 %', '99 %'],
  [
    [10, 2],
    [10, 3],
    [10, 5],
    [30, 3],
    [100, 3],
  ].map(([cases, runs]) => [
    `${cases} × ${runs}`,
    ...[0.5, 0.9, 0.99].map((rate) => {
      const { ours, seed } = measureRunIntervals({ rate, cases: cases!, runs: runs!, replications })
      return `${percent(ours)} / ${percent(seed)}`
    }),
  ]),
)
printTable(
  'Power that a plan reaches for a true difference of 10 points, planned at 80 % (%), and its mean number of new cases',
  ['scores', ...[10, 20, 30, 50].map((size) => `from ${size} cases`)],
  kinds.map((kind) => [
    kind.name,
    ...[10, 20, 30, 50].map((size) => {
      const { power, cases, leftOut } = measurePlans({ kind, size, gap: Math.min(0.1, kind.mean), replications })
      if (Number.isNaN(power)) return '–'
      return `${percent(power)} (${cases.toFixed(0)})${leftOut > 0 ? `, ${percent(leftOut)} left out` : ''}`
    }),
  ]),
)
printTable(
  'Coverage of the 95 % intervals of ratings (%)',
  ['models', '10 cases', '30 cases', '100 cases'],
  [2, 3, 6].flatMap((models) =>
    [true, false].flatMap((isPassFail) =>
      [0.3, 1.5].map((spread) => [
        `${models}, ${isPassFail ? '0 or 1' : 'graded'}, ${spread < 1 ? 'close' : 'far apart'}`,
        ...[10, 30, 100].map((cases) =>
          percent(
            measureRatings({ models, cases, isPassFail, spread, replications: Math.ceil(replications / models) }),
          ),
        ),
      ]),
    ),
  ),
)
