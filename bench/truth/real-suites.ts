/**
 * What real suites have and independent cases of equal weight lack: variants of one question, judges that lean, many
 * pairs, a few heavy weights, rare failures, one baseline for many commits. Each rate is of data with a known truth: by
 * our rules, by the rules that take every case for independent and every judge for neutral, and by a plain paired t test.
 */
import {
  adjustHolm,
  caseInterval,
  correctDifference,
  createRandom,
  gateLevels,
  leaderLuck,
  mcnemarMidP,
  testEquivalence,
  tInterval,
  weightedMoments,
  welchTTest,
} from '../../src/statistics/index.ts'
import { measureJudgeSpread } from '../../src/statistics/judging/compare-panel.ts'
import {
  adjustComparisons,
  comparePaired,
  isRealDifference,
  type UnadjustedComparison,
} from '../../src/statistics/paired-comparison.ts'
import type { RepeatsByCase } from '../../src/statistics/run-scores.ts'

type Random = () => number

/** How often something is said, or holds, in a simulation. */
export interface Rates {
  ours: number
  /** Cases independent, judges neutral. */
  plain: number
  pairedT: number
}

const drawNormal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const clip = (score: number, least = 0) => Math.min(1, Math.max(least, score))
const holds = ([low, high]: readonly [number, number], truth: number) => low <= truth + 1e-12 && truth - 1e-12 <= high

interface Cases {
  weights?: readonly number[]
  clusters?: readonly (string | undefined)[]
}

function toRepeats(scores: readonly number[], { weights, clusters }: Cases = {}): RepeatsByCase {
  return new Map(
    scores.map((score, i) => {
      const testCaseId = `c${String(i).padStart(4, '0')}`
      return [testCaseId, { testCaseId, weight: weights?.[i] ?? 1, cluster: clusters?.[i], scores: [score] }]
    }),
  )
}

const comparePair = (a: readonly number[], b: readonly number[], cases?: Cases) =>
  comparePaired(toRepeats(a, cases), toRepeats(b, cases))!

/** The p before clusters: McNemar's mid-p, or sign flips with ties in full. */
const plainP = ({ verdictTest, wins, losses, permutationP }: UnadjustedComparison) =>
  verdictTest === 'mcnemar-mid-p' ? mcnemarMidP(wins, losses) : permutationP

const excludesZero = ([low, high]: readonly [number, number]) => low > 0 || high < 0

const isPlainVerdict = (comparison: UnadjustedComparison, p = plainP(comparison)) =>
  p < 0.05 && excludesZero(comparison.confidence95)

const isOurs = (comparison: UnadjustedComparison) => isRealDifference(comparison, comparison.verdictP)

/** Adds up rates over `replications`. */
function average<Name extends string>(
  replications: number,
  names: readonly Name[],
  draw: () => Record<Name, boolean>,
): Record<Name, number> {
  const counts = new Map(names.map((name) => [name, 0]))
  for (let i = 0; i < replications; i++) {
    const drawn = draw()
    for (const name of names) if (drawn[name]) counts.set(name, counts.get(name)! + 1)
  }
  return Object.fromEntries(names.map((name) => [name, counts.get(name)! / replications])) as Record<Name, number>
}

const METHODS = ['ours', 'plain', 'pairedT'] as const

export interface ClusterSetting {
  /** The number of cases of each cluster. */
  sizes: readonly number[]
  isPassFail: boolean
  models?: number
  replications: number
}

/** Whether a model knows the answer is drawn for each question; its variants mostly share it. */
function drawClustered({ sizes, isPassFail }: ClusterSetting, random: Random): number[] {
  return sizes.flatMap((size) => {
    const known = random() < 0.5 ? 1 : 0
    const level = drawNormal(random)
    return Array.from({ length: size }, () => {
      if (isPassFail) return random() < 0.75 ? known : random() < 0.5 ? 1 : 0
      return clip(0.5 + 0.2 * level + 0.1 * drawNormal(random))
    })
  })
}

const nameClusters = (sizes: readonly number[]) =>
  sizes.flatMap((size, g) => Array.from({ length: size }, () => `g${g}`))

/** How often equal models are told apart (any pair of them), if cases are variants of fewer questions. */
export function measureClusters(setting: ClusterSetting): Rates {
  const { sizes, models = 2, replications } = setting
  const random = createRandom(`clusters ${JSON.stringify(setting)}`)
  const clusters = nameClusters(sizes)
  return average(replications, METHODS, () => {
    const drawn = Array.from({ length: models }, () => drawClustered(setting, random))
    const pairs = drawn.flatMap((a, i) => drawn.slice(i + 1).map((b): [number[], number[]] => [a, b]))
    const clustered = adjustComparisons(pairs.map(([a, b]) => comparePair(a, b, { clusters })))
    const plain = pairs.map(([a, b]) => comparePair(a, b))
    const plainPs = adjustHolm(plain.map((one) => plainP(one)))
    const tPs = adjustHolm(plain.map(({ pValue }) => pValue))
    return {
      ours: clustered.some((one) => one!.isSignificant),
      plain: plain.some((one, i) => isPlainVerdict(one, plainPs[i])),
      pairedT: tPs.some((p) => p < 0.05),
    }
  })
}

/** How often the intervals of a mean and of a difference hold, if cases are variants of fewer questions. */
export function measureClusterCoverage(
  setting: ClusterSetting,
): Record<'mean' | 'plainMean' | 'difference' | 'plainDifference', number> {
  const random = createRandom(`coverage ${JSON.stringify(setting)}`)
  const clusters = nameClusters(setting.sizes)
  return average(setting.replications, ['mean', 'plainMean', 'difference', 'plainDifference'], () => {
    const [a, b] = [drawClustered(setting, random), drawClustered(setting, random)]
    const [own, alone] = [caseInterval(a, undefined, clusters), caseInterval(a)]
    return {
      mean: holds([own.low, own.high], 0.5),
      plainMean: holds([alone.low, alone.high], 0.5),
      difference: holds(comparePair(a, b, { clusters }).confidence95, 0),
      plainDifference: holds(comparePair(a, b).confidence95, 0),
    }
  })
}

/** How often equal models are told apart by judges who each lean by a normal number of points with this deviation. */
export function measureLeaning(setting: { judges: number; lean: number; cases: number; replications: number }): Rates {
  const { judges, lean, cases, replications } = setting
  const random = createRandom(`leaning ${JSON.stringify(setting)}`)
  return average(replications, METHODS, () => {
    const leans = Array.from({ length: judges }, () => lean * drawNormal(random))
    const grades = Array.from({ length: cases }, () => {
      const quality = 0.6 + 0.15 * drawNormal(random)
      const [a, b] = [quality + 0.08 * drawNormal(random), quality + 0.08 * drawNormal(random)]
      return leans.map((leaning) => ({
        a: clip(a + leaning / 2 + 0.05 * drawNormal(random)),
        b: clip(b - leaning / 2 + 0.05 * drawNormal(random)),
      }))
    })
    const meanOf = (side: 'a' | 'b') =>
      grades.map((byJudge) => byJudge.reduce((sum, grade) => sum + grade[side], 0) / judges)
    const names = leans.map((_, j) => `j${j}`)
    const spread =
      judges < 3 ? undefined : measureJudgeSpread(grades.map((byJudge) => byJudge.map(({ a, b }) => a - b)))
    const [a, b] = [toRepeats(meanOf('a')), toRepeats(meanOf('b'))]
    const judged = comparePaired(a, b, { judging: { judges: names, ...(spread && { spread }) } })!
    const plain = comparePaired(a, b)!
    return { ours: isOurs(judged), plain: isPlainVerdict(plain), pairedT: plain.pValue < 0.05 }
  })
}

/**
 * How often the interval of a difference holds that people would give, if the judge leans 6 points towards A and people
 * rated both answers of some cases: corrected, of the ratings alone, and by the judge alone; and the mean widths.
 */
export function measureCorrected(setting: {
  ratings: number
  cases: number
  lean: number
  /** The standard deviation of the judge's error on one difference. */
  noise: number
  replications: number
}): Record<'corrected' | 'alone' | 'judge' | 'correctedWidth' | 'aloneWidth', number> {
  const { ratings, cases, lean, noise, replications } = setting
  const random = createRandom(`corrected ${JSON.stringify(setting)}`)
  const gap = 0.03
  let [correctedWidth, aloneWidth] = [0, 0]
  const held = average(replications, ['corrected', 'alone', 'judge'], () => {
    const drawn = Array.from({ length: cases }, () => {
      const human = gap + 0.15 * drawNormal(random)
      return { human: clip(human, -1), judge: clip(human + lean + noise * drawNormal(random), -1) }
    })
    const [rated, unrated] = [drawn.slice(0, ratings), drawn.slice(ratings).map(({ judge }) => judge)]
    const corrected = correctDifference({ rated, unrated })
    const alone = correctDifference({ rated, unrated: [] })
    const byJudge = correctDifference({ rated: drawn.map(({ judge }) => ({ human: judge, judge })), unrated: [] })
    correctedWidth += (corrected.high - corrected.low) / replications
    aloneWidth += (alone.high - alone.low) / replications
    return {
      corrected: holds([corrected.low, corrected.high], gap),
      alone: holds([alone.low, alone.high], gap),
      judge: holds([byJudge.low, byJudge.high], gap),
    }
  })
  return { ...held, correctedWidth, aloneWidth }
}

/** The graded scores of models on the same cases, with one mean each. */
function drawModels(means: readonly number[], cases: number, random: Random): number[][] {
  const levels = Array.from({ length: cases }, () => 0.15 * drawNormal(random))
  return means.map((mean) => levels.map((level) => clip(mean + level + 0.12 * drawNormal(random))))
}

/**
 * Pairs whose words and interval contradict each other, of all pairs; and how often all intervals of one report hold
 * together. By our rules, and by Holm's words beside intervals of 95 % each.
 */
export function measurePairs(setting: { models: number; cases: number; replications: number }): {
  contradictions: { ours: number; plain: number }
  together: { ours: number; plain: number }
} {
  const { models, cases, replications } = setting
  const random = createRandom(`pairs ${JSON.stringify(setting)}`)
  const means = Array.from({ length: models }, (_, i) => 0.5 + 0.05 * (i / Math.max(1, models - 1)))
  const counts = { ours: 0, plain: 0, pairs: 0 }
  const together = average(replications, ['ours', 'plain'], () => {
    const drawn = drawModels(means, cases, random)
    const pairs = drawn.flatMap((a, i) =>
      drawn.slice(i + 1).map((b, offset) => ({ one: comparePair(a, b), gap: means[i]! - means[i + 1 + offset]! })),
    )
    const ours = adjustComparisons(pairs.map(({ one }) => one))
    const plainPs = adjustHolm(pairs.map(({ one }) => plainP(one)))
    counts.pairs += pairs.length
    counts.ours += ours.filter((one) => {
      const [low, high] = one!.shownInterval
      return one!.isSignificant ? low < 0 && high > 0 : low > 0 || high < 0
    }).length
    counts.plain += pairs.filter(({ one }, i) => plainPs[i]! < 0.05 !== excludesZero(one.confidence95)).length
    return {
      ours: ours.every((one, i) => holds(one!.shownInterval, pairs[i]!.gap)),
      plain: pairs.every(({ one, gap }) => holds(one.confidence95, gap)),
    }
  })
  return { contradictions: { ours: counts.ours / counts.pairs, plain: counts.plain / counts.pairs }, together }
}

/** How often the intervals of a mean and of a difference hold if a tenth of the cases has this weight, the others 1. */
export function measureWeights(setting: { heavy: number; cases: number; replications: number }): {
  mean: Omit<Rates, 'plain'>
  difference: Omit<Rates, 'plain'>
} {
  const { heavy, cases, replications } = setting
  const random = createRandom(`weights ${JSON.stringify(setting)}`)
  const rates = average(replications, ['mean', 'meanT', 'difference', 'differenceT'], () => {
    const weights = Array.from({ length: cases }, (_, i) => (i % 10 === 0 ? heavy : 1))
    const [a, b] = [weights.map(() => random()), weights.map(() => random())]
    const student = (values: number[]): [number, number] => {
      const { mean, stdErr } = weightedMoments(values, weights)
      const { low, high } = tInterval({ mean, stdErr, degreesOfFreedom: cases - 1 })
      return [low, high]
    }
    const ours = caseInterval(a, weights)
    return {
      mean: holds([ours.low, ours.high], 0.5),
      meanT: holds(student(a), 0.5),
      difference: holds(comparePair(a, b, { weights }).confidence95, 0),
      differenceT: holds(student(a.map((score, i) => score - b[i]!)), 0),
    }
  })
  return {
    mean: { ours: rates.mean, pairedT: rates.meanT },
    difference: { ours: rates.difference, pairedT: rates.differenceT },
  }
}

/** A is a little better but fails outright on 3 % of cases, so that both have the same mean. */
export function measureRareFailures(setting: { cases: number; replications: number }): Rates & {
  /** Of our verdicts, those that say what would turn them around. */
  said: number
} {
  const { cases, replications } = setting
  const random = createRandom(`rare failures ${JSON.stringify(setting)}`)
  let [verdicts, said] = [0, 0]
  const rates = average(replications, METHODS, () => {
    const b = Array.from({ length: cases }, () => clip(0.88 + 0.03 * drawNormal(random)))
    const a = b.map((score) => (random() < 0.03 ? 0 : clip(score / 0.97 + 0.02 * drawNormal(random))))
    const comparison = comparePair(a, b)
    const ours = isOurs(comparison)
    if (ours) verdicts++
    if (ours && comparison.rareFailures) said++
    return { ours, plain: isPlainVerdict(comparison), pairedT: comparison.pValue < 0.05 }
  })
  return { ...rates, said: verdicts === 0 ? 1 : said / verdicts }
}

/** Each case has a chance to pass; a run draws it anew. */
const drawRun = (chances: readonly number[], random: Random) => chances.map((chance) => (random() < chance ? 1 : 0))
const meanOfRuns = (runs: readonly number[][]) =>
  runs[0]!.map((_, i) => runs.reduce((sum, run) => sum + run[i]!, 0) / runs.length)

/** Any failure of a gate in `commits` unchanged commits, and how often the first commit fails if it loses `loss`. */
export function measureGates(setting: { cases: number; commits: number; loss: number; replications: number }): {
  /** Both run again; the baseline cannot be run again; p < .05 each time. */
  alarms: { ours: number; alone: number; plain: number }
  power: { ours: number; alone: number; plain: number }
} {
  const { cases, commits, loss, replications } = setting
  const random = createRandom(`gates ${JSON.stringify(setting)}`)
  const isWorse = (now: readonly number[], before: readonly number[], level: number) => {
    const comparison = comparePair(now, before)
    return comparison.meanDiff < 0 && comparison.verdictP < level
  }
  const check = (chances: readonly number[], baseline: readonly number[], changed: readonly number[]) => {
    const now = drawRun(changed, random)
    const isAlarm = isWorse(now, baseline, gateLevels.alarm)
    const again = (of: readonly number[]) => meanOfRuns([drawRun(of, random), drawRun(of, random)])
    return {
      ours: isAlarm && isWorse(again(changed), again(chances), gateLevels.fresh),
      alone: isAlarm && isWorse(now, baseline, gateLevels.alone),
      plain: isAlarm,
    }
  }
  const names = ['ours', 'alone', 'plain'] as const
  const drawChances = () => Array.from({ length: cases }, () => (random() < 0.6 ? 0.95 : random()))
  return {
    alarms: average(replications, names, () => {
      const chances = drawChances()
      const baseline = drawRun(chances, random)
      const failed = Array.from({ length: commits }, () => check(chances, baseline, chances))
      return {
        ours: failed.some((one) => one.ours),
        alone: failed.some((one) => one.alone),
        plain: failed.some((one) => one.plain),
      }
    }),
    power: average(replications, names, () => {
      const chances = drawChances()
      return check(
        chances,
        drawRun(chances, random),
        chances.map((chance) => Math.max(0, chance - loss)),
      )
    }),
  }
}

/** How often models that differ by just the margin are called the same or not worse, on skewed scores; a plain t has 90 %. */
export function measureEquivalence(setting: {
  cases: number
  margin: number
  clusterSize?: number
  replications: number
}): Record<'same' | 'notWorse' | 'plainSame' | 'plainNotWorse', number> {
  const { cases, margin, clusterSize = 1, replications } = setting
  const random = createRandom(`equivalence ${JSON.stringify(setting)}`)
  return average(replications, ['same', 'notWorse', 'plainSame', 'plainNotWorse'], () => {
    // A fails outright on some clusters more than B: its mean is lower by the margin.
    const fails = Array.from({ length: Math.ceil(cases / clusterSize) }, () => random() < margin / 0.9)
    const differences = Array.from(
      { length: cases },
      (_, i) => 0.02 * drawNormal(random) - (fails[Math.floor(i / clusterSize)] ? 0.9 : 0),
    )
    const clusters = clusterSize > 1 ? differences.map((_, i) => `g${Math.floor(i / clusterSize)}`) : undefined
    const { verdict } = testEquivalence(differences, { margin, clusters })
    const { mean, stdErr } = weightedMoments(differences)
    const [low, high] = stdErr === 0 ? [mean, mean] : oneSided({ mean, stdErr, cases })
    return {
      same: verdict === 'practically the same',
      notWorse: verdict === 'practically the same' || verdict.startsWith('not worse') || verdict.startsWith('better'),
      plainSame: low > -margin && high < margin,
      plainNotWorse: low > -margin,
    }
  })
}

/** The 90 % interval that two one-sided tests of 5 % use. */
function oneSided({ mean, stdErr, cases }: { mean: number; stdErr: number; cases: number }): [number, number] {
  const { low, high } = tInterval({ mean, stdErr, degreesOfFreedom: cases - 1, level: 0.9 })
  return [low, high]
}

/** How often the interval of the first of several models holds: its score on new cases. */
export function measureFirst(setting: {
  models: number
  cases: number
  spread: number
  replications: number
}): Omit<Rates, 'pairedT'> {
  const { models, cases, spread, replications } = setting
  const random = createRandom(`first ${JSON.stringify(setting)}`)
  return average(replications, ['ours', 'plain'], () => {
    const rates = Array.from({ length: models }, () => clip(0.7 + spread * drawNormal(random)))
    const scores = rates.map((rate) => Array.from({ length: cases }, () => (random() < rate ? 1 : 0)))
    const { leader, luck } = leaderLuck(scores)
    const { low, high } = caseInterval(scores[leader]!)
    return { ours: holds([low - luck, high], rates[leader]!), plain: holds([low, high], rates[leader]!) }
  })
}

/**
 * A is `gap` worse than B on every case, and its answers to the hardest share of the cases are missing: how often A has
 * the higher score, and how often it is said to be better. By our rules on the cases that both have, and by the mean of
 * what each has with Welch's t.
 */
export function measureMissing(setting: { cases: number; share: number; gap: number; replications: number }): {
  leads: Omit<Rates, 'pairedT'>
  beats: Omit<Rates, 'pairedT'>
} {
  const { cases, share, gap, replications } = setting
  const random = createRandom(`missing ${JSON.stringify(setting)}`)
  const rates = average(replications, ['leads', 'leadsPlain', 'beats', 'beatsPlain'], () => {
    const levels = Array.from({ length: cases }, () => 0.7 + 0.15 * drawNormal(random)).toSorted((a, b) => a - b)
    const b = levels.map((level) => clip(level + 0.08 * drawNormal(random)))
    const a = levels.map((level) => clip(level - gap + 0.08 * drawNormal(random)))
    const kept = a.slice(Math.round(share * cases))
    const onShared = b.slice(-kept.length)
    const ours = comparePair(kept, onShared)
    const plain = welchTTest(kept, b)
    return {
      leads: ours.meanDiff > 0,
      leadsPlain: plain.tStatistic > 0,
      beats: isOurs(ours) && ours.meanDiff > 0,
      beatsPlain: plain.pValue < 0.05 && plain.tStatistic > 0,
    }
  })
  return {
    leads: { ours: rates.leads, plain: rates.leadsPlain },
    beats: { ours: rates.beats, plain: rates.beatsPlain },
  }
}
