import type { Deciding } from '../../contract/index.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { clipDifference } from '../tests/difference-interval.ts'
import { FEWEST_UNITS } from '../tests/verdict-p.ts'
import { type Bets, createBets, createRunningTest } from './bets.ts'

/**
 * How many pairs of `models` models can be equal at once, in all ways to share them out into groups of equal ones: 3
 * models have 3 equal pairs, 1 or none, never 2.
 */
function countEqualPairs(models: number): ReadonlySet<number> {
  const possible: Set<number>[] = [new Set([0])]
  for (let count = 1; count <= models; count++) {
    const sums = new Set<number>()
    for (let group = 1; group <= count; group++)
      for (const others of possible[count - group]!) sums.add((group * (group - 1)) / 2 + others)
    possible.push(sums)
  }
  return possible[models]!
}

/**
 * The most pairs that can still be equal when all but `undecided` pairs are known to differ: the number by which alpha
 * is shared for the next decision (Shaffer, JASA 81, 1986). Holm's procedure would take `undecided` itself.
 */
export function createPairLimit(models: number): (undecided: number) => number {
  const possible = [...countEqualPairs(models)].toSorted((a, b) => b - a)
  return (undecided) => possible.find((pairs) => pairs <= undecided) ?? 0
}

/** The chance that anything is ever decided wrongly, over all pairs and all looks. */
export const DECISION_ALPHA = 0.05

/** Two models, as far as they have been compared. */
export interface DecidedPair {
  modelA: string
  modelB: string
  /** Differences A − B in order, each of a case or of a cluster of cases; weighted, from −1 to 1. */
  differences: number[]
  /** Of each of them, as a share of the largest weight in the suite. */
  weights: number[]
  /** The logarithm of the evidence after each of them. */
  logEvidence: number[]
  /** The number of cases asked when each of them was added. */
  after: number[]
  /** The numbers of the cases that both have a score for. */
  counted: number[]
  /** Cases on which A, and on which B, is better. */
  wins: number
  losses: number
  winner?: string
  /** They are practically the same: the difference is known to be within the margin. */
  isSame?: true
  /** The number of cases that had been asked when it was decided. */
  at?: number
  /** The evidence that it had to reach to be decided. */
  line?: number
}

/** A model without a score after so many cases will hardly get one: nothing waits for it. */
const MAX_CASES_WITHOUT_SCORE = 20

/** A model that is no longer asked. */
export interface DroppedModel {
  modelId: string
  /** The number of cases that had been asked. */
  at: number
  /** It failed on all of them, so nothing can be decided about it. */
  hasNoScore?: true
}

/** What is known after the cases counted so far. */
export interface ModelDecisions {
  readonly pairs: readonly DecidedPair[]
  readonly dropped: readonly DroppedModel[]
  /** Cases counted. */
  readonly cases: number
  /** Models that the next case is asked of. */
  readonly asked: ReadonlySet<string>
  /** Of the question which models are good enough: those that are, once that is settled. */
  readonly goodEnough: readonly string[] | undefined
  /** Nothing is in question any more. */
  readonly isSettled: boolean
  /** The evidence that decides the next pair. */
  readonly line: number
  /** Adds the next case, or the cases of the next cluster, whose weights together are at most 1. */
  addCases(cases: readonly ScoredCase[]): void
}

/** One case. */
interface ScoredCase {
  /** By model; a model without a score is missing. */
  scores: ReadonlyMap<string, number>
  /** A share of the largest weight that a case or cluster of cases has. */
  weight?: number
}

interface OpenPair {
  pair: DecidedPair
  test: Bets
  /** Bets against a difference of the margin, in either direction. */
  margins: readonly Bets[]
  sum: number
  weight: number
  /** The most evidence there was, and which model it spoke for. */
  peak: { logEvidence: number; winner: string }
}

/**
 * Decides pairs of models after every case. A pair has p = 1/(its most evidence so far), which is below any u with a
 * chance of at most u at all looks together, so that a step-down procedure over all pairs is right at every look at
 * once. Shaffer's is Holm's for pairs: if at most k pairs can still be equal, the next is decided at evidence k/alpha.
 * Nothing is ever undecided again.
 */
export function createModelDecisions(
  models: readonly string[],
  { question, from, isOnce, sameWithin }: Deciding,
  alpha = DECISION_ALPHA,
): ModelDecisions {
  const open: OpenPair[] = models.flatMap((modelA, index) =>
    models.slice(index + 1).map((modelB) => ({
      pair: {
        modelA,
        modelB,
        differences: [],
        weights: [],
        logEvidence: [],
        after: [],
        counted: [],
        wins: 0,
        losses: 0,
      },
      test: createRunningTest(),
      margins: sameWithin === undefined ? [] : [createBets(sameWithin), createBets(-sameWithin)],
      sum: 0,
      weight: 0,
      peak: { logEvidence: 0, winner: modelA },
    })),
  )
  const asked = new Set(models)
  const dropped: DroppedModel[] = []
  const scored = new Set<string>()
  const failed = new Set<string>()
  let goodEnough: readonly string[] | undefined
  let undecided = open.length
  let cases = 0
  const limitOf = createPairLimit(models.length)
  const lineOf = (left: number) => Math.max(1, limitOf(left)) / alpha

  /** The bet on one case, or on the cases of one cluster together. */
  function bet(one: OpenPair, added: readonly ScoredCase[]): void {
    const { pair, test, peak, margins } = one
    let [sum, total, scoredCases] = [0, 0, 0]
    for (const [place, { scores, weight = 1 }] of added.entries()) {
      const [a, b] = [scores.get(pair.modelA), scores.get(pair.modelB)]
      if (a === undefined || b === undefined) continue
      sum += (a - b) * weight
      total += weight
      scoredCases++
      if (a - b > sameScoreTolerance) pair.wins++
      if (b - a > sameScoreTolerance) pair.losses++
      pair.counted.push(cases - added.length + place + 1)
    }
    if (scoredCases === 0) return
    const difference = clipDifference(sum)
    test.add(difference)
    for (const margin of margins) margin.add(difference, total)
    one.sum += difference
    one.weight += total
    const logEvidence = test.logEvidence()
    pair.differences.push(difference)
    pair.weights.push(total)
    pair.logEvidence.push(logEvidence)
    pair.after.push(cases)
    if (logEvidence <= peak.logEvidence) return
    peak.logEvidence = logEvidence
    peak.winner = one.sum > 0 ? pair.modelA : pair.modelB
  }

  /** Returns true if it decided any. */
  function decidePairs(): boolean {
    for (let hasDecided = false; ; hasDecided = true) {
      // Rounding must not keep evidence of exactly k/alpha from deciding.
      const line = lineOf(undecided)
      const logLine = Math.log(line) - 1e-12
      const next = open.find(({ pair, peak }) => pair.winner === undefined && peak.logEvidence >= logLine)
      if (!next) return hasDecided
      next.pair.winner = next.peak.winner
      next.pair.at = cases
      next.pair.line = line
      undecided--
    }
  }

  /**
   * Returns true if it found any pair to be the same: the confidence sequence that holds for all pairs together lies
   * within the margin. Evidence against both ends says so only if the mean is between them.
   */
  function findSame(): boolean {
    if (sameWithin === undefined) return false
    const logLine = Math.log(open.length / alpha) - 1e-12
    const same = open.filter(
      ({ pair, margins, sum, weight }) =>
        pair.isSame === undefined &&
        pair.differences.length >= FEWEST_UNITS &&
        Math.abs(sum) < sameWithin * weight &&
        margins.every((margin) => margin.logEvidence() >= logLine),
    )
    for (const { pair } of same) {
      pair.isSame = true
      pair.at ??= cases
    }
    return same.length > 0
  }

  /** True if no answer of the model could change anything about the question. */
  function isOut(modelId: string): boolean {
    const own = open.filter(
      ({ pair: { modelA, modelB } }) =>
        (modelA === modelId || modelB === modelId) && !failed.has(modelA) && !failed.has(modelB),
    )
    const isKnown = ({ pair: { winner, isSame } }: OpenPair) => winner !== undefined || isSame === true
    if (question === 'all') return own.every(isKnown)
    const isBeaten = (id: string) =>
      open.some(
        ({ pair: { winner, modelA, modelB } }) =>
          winner !== undefined && winner !== id && (modelA === id || modelB === id),
      )
    if (isBeaten(modelId)) return true
    const rivals = own.filter(({ pair: { modelA, modelB } }) => !isBeaten(modelA === modelId ? modelB : modelA))
    return rivals.length > 0 && rivals.every(isKnown)
  }

  /**
   * Whether A is known not to be worse than B by the margin, or known to be, by the confidence sequence that holds for all
   * pairs together: it lies on one side of −margin.
   */
  function compareByMargin(modelA: string, modelB: string): 'not worse' | 'worse' | undefined {
    const one = open.find(({ pair }) => pair.modelA === modelA && pair.modelB === modelB)
    const turned = open.find(({ pair }) => pair.modelA === modelB && pair.modelB === modelA)
    const found = one ?? turned
    if (!found || sameWithin === undefined || found.pair.differences.length < FEWEST_UNITS) return undefined
    const bets = found.margins[one ? 1 : 0]!
    if (bets.logEvidence() < Math.log(open.length / alpha) - 1e-12) return undefined
    const lead = (one ? found.sum : -found.sum) / found.weight
    return lead > -sameWithin ? 'not worse' : 'worse'
  }

  /** Drops models that are not good enough; all of them, once the others are. */
  function dropByMargin(): void {
    const worse = [...asked].filter((modelId) =>
      [...asked].some((other) => other !== modelId && compareByMargin(modelId, other) === 'worse'),
    )
    drop(worse)
    const isSettled = [...asked].every((modelId) =>
      [...asked].every((other) => other === modelId || compareByMargin(modelId, other) === 'not worse'),
    )
    if (!isSettled) return
    goodEnough = [...asked]
    drop(goodEnough)
  }

  function drop(modelIds: readonly string[], reason: Pick<DroppedModel, 'hasNoScore'> = {}): void {
    for (const modelId of modelIds) {
      asked.delete(modelId)
      dropped.push({ modelId, at: cases, ...reason })
    }
  }

  /** Returns true if it dropped any. */
  function dropFailed(before: number): boolean {
    if (before >= MAX_CASES_WITHOUT_SCORE || cases < MAX_CASES_WITHOUT_SCORE) return false
    const without = [...asked].filter((modelId) => !scored.has(modelId))
    for (const modelId of without) failed.add(modelId)
    drop(without, { hasNoScore: true })
    return without.length > 0
  }

  return {
    get pairs() {
      return open.map(({ pair }) => pair)
    },
    dropped,
    get cases() {
      return cases
    },
    asked,
    get goodEnough() {
      return goodEnough
    },
    get isSettled() {
      return models.length > 1 && asked.size < 2
    },
    get line() {
      return lineOf(undecided)
    },
    addCases(added) {
      const before = cases
      cases += added.length
      for (const { scores } of added) for (const modelId of scores.keys()) scored.add(modelId)
      for (const one of open) if (asked.has(one.pair.modelA) && asked.has(one.pair.modelB)) bet(one, added)
      const news = [decidePairs(), findSame(), dropFailed(before)]
      const isFirstLook = before < from
      if (question === 'good-enough') {
        if (cases >= from && (isFirstLook || !isOnce)) dropByMargin()
        return
      }
      if (cases < from || (!isFirstLook && (isOnce || !news.includes(true)))) return
      drop([...asked].filter(isOut))
    },
  }
}
