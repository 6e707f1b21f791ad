import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import type { Game } from './bradley-terry-games.ts'
import { rateBradleyTerry } from './bradley-terry.ts'

/** Set BENCHMAKER_SERIES for a long simulation. */
const SERIES = Number(process.env['BENCHMAKER_SERIES'] ?? 300)

interface Part {
  cases: number
  weight: number
  players: readonly number[]
}

/** On every case the players draw a Gumbel value around their strength; the higher wins by Bradley and Terry's formula. */
function drawGames(random: () => number, strengths: readonly number[], parts: readonly Part[]): Game[] {
  return parts.flatMap(({ cases, weight, players }, part) =>
    Array.from({ length: cases }, (_, index) => {
      const drawn = players.map((player) => ({ player, value: strengths[player]! - Math.log(-Math.log(random())) }))
      return drawn.flatMap((a, place) =>
        drawn.slice(place + 1).map((b) => ({
          a: `m${a.player}`,
          b: `m${b.player}`,
          scoreA: a.value > b.value ? 1 : 0,
          weight,
          cluster: `${part} ${index}`,
        })),
      )
    }).flat(),
  )
}

describe('intervals of ratings', () => {
  const three = [0.5, 0, -0.5]
  const six = [1, 0.6, 0.2, -0.2, -0.6, -1]
  it.each<[string, number[], Part[]]>([
    ['2 models', [0.4, -0.4], [{ cases: 40, weight: 1, players: [0, 1] }]],
    ['6 models', six, [{ cases: 40, weight: 1, players: [0, 1, 2, 3, 4, 5] }]],
    [
      'a suite of 5 cases that weighs as much as one of 160',
      three,
      [
        { cases: 5, weight: 32, players: [0, 1, 2] },
        { cases: 160, weight: 1, players: [0, 1, 2] },
      ],
    ],
    [
      'one case in 10 weighs ten times as much',
      three,
      [
        { cases: 4, weight: 10, players: [0, 1, 2] },
        { cases: 36, weight: 1, players: [0, 1, 2] },
      ],
    ],
    [
      'models that met only through a third one',
      three,
      [
        { cases: 40, weight: 1, players: [0, 1] },
        { cases: 40, weight: 1, players: [1, 2] },
      ],
    ],
    [
      'suites of different sizes that share some models',
      six,
      [
        { cases: 40, weight: 1, players: [0, 1, 2] },
        { cases: 10, weight: 4, players: [2, 3, 4] },
        { cases: 80, weight: 0.5, players: [0, 4, 5] },
      ],
    ],
  ])('cover the true rating in at least 92 %% of the series: %s', (name, strengths, parts) => {
    let covered = 0
    for (let series = 0; series < SERIES; series++)
      for (const { id, low, high } of rateBradleyTerry(
        drawGames(createRandom(`${name} ${series}`), strengths, parts),
      )) {
        const truth = 1000 + (strengths[Number(id.slice(1))]! * 400) / Math.LN10
        if (low <= truth && truth <= high) covered++
      }
    const share = covered / (SERIES * strengths.length)
    if (SERIES > 300) process.stdout.write(`${name}: ${share}\n`)
    expect(share).toBeGreaterThanOrEqual(0.92)
  })

  it('two models, equal weights: the sandwich by hand, √(G/(G−1)·Σ(s−p)²)/(n·p·q) with t of G−1 degrees', () => {
    const outcomes = Array.from({ length: 30 }, (_, index): number => (index < 19 ? 1 : 0))
    const games = outcomes.map((scoreA, index): Game => ({ a: 'a', b: 'b', scoreA, cluster: String(index) }))
    const [first] = rateBradleyTerry(games, { priorGames: 0 })
    const p = 19 / 30
    const squares = outcomes.reduce((sum, score) => sum + (score - p) ** 2, 0)
    const stdErr = Math.sqrt((30 / 29) * squares) / (30 * p * (1 - p))
    // qt(.975, 29) in R; each rating is half of the difference.
    expect(first!.high - first!.rating).toBeCloseTo(((400 / Math.LN10) * 2.045229642 * stdErr) / 2, 4)
  })

  it('a case that weighs as much as all others together leaves one degree of freedom, not 29', () => {
    const game = (index: number, weight: number): Game => ({
      a: 'a',
      b: 'b',
      scoreA: index % 2,
      weight,
      cluster: String(index),
    })
    const even = Array.from({ length: 30 }, (_, index) => game(index, 1))
    const [first] = rateBradleyTerry(even)
    const [uneven] = rateBradleyTerry([...even, game(30, 30)])
    expect(uneven!.high - uneven!.rating).toBeGreaterThan(4 * (first!.high - first!.rating))
  })
})
