import type { Game } from './bradley-terry-games.ts'
import { rateBradleyTerry } from './bradley-terry.ts'

/** The strength of a player: P(a beats b) = strength of a / (strength of a + strength of b). */
export interface Strength {
  id: string
  /** Their geometric mean is 1. */
  strength: number
}

/**
 * Bradley-Terry strengths by maximum likelihood, best first; by default without a prior, as textbooks give them. The
 * same estimate as `rateBradleyTerry`, on the scale of odds.
 */
export function bradleyTerryStrengths(games: Game[], options: { priorGames?: number } = {}): Strength[] {
  const ratings = rateBradleyTerry(games, { priorGames: options.priorGames ?? 0 })
  return ratings.map(({ id, rating }) => ({ id, strength: 10 ** ((rating - 1000) / 400) }))
}
