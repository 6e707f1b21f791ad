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
import { measureCostRatio, measureDecided, measureGoodEnough, scoreKinds } from './costs.ts'
import { bestPower, measureHosts } from './hosts.ts'
import { measureGroups } from './groups.ts'
import {
  measureClusterCoverage,
  measureClusters,
  measureCorrected,
  measureEquivalence,
  measureFirst,
  measureGates,
  measureLeaning,
  measureMissing,
  measurePairs,
  measureRareFailures,
  measureWeights,
  type Rates,
} from './real-suites.ts'

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

const printRates = ({ ours, plain, pairedT }: Rates) => [ours, plain, pairedT].map(percent).join(' / ')
const layouts: [name: string, sizes: number[]][] = [
  ['10 questions of 6 variants', Array.from({ length: 10 }, () => 6)],
  ['20 questions of 3 variants', Array.from({ length: 20 }, () => 3)],
  ['10 questions of 1 to 40 variants', [1, 1, 1, 2, 2, 3, 5, 8, 13, 40]],
]
printTable(
  'Variants of one question: equal models told apart (%): ours / without clusters / plain paired t',
  ['cases', '2 models, 0 or 1', '2 models, graded', '10 models, 0 or 1', '10 models, graded'],
  layouts.map(([name, variants]) => [
    name,
    ...[2, 10].flatMap((models) =>
      [true, false].map((isPassFail) =>
        printRates(
          measureClusters({
            sizes: variants,
            isPassFail,
            models,
            replications: Math.ceil((replications * 2) / models / 2),
          }),
        ),
      ),
    ),
  ]),
)
printTable(
  'Variants of one question: intervals that hold (%): ours / without clusters',
  ['cases', 'mean, 0 or 1', 'mean, graded', 'difference, 0 or 1', 'difference, graded'],
  layouts.map(([name, variants]) => {
    const [passFail, graded] = [true, false].map((isPassFail) =>
      measureClusterCoverage({ sizes: variants, isPassFail, replications }),
    )
    return [
      name,
      ...[passFail!, graded!].map(({ mean, plainMean }) => `${percent(mean)} / ${percent(plainMean)}`),
      ...[passFail!, graded!].map(
        ({ difference, plainDifference }) => `${percent(difference)} / ${percent(plainDifference)}`,
      ),
    ]
  }),
)
printTable(
  'Judges who lean: equal models told apart on 60 cases (%): ours / judges as fixed / plain paired t',
  ['judges', 'neutral', 'by 2 points', 'by 4 points', 'by 6 points'],
  [1, 2, 3, 5].map((judges) => [
    `${judges}`,
    ...[0, 0.02, 0.04, 0.06].map((lean) => printRates(measureLeaning({ judges, lean, cases: 60, replications }))),
  ]),
)
printTable(
  'A judge who leans 6 points: intervals that hold what people would give (%), 200 cases: corrected / ratings alone / judge alone; mean widths in points, corrected / ratings alone',
  ['ratings of both answers', 'good judge', 'widths', 'noisy judge', 'widths'],
  [30, 60].map((ratings) => [
    `${ratings}`,
    ...[0.05, 0.15].flatMap((noise) => {
      const found = measureCorrected({ ratings, cases: 200, lean: 0.06, noise, replications })
      return [
        [found.corrected, found.alone, found.judge].map(percent).join(' / '),
        [found.correctedWidth, found.aloneWidth].map(percent).join(' / '),
      ]
    }),
  ]),
)
printTable(
  'Many pairs: verdicts that their interval contradicts, and reports whose intervals all hold (%): ours / Holm’s words beside intervals of 95 % each',
  ['models', 'contradictions', 'all hold'],
  [3, 5, 10].map((models) => {
    const { contradictions, together } = measurePairs({
      models,
      cases: 40,
      replications: Math.ceil(replications / models),
    })
    return [`${models}`, ...[contradictions, together].map(({ ours, plain }) => `${percent(ours)} / ${percent(plain)}`)]
  }),
)
printTable(
  'Breakdown by 10 groups: any winner in any group though the models are equal (%): ours / each group by itself / plain paired t',
  ['cases in each group', '2 models, 0 or 1', '2 models, graded', '3 models, 0 or 1', '3 models, graded'],
  [8, 12, 30].map((cases) => [
    `${cases}`,
    ...[2, 3].flatMap((models) =>
      [true, false].map((isPassFail) =>
        printRates(measureGroups({ groups: 10, cases, isPassFail, models, replications })),
      ),
    ),
  ]),
)
printTable(
  'A few heavy weights: intervals that hold (%), 40 cases, a tenth of them heavy: ours / Student’s t of n − 1',
  ['weight', 'mean', 'difference'],
  [5, 10, 50].map((heavy) => {
    const { mean, difference } = measureWeights({ heavy, cases: 40, replications })
    return [`${heavy} : 1`, ...[mean, difference].map(({ ours, pairedT }) => `${percent(ours)} / ${percent(pairedT)}`)]
  }),
)
printTable(
  'Better but for rare failures, equal on average: "beats" (%): ours / before / plain paired t; and how many of ours say what would turn them around',
  ['cases', 'beats', 'said'],
  [10, 20, 30, 60].map((cases) => {
    const { said, ...rates } = measureRareFailures({ cases, replications })
    return [`${cases}`, printRates(rates), percent(said)]
  }),
)
printTable(
  'One baseline for 50 commits, 100 cases (%): both run again / baseline alone, at .0025 / p < .05 each time',
  ['', 'any false alarm in 50 unchanged commits', 'a loss of 15 points found at once'],
  [
    [
      'gate',
      ...Object.values(
        measureGates({ cases: 100, commits: 50, loss: 0.15, replications: Math.ceil(replications / 4) }),
      ).map(({ ours, alone, plain }) => [ours, alone, plain].map(percent).join(' / ')),
    ],
  ],
)
printTable(
  'Practically the same, with a true gap of just the margin of 5 points (%): ours / two one-sided t tests',
  ['cases', 'called the same', 'called not worse'],
  (
    [
      ['50', 50, 1],
      ['200', 200, 1],
      ['200 in clusters of 4', 200, 4],
      ['600', 600, 1],
    ] as const
  ).map(([name, cases, clusterSize]) => {
    const rates = measureEquivalence({ cases, margin: 0.05, clusterSize, replications })
    return [
      name,
      `${percent(rates.same)} / ${percent(rates.plainSame)}`,
      `${percent(rates.notWorse)} / ${percent(rates.plainNotWorse)}`,
    ]
  }),
)
printTable(
  'The first of several: its interval holds on new cases (%), 50 cases: ours / without its luck',
  ['models', 'equally good', 'a spread of 5 points'],
  [2, 5, 10, 20].map((models) => [
    `${models}`,
    ...[0, 0.05].map((spread) => {
      const { ours, plain } = measureFirst({ models, cases: 50, spread, replications })
      return `${percent(ours)} / ${percent(plain)}`
    }),
  ]),
)
printTable(
  'A is 3 points worse and its hardest cases are missing, 60 cases (%): ours on shared cases / the means of what each has',
  ['missing', 'A leads', '“A beats B”'],
  [0.05, 0.1, 0.2, 0.3].map((share) => {
    const { leads, beats } = measureMissing({ cases: 60, share, gap: 0.03, replications })
    return [`${share * 100} %`, ...[leads, beats].map(({ ours, plain }) => `${percent(ours)} / ${percent(plain)}`)]
  }),
)

printTable(
  'Cheapest that is good enough: named though worse by just the margin of 5 points (%), and named where it is as good',
  ['scores', 'n = 30', 'n = 100', '20 clusters of 5', '3 cheap, 2 good, n = 100', 'as good, n = 200'],
  scoreKinds.map((kind) => [
    kind.name,
    ...[
      { cases: 30 },
      { cases: 100 },
      { cases: 100, clusterSize: 5 },
      { cases: 100, cheap: 3, good: 2 },
      { cases: 200, gap: 0 },
    ].map((setting) => percent(measureGoodEnough({ kind, margin: 0.05, replications, ...setting }))),
  ]),
)
printTable(
  'The same by runs that look after every case and stop when it is settled: worse by just the margin, as good (%), and the share of 400 cases asked for the latter',
  ['scores', 'named though worse', 'the same, 100 clusters of 4', 'named where as good', 'asked'],
  scoreKinds.map((kind) => {
    const setting = { kind, cases: 400, margin: 0.05, replications: Math.ceil(replications / 3) }
    const same = measureDecided({ ...setting, gap: 0 })
    const wrong = [1, 4].map((clusterSize) => measureDecided({ ...setting, clusterSize }).named)
    return [kind.name, ...[...wrong, same.named, same.asked].map(percent)]
  }),
)
printTable(
  'Coverage of the 95 % interval of a cost ratio, costs lognormal (%)',
  ['spread', 'n = 10', 'n = 30', 'n = 100', '20 clusters of 5'],
  [0.3, 0.7, 1].map((spread) => [
    String(spread),
    ...[{ cases: 10 }, { cases: 30 }, { cases: 100 }, { cases: 100, clusterSize: 5 }].map((setting) =>
      percent(measureCostRatio({ ...setting, spread, replications })),
    ),
  ]),
)

printTable(
  'One model at two hosts, 500 calls: found when one is 3 points worse, by the best test there can be, called worse or better when it is not, the same (%)',
  ['answers that come out by chance', 'right 80 %', 'right 95 %'],
  [0, 0.01, 0.02, 0.05, 0.1].map((chance) => [
    percent(chance),
    ...[0.8, 0.95].map((rate) => {
      const setting = { calls: 500, rate, chance, drop: 0.03 }
      const found = measureHosts({ ...setting, replications })
      const { worse, better, same } = measureHosts({ calls: 500, rate, chance, drop: 0, replications })
      return [found.worse, bestPower(setting), worse + better, same].map(percent).join(' · ')
    }),
  ]),
)
