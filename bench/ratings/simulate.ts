import type { CellKey, CellResult, RatingScale, RunResult } from '../../src/contract/index.ts'
import { drawItems, type Population } from '../../src/services/rating/draw-items.ts'
import { createRandom, estimatePeopleRatings } from '../../src/statistics/index.ts'

/** One setting: what people think, how the judge errs, and how much is rated. */
export interface Setting {
  scale: RatingScale
  judge: keyof typeof judges
  cases: number
  runs: number
  rated: number
  /** Cases weigh 1 to 4, the hard ones more. */
  isWeighted: boolean
  /** How good the answers are. */
  quality: keyof typeof qualities
}

export interface Coverage {
  /** How often the interval holds the true value: the one after correction, and the judge's own. */
  corrected: number
  judgeOnly: number
  /** Mean widths, in points. */
  correctedWidth: number
  judgeWidth: number
  aloneWidth: number
  /** How often the judge's scores were used. */
  used: number
}

const clip = (value: number) => Math.min(1, Math.max(0, value))

/** What people would give: the mean of a case is drawn first, so that its repeats are correlated. */
const qualities = {
  fair: (random: () => number) => 0.2 + 0.7 * random(),
  good: (random: () => number) => (random() < 0.8 ? 0.9 + 0.1 * random() : random()),
  poor: (random: () => number) => random() ** 2 * 0.6,
}

const judges = {
  good: (human: number, random: () => number) => clip(human + (random() - 0.5) * 0.2),
  lenient: (human: number, random: () => number) => clip(human + 0.2 + (random() - 0.5) * 0.2),
  strict: (human: number, random: () => number) => clip(human - 0.2 + (random() - 0.5) * 0.2),
  noisy: (human: number, random: () => number) => clip(human + (random() - 0.5) * 1.4),
  lying: (human: number, random: () => number) => clip(1 - human + (random() - 0.5) * 0.2),
  careless: () => 0.8,
  guessing: (_human: number, random: () => number) => random(),
}

const PASS_MARK = 0.5
const MODEL = 'model'

interface Case {
  mean: number
  weight: number
}

function drawCase({ quality, isWeighted }: Setting, random: () => number): Case {
  const mean = qualities[quality](random)
  return { mean, weight: isWeighted ? 1 + Math.round(3 * (1 - mean)) : 1 }
}

/** People's opinion of one answer to a case. */
function drawOpinion({ mean }: Case, scale: RatingScale, random: () => number): number {
  if (scale === 'pass-fail') return random() < mean ? 1 : 0
  return clip(mean + (random() - 0.5) * 0.3)
}

/** The mean over all cases that could have been asked, by brute force. */
function findTruth(setting: Setting): number {
  const random = createRandom(`truth ${setting.quality} ${setting.scale} ${setting.isWeighted}`)
  let [sum, weights] = [0, 0]
  for (let index = 0; index < 100_000; index++) {
    const testCase = drawCase(setting, random)
    sum += testCase.weight * drawOpinion(testCase, setting.scale, random)
    weights += testCase.weight
  }
  return sum / weights
}

/** One run or series with its drawn ratings, as it is stored. */
function simulateRuns(setting: Setting, seed: string): RunResult[] {
  const random = createRandom(seed)
  const { cases: count, runs: runCount, scale, judge, rated } = setting
  const cases = Array.from({ length: count }, (_, index) => ({ id: `case ${index}`, ...drawCase(setting, random) }))
  const opinions = new Map<string, number>()
  const runs = Array.from({ length: runCount }, (_, run): RunResult => {
    const id = `run ${run}`
    const results = cases.map((testCase): CellResult => {
      const human = drawOpinion(testCase, scale, random)
      opinions.set(`${id} ${testCase.id}`, human)
      const score = judges[judge](human, random)
      return { testCaseId: testCase.id, modelId: MODEL, score: { score, passed: score >= PASS_MARK } }
    })
    const testCases = cases.map(({ id: caseId, weight }) => ({ id: caseId, weight, prompt: '', scoringMethod: 'x' }))
    return { id, models: [MODEL], results, testSuiteSnapshot: { name: 'simulated', testCases } }
  })
  const cellsOf = (testCaseId: string) => runs.map(({ id }): CellKey => ({ runId: id, testCaseId, modelId: MODEL }))
  const population: Population = new Map([[MODEL, new Map(cases.map(({ id }) => [id, cellsOf(id)]))]])
  const drawn = drawItems(population, { perModel: rated, seed })
  const queue = { id: 'queue', runIds: runs.map(({ id }) => id), scale, seed, drawnAt: 0, ...drawn }
  const isDrawn = new Set(drawn.items.map(({ runId, testCaseId }) => `${runId} ${testCaseId}`))
  return runs.map((run) => ({
    ...run,
    ratingQueues: [queue],
    results: run.results.map((result) => {
      const key = `${run.id} ${result.testCaseId}`
      if (!isDrawn.has(key)) return result
      return { ...result, ratings: [{ rater: 'ann', rating: opinions.get(key)!, queueId: 'queue' }] }
    }),
  }))
}

/** How often the intervals hold the true value, through the whole pipeline: draw, ratings, report. */
export function measureCoverage(setting: Setting, trials: number): Coverage {
  const truth = findTruth(setting)
  const isIn = ({ low, high }: { low: number; high: number }) => low <= truth && truth <= high
  const sums = { corrected: 0, judgeOnly: 0, correctedWidth: 0, judgeWidth: 0, aloneWidth: 0, used: 0 }
  for (let trial = 0; trial < trials; trial++) {
    const runs = simulateRuns(setting, `${JSON.stringify(setting)} ${trial}`)
    const { estimate, judge, people } = estimatePeopleRatings(runs)!.models[0]!
    sums.corrected += Number(isIn(estimate!))
    sums.judgeOnly += Number(isIn(judge!))
    sums.correctedWidth += (estimate!.high - estimate!.low) * 100
    sums.judgeWidth += (judge!.high - judge!.low) * 100
    sums.aloneWidth += (people!.high - people!.low) * 100
    sums.used += Number(estimate!.method !== 'ratings-alone')
  }
  return {
    corrected: sums.corrected / trials,
    judgeOnly: sums.judgeOnly / trials,
    correctedWidth: sums.correctedWidth / trials,
    judgeWidth: sums.judgeWidth / trials,
    aloneWidth: sums.aloneWidth / trials,
    used: sums.used / trials,
  }
}

/** Every judge, on graded and on pass-or-fail ratings, in one run and in a series, with and without weights. */
export function listSettings({ cases = 200, rated = 50 } = {}): Setting[] {
  const names: Setting['judge'][] = ['good', 'lenient', 'strict', 'noisy', 'lying', 'careless', 'guessing']
  const shapes = [
    { runs: 1, isWeighted: false },
    { runs: 3, isWeighted: false },
    { runs: 1, isWeighted: true },
  ]
  const levels: Setting['quality'][] = ['fair', 'good', 'poor']
  const scales: RatingScale[] = ['points', 'pass-fail']
  return scales.flatMap((scale) =>
    levels.flatMap((quality) =>
      shapes.flatMap((shape) => names.map((judge) => ({ scale, quality, judge, cases, rated, ...shape }))),
    ),
  )
}
