import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateBradleyTerry, bradleyTerryStrengths } from './bradley-terry.ts'
import { createRandom } from '../numbers/random.ts'

const teams = ['Milwaukee', 'Detroit', 'Toronto', 'New York', 'Boston', 'Cleveland', 'Baltimore']
/** Wins of row over column, American League East 1987 (Agresti, Categorical Data Analysis). */
const wins = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
]
const baseball = wins.flatMap((row, i) =>
  row.flatMap((weight, j) => (weight > 0 ? [{ a: teams[i]!, b: teams[j]!, scoreA: 1, weight }] : [])),
)
const win = (a: string, b: string) => ({ a, b, scoreA: 1 })
const byId = (ratings: ReturnType<typeof rateBradleyTerry>) => new Map(ratings.map((rating) => [rating.id, rating]))

describe('Bradley-Terry', () => {
  it('baseball 1987 without prior: 1.5814 1.4364 1.2945 1.2476 1.1077 .6839 above Baltimore (R BradleyTerry2)', () => {
    const ratings = rateBradleyTerry(baseball, { priorGames: 0 })
    const last = ratings.at(-1)!.rating
    expect(ratings.map(({ id }) => id)).toEqual(teams)
    const strengths = ratings.map(({ rating }) => Number((((rating - last) * Math.LN10) / 400).toFixed(4)))
    expect(strengths).toEqual([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0])
    expect(ratings.every(({ games }) => games === 78)).toBe(true)
  })

  it.each([
    {
      priorGames: 0,
      ratings: [1092.27078596, 1067.09083577, 1042.43623198, 1034.29455176, 1009.98793392, 936.35852712, 817.56113349],
      errors: [36.03245359, 35.46562673, 35.10168136, 35.02215811, 34.90321761, 35.61984655, 40.38283696],
    },
    {
      priorGames: 0.5,
      ratings: [1091.63224824, 1066.62317803, 1042.13135977, 1034.04287164, 1009.89454084, 936.75822894, 818.91757254],
      errors: [35.89839269, 35.34053817, 34.98205455, 34.90365708, 34.78614765, 35.48938993, 40.15976998],
    },
    {
      priorGames: 3,
      ratings: [1088.5878673, 1064.39571901, 1040.68254846, 1032.84848934, 1009.45703335, 938.67298968, 825.35535284],
      errors: [35.25452361, 34.7386523, 34.40583741, 34.33276031, 34.22214265, 34.86388305, 39.10950465],
    },
  ])(
    'baseball with $priorGames prior games: ratings and errors of SciPy 1.17 optimize.root and P·H⁻¹·P',
    (expected) => {
      const ratings = rateBradleyTerry(baseball, { priorGames: expected.priorGames })
      for (const [i, { rating, low, high }] of ratings.entries()) {
        expect(rating).toBeCloseTo(expected.ratings[i]!, 6)
        expect((high - low) / 2 / 1.959963984540054).toBeCloseTo(expected.errors[i]!, 6)
        expect(high + low).toBeCloseTo(2 * rating, 8)
      }
    },
  )

  it('two players, 3 wins to 1, no prior: 400·log10(3) apart, error √(1/3 + 1)·400/ln 10 of it (closed form)', () => {
    const [first, second] = rateBradleyTerry([{ ...win('x', 'y'), weight: 3 }, win('y', 'x')], { priorGames: 0 })
    expect(first!.rating - second!.rating).toBeCloseTo(400 * Math.log10(3), 9)
    const error = (400 / Math.LN10) * Math.sqrt(1 / 3 + 1)
    expect((first!.high - first!.rating) / 1.959963984540054).toBeCloseTo(error / 2, 8)
  })

  it('widens the interval in proportion to the normal quantile', () => {
    const half = (level: number) => {
      const [first] = rateBradleyTerry(baseball, { level })
      return first!.high - first!.rating
    }
    expect(half(0.99) / half(0.95)).toBeCloseTo(2.5758293035489 / 1.959963984540054, 10)
  })

  it('gives an unbeaten player a finite, top and uncertain rating', () => {
    const ratings = rateBradleyTerry([win('a', 'b'), win('a', 'c'), win('b', 'c'), win('c', 'b'), win('a', 'b')])
    expect(ratings[0]!.id).toBe('a')
    expect(ratings[0]!.rating).toBeLessThan(2000)
    expect(ratings[0]!.high - ratings[0]!.low).toBeGreaterThan(ratings[1]!.high - ratings[1]!.low)
  })

  it.each([1e5, 1e12, 1e-6])('converges for a chain of wins of weight %s', (weight) => {
    const [first, second] = rateBradleyTerry([{ ...win('a', 'b'), weight }])
    expect(first!.rating + second!.rating).toBeCloseTo(2000, 6)
    expect(first!.rating).toBeGreaterThan(second!.rating + (weight > 1 ? 800 : 0))
    expect(Number.isFinite(first!.high)).toBe(true)
  })

  it('converges for a chain of 60 players that each beat the next 1,000 times', () => {
    const chain = Array.from({ length: 59 }, (_, i) => ({ ...win(`p${i}`, `p${i + 1}`), weight: 1000 }))
    const ratings = rateBradleyTerry(chain)
    expect(ratings.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => `p${i}`))
    expect(ratings.every(({ low, high }) => Number.isFinite(high - low) && high > low)).toBe(true)
  })

  it('converges for weights of .001 to 1,000 with a weak prior, where an unlimited Newton step diverges', () => {
    const ratings = rateBradleyTerry(
      [
        { ...win('m6', 'm3'), weight: 8.57 },
        { ...win('m0', 'm1'), weight: 0.00331 },
        { ...win('m0', 'm5'), weight: 92 },
        { ...win('m3', 'm5'), weight: 1494 },
        { ...win('m5', 'm3'), weight: 511 },
        { ...win('m0', 'm4'), weight: 0.00149 },
        { a: 'm6', b: 'm1', scoreA: 0.5, weight: 48.4 },
        { ...win('m4', 'm6'), weight: 109 },
      ],
      { priorGames: 1e-4 },
    )
    expect(ratings[0]!.id).toBe('m0')
    expect(byId(ratings).get('m3')!.rating - byId(ratings).get('m5')!.rating).toBeCloseTo(
      400 * Math.log10(1494 / 511),
      1,
    )
  })

  it('rates groups that never met around 1000 each', () => {
    const ratings = byId(rateBradleyTerry([win('a', 'b'), win('u', 'v')]))
    expect(ratings.get('a')!.rating).toBeCloseTo(ratings.get('u')!.rating, 8)
    expect(ratings.get('a')!.rating + ratings.get('b')!.rating).toBeCloseTo(2000, 8)
  })

  it('rates a single player 1000, and no players give no ratings', () => {
    expect(rateBradleyTerry([win('a', 'a')])).toEqual([{ id: 'a', rating: 1000, low: 1000, high: 1000, games: 0 }])
    expect(rateBradleyTerry([])).toEqual([])
  })

  it('rejects an unbeaten player without prior games, and says what to do', () => {
    expect(() => rateBradleyTerry([win('a', 'b')], { priorGames: 0 })).toThrow('set priorGames above 0')
  })

  it('gives 200 players ratings that correlate with their true strengths and average 1000', () => {
    const random = createRandom('200 players')
    const strength = Array.from({ length: 200 }, () => 4 * random() - 2)
    const outcomes = Array.from({ length: 20_000 }, () => {
      const a = Math.floor(random() * 200)
      const b = (a + 1 + Math.floor(random() * 199)) % 200
      return { a: String(a), b: String(b), scoreA: random() < 1 / (1 + Math.exp(strength[b]! - strength[a]!)) ? 1 : 0 }
    })
    const ratings = rateBradleyTerry(outcomes)
    expect(ratings.reduce((sum, { rating }) => sum + rating, 0) / 200).toBeCloseTo(1000, 8)
    const centre = strength.reduce((sum, x) => sum + x, 0) / 200
    const held = ratings.filter(({ id, low, high }) => {
      const truth = 1000 + ((strength[Number(id)]! - centre) * 400) / Math.LN10
      return low <= truth && truth <= high
    })
    expect(held.length).toBeGreaterThanOrEqual(180)
  })

  it('mirrors the ratings about 1000 if every result is reversed, and ignores the order of games', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const outcome = fc.record({ a: name, b: name, scoreA: fc.constantFrom(0, 0.5, 1) })
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1 }), (outcomes) => {
        const plain = byId(rateBradleyTerry(outcomes))
        const turned = byId(
          rateBradleyTerry(outcomes.map(({ a, b, scoreA }) => ({ a, b, scoreA: 1 - scoreA })).reverse()),
        )
        for (const [id, { rating, low }] of plain) {
          expect(turned.get(id)!.rating).toBeCloseTo(2000 - rating, 5)
          expect(turned.get(id)!.high).toBeCloseTo(2000 - low, 5)
        }
      }),
    )
  })

  it.each([{ priorGames: -1 }, { priorGames: NaN }, { level: 1 }])('rejects %j', (options) => {
    expect(() => rateBradleyTerry(baseball, options)).toThrow(RangeError)
  })
})

const games = (a: string, b: string, winsA: number, winsB: number) => [
  { a, b, scoreA: 1, weight: winsA },
  { a, b, scoreA: 0, weight: winsB },
]

describe('Bradley-Terry strengths', () => {
  it('A–B 2:3, A–D 1:4, B–C 5:3, C–D 1:3 give .640, 1.043, .660, 2.270 (Wikipedia, Bradley–Terry model)', () => {
    const strengths = bradleyTerryStrengths([
      ...games('A', 'B', 2, 3),
      ...games('A', 'D', 1, 4),
      ...games('B', 'C', 5, 3),
      ...games('C', 'D', 1, 3),
    ])
    expect(strengths.map(({ id }) => id).join('')).toBe('DBCA')
    const rounded = Object.fromEntries(strengths.map(({ id, strength }) => [id, Number(strength.toFixed(3))]))
    expect(rounded).toEqual({ A: 0.64, B: 1.043, C: 0.66, D: 2.27 })
    expect(strengths.reduce((product, { strength }) => product * strength, 1)).toBeCloseTo(1, 9)
  })

  it('3 wins to 1 are three times as strong', () => {
    const [first, second] = bradleyTerryStrengths(games('x', 'y', 3, 1))
    expect(first!.strength / second!.strength).toBeCloseTo(3, 9)
  })

  it('need a prior for an unbeaten player', () => {
    const unbeaten = [{ a: 'x', b: 'y', scoreA: 1 }]
    expect(() => bradleyTerryStrengths(unbeaten)).toThrow('set priorGames above 0')
    expect(bradleyTerryStrengths(unbeaten, { priorGames: 0.5 })[0]).toMatchObject({ id: 'x' })
  })
})
