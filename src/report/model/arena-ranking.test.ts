import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateBradleyTerry } from '../../statistics/index.ts'
import type { ArenaVote } from '../../contract/index.ts'
import { describeArenaLead } from '../words/index.ts'
import { rankArena } from './arena-ranking.ts'

const vote = (left: string, right: string, choice: ArenaVote['choice']) => ({ runId: 'r', left, right, choice })
const judged = (scores: Record<string, number | undefined>) => ({
  results: Object.entries(scores).map(([modelId, score]) => ({
    testCaseId: 'page',
    modelId,
    ...(score !== undefined && { score: { score } }),
  })),
})

describe('the ranking', () => {
  it('counts votes after the names were seen, says how many, and can leave them out', () => {
    const votes = [vote('a', 'b', 'left'), { ...vote('a', 'b', 'right'), isBlind: false }]
    expect(rankArena(votes, [])).toMatchObject({ voteCount: 2, notBlindCount: 1 })
    const blind = rankArena(votes, [], { counted: 'blind' })
    expect(blind).toMatchObject({ voteCount: 1, notBlindCount: 1 })
    expect(blind.votes).toEqual(rankArena(votes.slice(0, 1), []).votes)
  })

  it('is Bradley-Terry over all votes, with both-bad counted as a tie', () => {
    const votes = [
      vote('a', 'b', 'left'),
      vote('b', 'a', 'right'),
      vote('a', 'c', 'tie'),
      vote('c', 'b', 'both-bad'),
      vote('b', 'c', 'left'),
    ]
    const { votes: ranked, voteCount } = rankArena(votes, [])
    expect(voteCount).toBe(5)
    const games = [
      ['a', 'b', 1],
      ['b', 'a', 0],
      ['a', 'c', 0.5],
      ['c', 'b', 0.5],
      ['b', 'c', 1],
    ] as const
    const expected = rateBradleyTerry(games.map(([a, b, scoreA]) => ({ a, b, scoreA })))
    expect(
      ranked.map(({ wins: _w, ties: _t, losses: _l, group: _g, modelId, ...rating }) => ({ id: modelId, ...rating })),
    ).toEqual(expected)
    expect(ranked.find(({ modelId }) => modelId === 'a')).toMatchObject({ games: 3, wins: 2, ties: 1, losses: 0 })
    expect(ranked.find(({ modelId }) => modelId === 'b')).toMatchObject({ games: 4, wins: 1, ties: 1, losses: 2 })
  })

  it('by judges has one game for each pair of judged models in a run: the higher score wins, equal scores tie', () => {
    const { judgements, judgementCount, votes } = rankArena(
      [],
      [judged({ a: 0.9, b: 0.5, c: undefined }), judged({ a: 0.4, b: 0.1 + 0.3, c: 0.2 })],
    )
    expect(votes).toEqual([])
    expect(judgementCount).toBe(4)
    expect(judgements.find(({ modelId }) => modelId === 'a')).toMatchObject({ games: 3, wins: 2, ties: 1, losses: 0 })
    expect(judgements.find(({ modelId }) => modelId === 'c')).toMatchObject({ games: 2, wins: 0, ties: 0, losses: 2 })
    expect(judgements[0]?.modelId).toBe('a')
  })

  it('counts every game once on each side, whatever the votes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const choice = fc.constantFrom<ArenaVote['choice']>('left', 'right', 'tie', 'both-bad')
    const anyVote = fc.tuple(name, name, choice).filter(([left, right]) => left !== right)
    fc.assert(
      fc.property(fc.array(anyVote), (votes) => {
        const { votes: ranked } = rankArena(
          votes.map(([left, right, chosen]) => vote(left, right, chosen)),
          [],
        )
        for (const { games, wins, ties, losses, low, rating, high } of ranked) {
          expect(wins + ties + losses).toBe(games)
          expect(low).toBeLessThanOrEqual(rating)
          expect(high).toBeGreaterThanOrEqual(rating)
        }
        expect(ranked.reduce((sum, { games }) => sum + games, 0)).toBe(2 * votes.length)
        expect(ranked.reduce((sum, { wins }) => sum + wins, 0)).toBe(
          ranked.reduce((sum, { losses }) => sum + losses, 0),
        )
      }),
    )
  })
})

describe('models that were never compared', () => {
  it('are rated apart, and each group by itself as Bradley-Terry does', () => {
    const one = [vote('a', 'b', 'left'), vote('a', 'b', 'left'), vote('b', 'c', 'right')]
    const other = [vote('x', 'y', 'right')]
    const { votes } = rankArena([...one, ...other], [])
    expect(votes.map(({ modelId, group }) => [modelId, group])).toEqual([
      ['a', 1],
      ['c', 1],
      ['b', 1],
      ['y', 2],
      ['x', 2],
    ])
    const alone = rankArena(other, []).votes
    expect(votes.slice(3).map(({ rating }) => rating)).toEqual(alone.map(({ rating }) => rating))
    expect(describeArenaLead(votes, 'votes')).toContain(
      'a, c and b; y and x: these groups were never compared, not even through others, so each has ratings and places of its own.',
    )
    expect(describeArenaLead(alone, 'votes')).not.toContain('groups')
  })

  it('are joined by one vote between them', () => {
    const { votes } = rankArena([vote('a', 'b', 'left'), vote('x', 'y', 'left'), vote('b', 'x', 'tie')], [])
    expect(new Set(votes.map(({ group }) => group))).toEqual(new Set([1]))
  })
})
