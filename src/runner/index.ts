import { addScorers, createScoring, type Scorer, type Scoring } from '../scoring/index.ts'
import { createScoringWorker } from './scoring-worker.ts'

/** Uniform on [0, 1), and hard to guess. */
export function drawRandom(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2))
  return (high! * 2 ** 21 + (low! >>> 11)) / 2 ** 53
}

/** All share the threads: they start when one is needed. */
const scoreElsewhere = createScoringWorker()

/** Scoring wired to this machine: its threads, and marks that nobody can guess. */
export function startScoring(added: readonly Scorer[] = []): Scoring {
  return createScoring({ scoreElsewhere, random: drawRandom, scorers: addScorers(added) })
}
