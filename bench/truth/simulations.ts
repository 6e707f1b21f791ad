/** What the program claims, checked on data with a known truth. Short versions of these run as tests. */
import {
  caseInterval,
  createRandom,
  pooledTTest,
  rateBradleyTerry,
  tInterval,
  weightedMoments,
} from '../../src/statistics/index.ts'
import { multiRunStats, type Game } from '../../src/statistics/index.ts'
import { comparePaired, isRealDifference, type UnadjustedComparison } from '../../src/statistics/paired-comparison.ts'
import type { RepeatsByCase } from '../../src/statistics/run-scores.ts'
import { drawScore, type Kind } from './kinds.ts'

interface Sample {
  a: number[]
  b: number[]
  weights: number[]
}

function drawSample(kind: Kind, size: number, gap: number, random: () => number): Sample {
  const sample: Sample = { a: [], b: [], weights: [] }
  for (let i = 0; i < size; i++) {
    const [a, b] = kind.draw(random, gap)
    sample.a.push(a)
    sample.b.push(b)
    sample.weights.push(kind.weigh?.(random) ?? 1)
  }
  return sample
}

function toRepeats(scores: number[], weights: number[]): RepeatsByCase {
  return new Map(scores.map((score, i) => [`c${i}`, { testCaseId: `c${i}`, weight: weights[i]!, scores: [score] }]))
}

function comparePairs({ a, b, weights }: Sample, smallestDifference?: number): UnadjustedComparison {
  return comparePaired(toRepeats(a, weights), toRepeats(b, weights), { smallestDifference })!
}

/** Counts how often something is true in `replications` samples. */
function share(replications: number, isTrue: () => boolean): number {
  let count = 0
  for (let i = 0; i < replications; i++) if (isTrue()) count++
  return count / replications
}

export interface Setting {
  kind: Kind
  size: number
  /** The mean of A minus that of B. */
  gap?: number
  replications: number
}

/** How often a difference is called real: false alarms if the gap is 0, else power. */
export function measureVerdicts({ kind, size, gap = 0, replications }: Setting): {
  ours: number
  pairedT: number
  coverage: number
} {
  const random = createRandom(`verdicts ${kind.name} ${size} ${gap}`)
  let real = 0
  let byT = 0
  let held = 0
  for (let i = 0; i < replications; i++) {
    const comparison = comparePairs(drawSample(kind, size, gap, random))
    const { pValue, confidence95 } = comparison
    if (isRealDifference(comparison, comparison.verdictP)) real++
    if (pValue < 0.05) byT++
    if (confidence95[0] <= gap + 1e-12 && gap - 1e-12 <= confidence95[1]) held++
  }
  return { ours: real / replications, pairedT: byT / replications, coverage: held / replications }
}

/** The chance that a cell of a case changes from one run to the next. */
const RUN_NOISE = 0.2

/** False alarms of the seed's test: pooled t over the means of three runs of the same cases. */
export function measureSeedTest({ kind, size, gap = 0, replications }: Setting): number {
  const random = createRandom(`seed ${kind.name} ${size} ${gap}`)
  return share(replications, () => {
    const { a, b } = drawSample(kind, size, gap, random)
    const runs = Array.from({ length: 3 }, () => {
      const again = a.map((score, i) => {
        const [newA, newB] = kind.draw(random, gap)
        return random() < RUN_NOISE ? [newA, newB] : [score, b[i]!]
      })
      return [0, 1].map((side) => again.reduce((sum, pair) => sum + pair[side]!, 0) / size)
    })
    const { pValue } = pooledTTest(
      runs.map(([first]) => first!),
      runs.map(([, second]) => second!),
    )
    return pValue < 0.05
  })
}

/** How often the 95 % interval over cases contains the true mean: ours, Student's t alone, and the seed's ± 1.96 SE. */
export function measureIntervals({ kind, size, replications }: Setting): { ours: number; t: number; seed: number } {
  const random = createRandom(`interval ${kind.name} ${size}`)
  const holds = { ours: 0, t: 0, seed: 0 }
  const contains = (low: number, high: number) => low <= kind.mean + 1e-12 && kind.mean - 1e-12 <= high
  for (let i = 0; i < replications; i++) {
    const scores = Array.from({ length: size }, () => drawScore(kind, random))
    const weights = scores.map(() => kind.weigh?.(random) ?? 1)
    const { mean, stdErr } = weightedMoments(scores, weights)
    const ours = caseInterval(scores, weights)
    const student = tInterval({ mean, stdErr, degreesOfFreedom: size - 1, bounds: [0, 1] })
    if (contains(ours.low, ours.high)) holds.ours++
    if (contains(student.low, student.high)) holds.t++
    if (contains(mean - 1.96 * stdErr, mean + 1.96 * stdErr)) holds.seed++
  }
  return { ours: holds.ours / replications, t: holds.t / replications, seed: holds.seed / replications }
}

/** Coverage of the interval over runs for a model that is right with `rate` on each case and run. */
export function measureRunIntervals(setting: { rate: number; cases: number; runs: number; replications: number }): {
  ours: number
  seed: number
} {
  const { rate, cases, runs, replications } = setting
  const random = createRandom(`runs ${rate} ${cases} ${runs}`)
  let [ours, seed] = [0, 0]
  for (let i = 0; i < replications; i++) {
    const results = Array.from({ length: runs }, (_, run) => ({
      id: `r${run}`,
      models: ['m'],
      results: Array.from({ length: cases }, (_cell, index) => ({
        testCaseId: `c${index}`,
        modelId: 'm',
        score: { score: random() < rate ? 1 : 0 },
      })),
    }))
    const { confidence95, mean, stdDev } = multiRunStats(results).get('m')!
    const margin = (1.96 * stdDev) / Math.sqrt(runs)
    if (confidence95[0] <= rate && rate <= confidence95[1]) ours++
    if (mean - margin <= rate && rate <= mean + margin) seed++
  }
  return { ours: ours / replications, seed: seed / replications }
}

/**
 * The power that a plan reaches: plans from a first sample for the true gap, then tests the planned number of new cases
 * by themselves. Plans of more than `limit` cases are left out, with their share.
 */
export function measurePlans(
  { kind, size, gap = 0.1, replications }: Setting,
  limit = 1000,
): {
  power: number
  cases: number
  leftOut: number
} {
  const random = createRandom(`plan ${kind.name} ${size} ${gap}`)
  let [planned, real, leftOut, cases] = [0, 0, 0, 0]
  for (let i = 0; i < replications; i++) {
    const first = comparePairs(drawSample(kind, size, gap, random), gap)
    // Only what the program shows counts: a plan is shown if the difference is not significant.
    const plan = isRealDifference(first, first.verdictP) ? undefined : first.findPlan()
    if (!plan) continue
    if (plan.moreCases > limit) {
      leftOut++
      continue
    }
    planned++
    cases += plan.moreCases
    const second = comparePairs(drawSample(kind, plan.moreCases, gap, random))
    if (isRealDifference(second, second.verdictP)) real++
  }
  return { power: real / planned, cases: cases / planned, leftOut: leftOut / Math.max(1, planned + leftOut) }
}

/** The latent ability of each model; a case has a difficulty, and the higher result wins its game. */
function drawGames(abilities: number[], cluster: string, isPassFail: boolean, random: () => number): Game[] {
  const noise = () => random() + random() + random() - 1.5
  const difficulty = 2 * noise()
  const results = abilities.map((ability) => {
    const result = ability - difficulty + noise()
    return isPassFail ? Number(result > 0) : Math.round(result * 10)
  })
  return results.flatMap((a, first) =>
    results.slice(first + 1).map((b, offset) => ({
      a: `m${first}`,
      b: `m${first + 1 + offset}`,
      scoreA: a === b ? 0.5 : a > b ? 1 : 0,
      cluster,
    })),
  )
}

export interface RatingSetting {
  models: number
  cases: number
  isPassFail: boolean
  /** The ability of the best model above the worst. */
  spread: number
  replications: number
}

/** Coverage of the ratings' intervals; the truth is the ratings of very many cases. */
export function measureRatings({ models, cases, isPassFail, spread, replications }: RatingSetting): number {
  const random = createRandom(`ratings ${models} ${cases} ${isPassFail} ${spread}`)
  const abilities = Array.from({ length: models }, (_, i) => (spread * i) / Math.max(1, models - 1))
  const totals = new Map<string, Game & { weight: number }>()
  for (let i = 0; i < 30_000; i++)
    for (const { a, b, scoreA } of drawGames(abilities, '', isPassFail, random)) {
      const total = totals.get(`${a} ${b}`) ?? { a, b, scoreA: 0, weight: 0 }
      totals.set(`${a} ${b}`, { a, b, scoreA: total.scoreA + scoreA, weight: total.weight + 1 })
    }
  const truth = new Map(
    rateBradleyTerry([...totals.values()].map((total) => ({ ...total, scoreA: total.scoreA / total.weight }))).map(
      ({ id, rating }) => [id, rating],
    ),
  )
  let [held, all] = [0, 0]
  for (let i = 0; i < replications; i++) {
    const games = Array.from({ length: cases }, (_, index) =>
      drawGames(abilities, `c${index}`, isPassFail, random),
    ).flat()
    for (const { id, low, high } of rateBradleyTerry(games)) {
      all++
      if (low <= truth.get(id)! && truth.get(id)! <= high) held++
    }
  }
  return held / all
}
