import { drawRandom, startScoring } from '../runner/index.ts'
import type { Scorer } from '../scoring/index.ts'
import { systemClock } from '../services/index.ts'

/** Custom scoring methods, in addition to the built-in ones. */
export interface ScorerOptions {
  scorers?: readonly Scorer[]
}

export const scoring = startScoring()
export const scoringWith = (scorers?: readonly Scorer[]) => (scorers?.length ? startScoring(scorers) : scoring)
export const tools = { clock: systemClock, random: drawRandom }

/** Used for budgets: three characters per token is a safe overestimate. */
export const countTokens = (text: string) => Math.ceil(text.length / 3)
