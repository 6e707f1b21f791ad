import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateBradleyTerry } from '../../../statistics/index.ts'
import type { ArenaVote } from '../../../contract/index.ts'
import { describeArenaStyle, describeKinds } from '../../words/code-arena.ts'
import { describeArenaLead } from '../../words/index.ts'
import { rankArena } from './arena-ranking.ts'

const vote = (left: string, right: string, choice: ArenaVote['choice']) => ({ runId: 'r', left, right, choice })
const judged = (scores: Record<string, number | undefined>) => ({
  id: 'r',
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

describe('by kind of task', () => {
  const tagged = (id: string, ...tags: string[]) => ({ id, results: [], label: { tags } })
  const votesIn = (runId: string, count: number, left = 'a', right = 'b') =>
    Array.from({ length: count }, () => ({ ...vote(left, right, 'left'), runId }))

  it('each tag is ranked by the votes on its runs alone, the first spelling counts, and few votes are not ranked', () => {
    const votes = [...votesIn('one', 6), ...votesIn('two', 5, 'b', 'a'), ...votesIn('three', 4), ...votesIn('bare', 9)]
    const runs = [
      tagged('one', 'Games'),
      tagged('two', 'games', 'forms'),
      tagged('three', 'tables'),
      { id: 'bare', results: [] },
    ]
    const { kinds } = rankArena(votes, runs)
    expect(kinds.judgements).toEqual([])
    expect(kinds.votes.map(({ name, games, models }) => [name, games, models.length])).toEqual([
      ['Games', 11, 2],
      ['forms', 5, 0],
      ['tables', 4, 0],
    ])
    expect(kinds.votes[0]!.models).toEqual(rankArena(votes.slice(0, 11), []).votes)
    expect(describeKinds(kinds.votes, 'votes')).toEqual(['Not ranked, with too few votes: forms (5) and tables (4).'])
  })

  it('says which models were not compared in it, though they were elsewhere', () => {
    const votes = [...votesIn('one', 5), ...votesIn('one', 5, 'x', 'y'), ...votesIn('two', 1, 'b', 'x')]
    const { votes: all, kinds } = rankArena(votes, [tagged('one', 'games')])
    expect(new Set(all.map(({ group }) => group))).toEqual(new Set([1]))
    expect(describeKinds(kinds.votes, 'votes').join(' ')).toContain(
      'games: a and b; x and y: these groups were never compared',
    )
  })

  it('counts judged pages the same way', () => {
    const runs = Array.from({ length: 10 }, (_, index) => ({
      ...judged({ a: 0.9, b: index % 2 }),
      id: `run ${index}`,
      label: { tags: ['games'] },
    }))
    expect(rankArena([], runs).kinds.judgements).toMatchObject([{ name: 'games', games: 10, models: [{}, {}] }])
  })
})

describe('at equal length of code', () => {
  const models = ['a', 'b', 'c'] as const
  const style = (length: number, codeBlocks: number) => ({ length, headers: 0, listItems: 0, bold: 0, codeBlocks })
  const runs = Array.from({ length: 18 }, (_, i) => ({
    id: `run ${i}`,
    results: [],
    code: {
      a: style(3000 + ((i * 37) % 11) * 400, 1 + (i % 3)),
      b: style(2000 + ((i * 53) % 7) * 500, 1),
      c: style(2500 + ((i * 29) % 13) * 300, 1 + (i % 2)),
    },
  }))
  const votes = runs.flatMap(({ id, code }, i) =>
    (
      [
        ['a', 'b'],
        ['a', 'c'],
        ['c', 'b'],
      ] as const
    ).map(([left, right], pair) => {
      const drawn = (i * 7 + pair * 3) % 10
      const isLeft = code[left].length > code[right].length === drawn <= 6
      return { ...vote(left, right, drawn === 0 ? 'tie' : isLeft ? 'left' : 'right'), runId: id }
    }),
  )
  const rated = (given = votes) => {
    const { votes: found } = rankArena(given, runs).style
    if (found?.state !== 'rated') throw new Error('too few')
    return found
  }

  it('gives what SciPy 1.17 finds: minimize (BFGS) over the penalised likelihood, runs as clusters', () => {
    const found = rated()
    expect(found.models.map(({ modelId }) => modelId)).toEqual(['c', 'b', 'a'])
    const expected = {
      a: [981.6469, 104.7939, 1012.8718],
      b: [998.8996, 110.9491, 961.3859],
      c: [1019.4535, 83.9979, 1025.7424],
    }
    for (const { modelId, rating, high, voted } of found.models) {
      const [equal, margin, before] = expected[models.find((id) => id === modelId)!] as [number, number, number]
      expect(rating).toBeCloseTo(equal, 2)
      expect(high - rating).toBeCloseTo(margin, 2)
      expect(voted.rating).toBeCloseTo(before, 2)
    }
    expect(found.weights.map(({ feature }) => feature)).toEqual(['length', 'codeBlocks'])
    for (const [index, points] of [
      [120.8317, -2.668, 244.3314],
      [-23.9621, -159.9981, 112.074],
    ].entries()) {
      const { points: middle, low, high } = found.weights[index]!
      for (const [at, value] of [middle, low, high].entries()) expect(value).toBeCloseTo(points[at]!, 2)
    }
    expect(found).toMatchObject({ decided: 46, longerWon: 31, leftOut: 0 })
    expect(found.longerWins!.mean).toBeCloseTo(0.667203, 5)
    expect(found.timesAsLong).toBeCloseTo(1.548124, 5)
    expect(describeArenaStyle(found, 'votes')).toBe(
      'The longer code won 31 of 46 votes without a tie (67 %). Between models of equal rating, code 1.55 times as long wins 66.7 % (49.6 to 80.3). What style is worth, in rating points: length +121 (−3 to +244), code blocks −24 (−160 to +112).',
    )
  })

  it('has the ratings of the ranking beside it', () => {
    const { votes: ranked } = rankArena(votes, runs)
    for (const { modelId, voted } of rated().models)
      expect(ranked.find((model) => model.modelId === modelId)).toMatchObject(voted)
  })

  it('leaves out, and says so, models that were never compared with the others', () => {
    const apart = { ...vote('x', 'y', 'left'), runId: 'run 0' }
    const more = runs.map((run) => ({ ...run, code: { ...run.code, x: style(10, 1), y: style(20, 1) } }))
    const { votes: found } = rankArena([...votes, apart], more).style
    expect(found).toMatchObject({ state: 'rated', models: [{}, {}, {}], leftOut: 2 })
    expect(describeArenaStyle(found!, 'votes')).toContain('2 models never compared with these left out.')
  })

  it('is refused with the number that it takes, for votes and for judged pages', () => {
    const few = rankArena(votes.slice(0, 49), runs).style.votes
    expect(few).toEqual({ state: 'too-few', games: 49, runs: 17, neededGames: 50, neededRuns: 10 })
    const inFewRuns = votes.map((one, index) => ({ ...one, runId: `run ${index % 9}` }))
    expect(rankArena(inFewRuns, runs).style.votes).toMatchObject({ state: 'too-few', games: 54, runs: 9 })
    const pages = { ...judged({ a: 0.9, b: 0.5 }), id: 'run 0', code: runs[0]!.code }
    expect(describeArenaStyle(rankArena([], [pages]).style.judgements!, 'judgements')).toBe(
      'Ratings at equal length of code need 30 judged pairs of models that were compared with each other, in 10 runs; so far 1 in 1 run.',
    )
  })

  it('is absent where nothing differs or nothing is known', () => {
    const same = runs.map((run) => ({ ...run, code: { a: style(9, 1), b: style(9, 1), c: style(9, 1) } }))
    expect(rankArena(votes, same).style).toEqual({})
    expect(rankArena(votes, []).style).toEqual({})
    expect(rankArena([], runs).style).toEqual({})
  })
})
