import { checkAtLeast } from '../numbers/check-arguments.ts'

/** One game of two players; `Games` is what many of them come to. */
export interface Game {
  a: string
  b: string
  /** 1 win of a, 0.5 tie, 0 loss. */
  scoreA: number
  weight?: number
}

/** Games gathered by pair: what the likelihood needs of them. */
export interface Games {
  ids: string[]
  /** Games played by each. */
  played: Float64Array
  /** Points won by row against column, row after row. */
  pointsAgainst: Float64Array
}

/** Sums games by pair. A game of an id against itself tells nothing, but lists the id. */
export function gatherGames(games: Game[]): Games {
  const ids = [...new Set(games.flatMap(({ a, b }) => [a, b]))]
  const size = ids.length
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const played = new Float64Array(size)
  const pointsAgainst = new Float64Array(size * size)
  for (const { a, b, scoreA, weight = 1 } of games) {
    if (!(scoreA >= 0 && scoreA <= 1)) throw new RangeError(`scoreA is ${scoreA}: it must lie between 0 and 1.`)
    checkAtLeast(weight, Number.MIN_VALUE, 'weight')
    if (a === b) continue
    const first = indexOf.get(a)!
    const second = indexOf.get(b)!
    played[first]! += weight
    played[second]! += weight
    pointsAgainst[first * size + second]! += weight * scoreA
    pointsAgainst[second * size + first]! += weight * (1 - scoreA)
  }
  return { ids, played, pointsAgainst }
}

/** Whether each id beats each other by some chain of points won: else no finite maximum exists (Ford 1957). */
export function isStronglyConnected({ ids, pointsAgainst }: Games): boolean {
  const size = ids.length
  const reachesAll = (leads: (from: number, to: number) => number) => {
    const reached = new Set([0])
    for (const from of reached) {
      for (let to = 0; to < size; to++) if (leads(from, to) > 0) reached.add(to)
    }
    return reached.size === size
  }
  const won = (from: number, to: number) => pointsAgainst[from * size + to]!
  return reachesAll(won) && reachesAll((from, to) => won(to, from))
}
