import { describe, expect, it } from 'vitest'
import { gatherGames, isStronglyConnected } from './bradley-terry-games.ts'

const win = (a: string, b: string) => ({ a, b, scoreA: 1 })

describe('games by pair', () => {
  it('add up weights and points of both sides', () => {
    const games = gatherGames([win('x', 'y'), { a: 'y', b: 'x', scoreA: 0.5, weight: 4 }])
    expect(games.ids).toEqual(['x', 'y'])
    expect([...games.played]).toEqual([5, 5])
    expect([...games.pointsAgainst]).toEqual([0, 3, 2, 0])
  })

  it('of an id against itself list the id but count for nothing', () => {
    expect(gatherGames([win('x', 'x')])).toMatchObject({ ids: ['x'], played: new Float64Array([0]) })
  })

  it('are strongly connected in a cycle or by a tie, but not in a chain or if separate (Ford 1957)', () => {
    const isConnected = (...outcomes: Parameters<typeof gatherGames>[0]) => isStronglyConnected(gatherGames(outcomes))
    expect(isConnected(win('x', 'y'), win('y', 'z'), win('z', 'x'))).toBe(true)
    expect(isConnected({ a: 'x', b: 'y', scoreA: 0.5 })).toBe(true)
    expect(isConnected(win('x', 'y'), win('y', 'z'))).toBe(false)
    expect(isConnected(win('y', 'x'), win('z', 'y'))).toBe(false)
    expect(isConnected({ a: 'x', b: 'y', scoreA: 0.5 }, { a: 'u', b: 'v', scoreA: 0.5 })).toBe(false)
  })

  it.each([{ scoreA: 1.5 }, { scoreA: NaN }, { weight: 0 }, { weight: NaN }, { weight: Infinity }])(
    'reject %j',
    (change) => {
      expect(() => gatherGames([{ a: 'x', b: 'y', scoreA: 1, ...change }])).toThrow(RangeError)
    },
  )
})
