import { checkAtLeast } from '../numbers/check-arguments.ts'

/** One game of two players. */
export interface Game {
  a: string
  b: string
  /** 1 if a wins, 0.5 for a tie, 0 if a loses. */
  scoreA: number
  weight?: number
  /** Games with the same name share something, such as a test case, and are not independent. */
  cluster?: string
}

/** Totals of many games by pair, as the likelihood needs them. */
export interface Games {
  ids: string[]
  /** Games played by each player. */
  played: Float64Array
  /** Points won by the row's player against the column's, row by row. */
  pointsAgainst: Float64Array
}

/** Adds up games by pair. A game of an id against itself counts for nothing, but lists the id. */
export function gatherGames(games: Game[]): Games {
  const ids = [...new Set(games.flatMap(({ a, b }) => [a, b]))]
  const size = ids.length
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const played = new Float64Array(size)
  const pointsAgainst = new Float64Array(size * size)
  for (const { a, b, scoreA, weight = 1 } of games) {
    if (!(scoreA >= 0 && scoreA <= 1)) throw new RangeError(`scoreA is ${scoreA}: it must be between 0 and 1.`)
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

/** Returns true if every id reaches every other by a chain of points won: else no maximum is finite (Ford 1957). */
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
