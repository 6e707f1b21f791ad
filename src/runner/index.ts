import { randomInt } from 'node:crypto'
import { createScoring, type Scoring } from '../scoring/index.ts'
import { createScoringWorker } from './scoring-worker.ts'

/** Uniform on [0, 1), and hard to guess. */
export function drawRandom(): number {
  return randomInt(2 ** 48 - 1) / 2 ** 48
}

/** Scoring wired to this machine: its threads, and marks that nobody can guess. */
export function startScoring(): Scoring {
  return createScoring({ scoreElsewhere: createScoringWorker(), random: drawRandom })
}
