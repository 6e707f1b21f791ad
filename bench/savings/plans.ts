import type { Deciding } from '../../src/contract/index.ts'
import { mcnemarMidP } from '../../src/statistics/index.ts'
import { createModelDecisions } from '../../src/statistics/sequential/model-decisions.ts'

/** The scores of all models on the next case. */
export type DrawCase = () => number[]

/** What one way of deciding came to. */
export interface Outcome {
  /** Pairs that were called different, as `[better, worse]` by index. */
  decided: [number, number][]
  calls: number
  /** Cases asked of the model that was asked most. */
  cases: number
}

const nameOf = (index: number) => String(index)

/** Ours: a look after every case, alpha shared over pairs, models that are out no longer asked. */
export function decideAsWeDo(
  draw: DrawCase,
  { models, cases, deciding }: { models: number; cases: number; deciding: Deciding },
): Outcome {
  const decisions = createModelDecisions(
    Array.from({ length: models }, (_, index) => nameOf(index)),
    deciding,
  )
  let calls = 0
  while (decisions.cases < cases && !decisions.isSettled) {
    calls += decisions.asked.size
    decisions.addCases([{ scores: new Map(draw().map((score, index) => [nameOf(index), score])) }])
  }
  const decided = decisions.pairs.flatMap(({ modelA, modelB, winner }): [number, number][] =>
    winner === undefined
      ? []
      : [winner === modelA ? [Number(modelA), Number(modelB)] : [Number(modelB), Number(modelA)]],
  )
  return { decided, calls, cases: decisions.cases }
}

/** Sums of the differences of one pair. */
class Differences {
  n = 0
  sum = 0
  squares = 0
  wins = 0
  losses = 0

  add(difference: number): void {
    this.n++
    this.sum += difference
    this.squares += difference * difference
    if (difference > 0) this.wins++
    if (difference < 0) this.losses++
  }

  /** The test of the textbook: McNemar's for right or wrong, else a z-test of the mean difference. */
  isSignificant(isWhole: boolean, alpha: number): boolean {
    if (isWhole) return mcnemarMidP(this.wins, this.losses) < alpha
    const mean = this.sum / this.n
    const variance = (this.squares - this.n * mean * mean) / (this.n - 1)
    return variance > 0 && Math.abs(mean) / Math.sqrt(variance / this.n) > quantileFor(alpha)
  }
}

/** Two-sided, by bisection of the error function's series. */
function quantileFor(alpha: number): number {
  if (alpha === 0.05) return 1.959964
  let [low, high] = [1.9, 6]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    // Abramowitz & Stegun 26.2.17.
    const t = 1 / (1 + 0.2316419 * middle)
    const tail =
      Math.exp((-middle * middle) / 2) *
      0.3989422804 *
      t *
      (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    if (2 * tail > alpha) low = middle
    else high = middle
  }
  return low
}

/** The first look of someone who peeks. */
const FIRST_LOOK = 10

/** One fixed number of cases and one look; or, if `isPeeking`, a look after every case, until all pairs are decided. */
export function decideByTest(
  draw: DrawCase,
  { models, cases, isWhole, isPeeking }: { models: number; cases: number; isWhole: boolean; isPeeking: boolean },
): Outcome {
  const pairs = Array.from({ length: models }, (_, a) =>
    Array.from({ length: models - a - 1 }, (__, offset) => ({ a, b: a + offset + 1, seen: new Differences() })),
  ).flat()
  const alpha = 0.05 / pairs.length
  const decided: [number, number][] = []
  const open = new Set(pairs)
  let asked = 0
  while (asked < cases && open.size > 0) {
    asked++
    const scores = draw()
    for (const pair of open) {
      pair.seen.add(scores[pair.a]! - scores[pair.b]!)
      const isLook = isPeeking ? asked >= FIRST_LOOK : asked === cases
      if (!isLook || !pair.seen.isSignificant(isWhole, alpha)) continue
      decided.push(pair.seen.sum > 0 ? [pair.a, pair.b] : [pair.b, pair.a])
      open.delete(pair)
    }
  }
  return { decided, calls: asked * models, cases: asked }
}
