import { gatherGames, isStronglyConnected, type Games, type Game } from './bradley-terry-games.ts'
import { checkAtLeast, checkFraction } from '../numbers/check-arguments.ts'
import { groupByCluster, measureClusterMargins } from './cluster-margins.ts'
import { normalQuantile } from '../numbers/distributions.ts'
import { factorCholesky, solveCholesky, type Matrix } from './symmetric-matrix.ts'

export interface BradleyTerryOptions {
  priorGames?: number
  level?: number
}

export interface Rating {
  id: string
  rating: number
  low: number
  high: number
  games: number
}

const pointsPerUnit = 400 / Math.LN10
const meanRating = 1000

/**
 * Ratings from paired games: P(a beats b) = 1/(1 + 10^((R_b − R_a)/400)) by maximum likelihood (Bradley & Terry,
 * Biometrika 39, 1952), with a tie as half a win. Each id also plays `priorGames` half-won games against strength 0, so
 * that unbeaten and unconnected players have finite ratings. Centred on a mean of 1000. The intervals are those of the
 * centred ratings, so that the arbitrary common level does not widen them: from the inverse observed information, or
 * for games with clusters from the cluster-robust variance, and from the larger of the two if anybody has so few clear
 * wins or losses that the games show too little variation.
 */
export function rateBradleyTerry(outcomes: Game[], options: BradleyTerryOptions = {}): Rating[] {
  const { priorGames = 0.5, level = 0.95 } = options
  checkAtLeast(priorGames, 0, 'priorGames')
  checkFraction(level, 'level')
  const games = gatherGames(outcomes)
  const size = games.ids.length
  if (size === 0) return []
  if (priorGames === 0 && !isStronglyConnected(games)) {
    throw new RangeError('Some ids never won a point from others, even indirectly: set priorGames above 0.')
  }
  const strengths = maximise(games, priorGames)
  const mean = strengths.reduce((sum, strength) => sum + strength, 0) / size
  const factor = factorCholesky(measureInformation(games, priorGames, strengths), size)
  const contrasts = solveContrasts(factor, size)
  const tail = (1 - level) / 2
  const modelReach = -normalQuantile(tail)
  const clusters = groupByCluster(outcomes)
  const clusterMargins = measureClusterMargins(clusters, { ids: games.ids, strengths, contrasts, tail })
  const isModelNeeded = clusters.length < 2 || hasRareOutcomes(outcomes, games.ids)
  return games.ids
    .map((id, i) => {
      const rating = meanRating + (strengths[i]! - mean) * pointsPerUnit
      const modelMargin = isModelNeeded ? modelReach * centredStdErr(contrasts[i]!, i) : 0
      const margin = pointsPerUnit * Math.max(modelMargin, clusterMargins[i]!)
      return { id, rating, low: rating - margin, high: rating + margin, games: games.played[i]! }
    })
    .sort((a, b) => b.rating - a.rating || (a.id < b.id ? -1 : 1))
}

/** Far from the maximum the log-likelihood is nearly linear: an unlimited Newton step would diverge. */
const maxStep = 10

/** Newton's method; each step is limited in length, then halved until the likelihood does not fall. */
function maximise(games: Games, priorGames: number): Float64Array {
  const size = games.ids.length
  let strengths = new Float64Array(size)
  let likelihood = measureLogLikelihood(games, priorGames, strengths)
  let distance = Infinity
  for (let iteration = 0; iteration < 200 && distance > 1e-8; iteration++) {
    const factor = factorCholesky(measureInformation(games, priorGames, strengths), size)
    const gradient = measureGradient(games, priorGames, strengths)
    const step = solveCholesky(factor, gradient)
    // Distance to the maximum in standard errors; this step leaves about its square.
    distance = Math.sqrt(
      Math.max(
        0,
        gradient.reduce((sum, slope, i) => sum + slope * step[i]!, 0),
      ),
    )
    const longest = step.reduce((most, change) => Math.max(most, Math.abs(change)), 0)
    const start = Math.min(1, maxStep / longest)
    for (let share = start; share > 1e-12 * start; share /= 2) {
      const next = strengths.map((strength, i) => strength + share * step[i]!)
      const nextLikelihood = measureLogLikelihood(games, priorGames, next)
      if (nextLikelihood < likelihood - 1e-12 * Math.abs(likelihood)) continue
      strengths = next
      likelihood = nextLikelihood
      break
    }
  }
  // Weights many orders of magnitude apart leave some rounding: a hundredth of a standard error does not matter.
  if (distance < 0.01) return strengths
  throw new RangeError('The ratings did not converge in 200 steps.')
}

export const winChance = (lead: number) => 1 / (1 + Math.exp(-lead))

/** ln of the win chance; computed as ln(1/(1+e⁻ˣ)) it would round to 0 or −Infinity for large leads. */
export const logWinChance = (lead: number) => Math.min(0, lead) - Math.log1p(Math.exp(-Math.abs(lead)))

function measureLogLikelihood(games: Games, priorGames: number, strengths: Float64Array): number {
  const size = games.ids.length
  let sum = 0
  for (let i = 0; i < size; i++) {
    sum += (priorGames / 2) * (logWinChance(strengths[i]!) + logWinChance(-strengths[i]!))
    for (let j = 0; j < size; j++) {
      const points = games.pointsAgainst[i * size + j]!
      if (points > 0) sum += points * logWinChance(strengths[i]! - strengths[j]!)
    }
  }
  return sum
}

function measureGradient(games: Games, priorGames: number, strengths: Float64Array): Float64Array {
  const size = games.ids.length
  return strengths.map((strength, i) => {
    let surplus = priorGames * (0.5 - winChance(strength))
    // Pair by pair, not as points minus expected points: at 100,000 wins to 0 that difference would be all rounding.
    for (let j = 0; j < size; j++) {
      const lead = strength - strengths[j]!
      surplus += games.pointsAgainst[i * size + j]! * winChance(-lead)
      surplus -= games.pointsAgainst[j * size + i]! * winChance(lead)
    }
    return surplus
  })
}

/** The negative second derivatives. Without prior games an artificial curvature of the level makes them invertible. */
function measureInformation(games: Games, priorGames: number, strengths: Float64Array): Matrix {
  const size = games.ids.length
  const information = new Float64Array(size * size)
  if (priorGames === 0) information.fill(games.played.reduce((sum, played) => sum + played, 1) / size ** 2)
  for (let i = 0; i < size; i++) {
    information[i * size + i]! += priorGames * winChance(strengths[i]!) * winChance(-strengths[i]!)
    for (let j = 0; j < i; j++) {
      const played = games.pointsAgainst[i * size + j]! + games.pointsAgainst[j * size + i]!
      const lead = strengths[i]! - strengths[j]!
      const curvature = played * winChance(lead) * winChance(-lead)
      information[i * size + i]! += curvature
      information[j * size + j]! += curvature
      information[i * size + j]! -= curvature
      information[j * size + i]! -= curvature
    }
  }
  return information
}

/** I⁻¹·cᵢ for each contrast cᵢ = eᵢ − 1/n: a strength minus the mean of all. */
function solveContrasts(factor: Matrix, size: number): Float64Array[] {
  return Array.from({ length: size }, (_, i) => {
    const contrast = new Float64Array(size).fill(-1 / size)
    contrast[i]! += 1
    return solveCholesky(factor, contrast)
  })
}

/** √(cᵢᵀ·I⁻¹·cᵢ): the standard error of strength i minus the mean of all, if games are independent. */
function centredStdErr(image: Float64Array, i: number): number {
  const mean = image.reduce((sum, value) => sum + value, 0) / image.length
  return Math.sqrt(Math.max(0, image[i]! - mean))
}

/** The fewest clear wins, and clear losses, per opponent for which the cluster-robust variance is used alone. */
const FEWEST_OUTCOMES = 5

/** With 28 wins and 1 loss, the next sample may have 3 losses: the variation between games does not show that. */
function hasRareOutcomes(games: Game[], ids: string[]): boolean {
  const wins = new Map<string, number>()
  const losses = new Map<string, number>()
  const count = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const { a, b, scoreA } of games) {
    if (a === b || scoreA === 0.5) continue
    count(wins, scoreA > 0.5 ? a : b)
    count(losses, scoreA > 0.5 ? b : a)
  }
  const fewest = FEWEST_OUTCOMES * (ids.length - 1)
  return ids.some((id) => Math.min(wins.get(id) ?? 0, losses.get(id) ?? 0) < fewest)
}

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
