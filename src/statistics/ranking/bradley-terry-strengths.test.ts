import { describe, expect, it } from 'vitest'
import { bradleyTerryStrengths } from './bradley-terry-strengths.ts'

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
