import type { Deciding } from '../../contract/index.ts'
import { type Bets, createRunningTest } from './bets.ts'

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
  /** Differences A − B of the cases that both have a score for, in order; weighted, from −1 to 1. */
  differences: number[]
  /** The logarithm of the evidence after each of them. */
  logEvidence: number[]
  /** The number of cases asked when each difference was added. */
  counted: number[]
  winner?: string
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
  /** Nothing is in question any more. */
  readonly isSettled: boolean
  /** The evidence that decides the next pair. */
  readonly line: number
  /** Adds the scores of the next case by model, times the weight of the case from 0 to 1. */
  addCase(scores: ReadonlyMap<string, number>, weight?: number): void
}

interface OpenPair {
  pair: DecidedPair
  test: Bets
  sum: number
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
  { question, from, isOnce }: Deciding,
  alpha = DECISION_ALPHA,
): ModelDecisions {
  const open: OpenPair[] = models.flatMap((modelA, index) =>
    models.slice(index + 1).map((modelB) => ({
      pair: { modelA, modelB, differences: [], logEvidence: [], counted: [] },
      test: createRunningTest(),
      sum: 0,
      peak: { logEvidence: 0, winner: modelA },
    })),
  )
  const asked = new Set(models)
  const dropped: DroppedModel[] = []
  const scored = new Set<string>()
  const failed = new Set<string>()
  let undecided = open.length
  let cases = 0
  const limitOf = createPairLimit(models.length)
  const lineOf = (left: number) => Math.max(1, limitOf(left)) / alpha

  function bet(one: OpenPair, difference: number): void {
    const { pair, test, peak } = one
    test.add(difference)
    one.sum += difference
    const logEvidence = test.logEvidence()
    pair.differences.push(difference)
    pair.logEvidence.push(logEvidence)
    pair.counted.push(cases)
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

  /** True if no answer of the model could change anything about the question. */
  function isOut(modelId: string): boolean {
    const own = open.filter(
      ({ pair: { modelA, modelB } }) =>
        (modelA === modelId || modelB === modelId) && !failed.has(modelA) && !failed.has(modelB),
    )
    return question === 'best'
      ? own.some(({ pair: { winner } }) => winner !== undefined && winner !== modelId)
      : own.every(({ pair: { winner } }) => winner !== undefined)
  }

  function drop(modelIds: readonly string[], reason: Pick<DroppedModel, 'hasNoScore'> = {}): void {
    for (const modelId of modelIds) {
      asked.delete(modelId)
      dropped.push({ modelId, at: cases, ...reason })
    }
  }

  /** Returns true if it dropped any. */
  function dropFailed(): boolean {
    if (cases !== MAX_CASES_WITHOUT_SCORE) return false
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
    get isSettled() {
      return models.length > 1 && asked.size < 2
    },
    get line() {
      return lineOf(undecided)
    },
    addCase(scores, weight = 1) {
      cases++
      for (const modelId of scores.keys()) scored.add(modelId)
      for (const one of open) {
        const { modelA, modelB } = one.pair
        const [a, b] = [scores.get(modelA), scores.get(modelB)]
        if (a !== undefined && b !== undefined && asked.has(modelA) && asked.has(modelB)) bet(one, (a - b) * weight)
      }
      const hasDecided = decidePairs()
      const hasFailed = dropFailed()
      if (cases < from || (cases > from && (isOnce || !(hasDecided || hasFailed)))) return
      drop([...asked].filter(isOut))
    },
  }
}
