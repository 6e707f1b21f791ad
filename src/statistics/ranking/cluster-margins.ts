import { tQuantile } from '../numbers/distributions.ts'
import type { Game } from './bradley-terry-games.ts'

/** The games of each cluster; empty if none are named. A game without a cluster is a cluster of its own. */
export function groupByCluster(games: Game[]): Game[][] {
  if (games.every(({ cluster }) => cluster === undefined)) return []
  const named = Map.groupBy(
    games.filter(({ cluster }) => cluster !== undefined),
    ({ cluster }) => cluster,
  )
  return [...named.values(), ...games.filter(({ cluster }) => cluster === undefined).map((game) => [game])]
}

/** Above this share of what is known about a player, a cluster fits its own games: its deviation shows nothing. */
const LARGEST_SHARE = 0.9

interface ClusterFigures {
  /** The square of how far the cluster pulls the player's strength. */
  pull: number
  /** The expected value of that, if the games of the cluster are independent. */
  variance: number
  /** What the cluster says about the player's strength. */
  information: number
}

/**
 * Half-widths of intervals that allow for correlated games within a cluster: √(cᵢᵀ·I⁻¹·B·I⁻¹·cᵢ), with B the sum of the
 * outer products of the clusters' gradients (the sandwich of Huber 1967 and White 1982, by clusters as in Liang & Zeger,
 * Biometrika 73, 1986). With equal weights that is times G/(G−1), and Student's t has G−1 degrees of freedom. If a few
 * clusters have much of the weight, such as the cases of a small suite among large ones, both follow from their shares
 * (Bell & McCaffrey, Survey Methodology 28, 2002): G−1 would promise too much.
 */
export function measureClusterMargins(
  clusters: Game[][],
  {
    ids,
    strengths,
    contrasts,
    tail,
  }: { ids: string[]; strengths: Float64Array; contrasts: Float64Array[]; tail: number },
): number[] {
  if (clusters.length < 2) return ids.map(() => 0)
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const games = clusters.map((cluster) =>
    cluster.map(({ a, b, scoreA, weight = 1 }) => {
      const [first, second] = [indexOf.get(a)!, indexOf.get(b)!]
      const chance = 1 / (1 + Math.exp(strengths[second]! - strengths[first]!))
      return { first, second, weight, surplus: scoreA - chance, spread: chance * (1 - chance) }
    }),
  )
  return contrasts.map((image) => {
    const figures = games.map((cluster): ClusterFigures => {
      let pull = 0
      let variance = 0
      let information = 0
      for (const { first, second, weight, surplus, spread } of cluster) {
        const lead = weight * (image[first]! - image[second]!)
        pull += lead * surplus
        variance += lead * lead * spread
        information += (lead * lead * spread) / weight
      }
      return { pull: pull * pull, variance, information }
    })
    return combine(figures, tail)
  })
}

function combine(figures: readonly ClusterFigures[], tail: number): number {
  const total = figures.reduce((sum, { information }) => sum + information, 0)
  if (total === 0) return 0
  let square = 0
  let variance = 0
  let squares = 0
  for (const cluster of figures) {
    square += cluster.pull / (1 - Math.min(LARGEST_SHARE, cluster.information / total))
    variance += cluster.variance
    squares += cluster.variance ** 2
  }
  const freedom = Math.max(1, variance ** 2 / squares - 1)
  return -tQuantile(tail, freedom) * Math.sqrt(square)
}
