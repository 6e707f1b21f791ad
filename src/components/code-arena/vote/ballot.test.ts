import { describe, expect, it } from 'vitest'
import { type BallotPage, countOpenPairs, drawOrder, isWaitingForVote, letterOf, readBallot } from './ballot.ts'
import fc from 'fast-check'

const pagesOf = (...states: BallotPage['state'][]): BallotPage[] =>
  states.map((state, index) => ({ modelId: `m${index}`, letter: letterOf(index), state }))
const vote = (left: string, right: string) => ({ left, right })
const namesOf = (open: ReturnType<typeof readBallot>['open']) => open.map(([a, b]) => a.letter + b.letter)

describe('a ballot', () => {
  it('asks for each pair of pages that work, once, on whichever side they were', () => {
    const pages = pagesOf('works', 'works', 'none', 'works')
    const ballot = readBallot({ pages, votes: [vote('m3', 'm0')], hasSeenNames: false, isFinal: true })
    expect(namesOf(ballot.open)).toEqual(['AB', 'BD'])
    expect(ballot).toMatchObject({ isWritten: true, pairCount: 3, areNamesShown: false })
  })

  it('shows the names after the last vote', () => {
    const pages = pagesOf('works', 'works')
    expect(readBallot({ pages, votes: [], hasSeenNames: false, isFinal: true }).areNamesShown).toBe(false)
    expect(readBallot({ pages, votes: [vote('m1', 'm0')], hasSeenNames: false, isFinal: true }).areNamesShown).toBe(
      true,
    )
  })

  it('shows no names while pages are written or votes load', () => {
    expect(
      readBallot({ pages: pagesOf('works', 'writing'), votes: [], hasSeenNames: false, isFinal: true }),
    ).toMatchObject({
      isWritten: false,
      areNamesShown: false,
    })
    expect(
      readBallot({ pages: pagesOf('works', 'none'), votes: undefined, hasSeenNames: false, isFinal: true })
        .areNamesShown,
    ).toBe(false)
  })

  it('shows the names where there is nothing to vote on', () => {
    for (const pages of [pagesOf('works', 'none'), pagesOf('none', 'none')])
      expect(readBallot({ pages, votes: [], hasSeenNames: false, isFinal: true }).areNamesShown).toBe(true)
    expect(
      readBallot({ pages: pagesOf('writing'), votes: undefined, hasSeenNames: false, isFinal: true }).areNamesShown,
    ).toBe(true)
  })

  it('keeps the names of a stopped run that a resume can complete', () => {
    const pages = pagesOf('works', 'none')
    expect(readBallot({ pages, votes: [], hasSeenNames: false, isFinal: false }).areNamesShown).toBe(false)
  })

  it('does not wait for previews of a run on which everything is voted', () => {
    const pages = pagesOf('writing', 'writing')
    expect(readBallot({ pages, votes: [vote('m0', 'm1')], hasSeenNames: false, isFinal: true }).areNamesShown).toBe(
      true,
    )
  })

  it('keeps the names on the screen after a vote is taken back', () => {
    const ballot = readBallot({ pages: pagesOf('works', 'works'), votes: [], hasSeenNames: true, isFinal: true })
    expect(ballot.areNamesShown).toBe(true)
    expect(namesOf(ballot.open)).toEqual(['AB'])
  })
})

describe('the order of the pages', () => {
  it('is a permutation, the same each time', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 6 }), fc.string(), fc.string(), (models, runId, voter) => {
        const order = drawOrder(models, { runId, voter })
        expect(order.toSorted()).toEqual(models.toSorted())
        expect(drawOrder(models, { runId, voter })).toEqual(order)
      }),
    )
  })

  it('puts each model first about equally often, over runs and over people', () => {
    const models = ['demo/good', 'demo/fair', 'demo/poor']
    for (const draw of [
      (index: number) => drawOrder(models, { runId: `run-${index}`, voter: 'me' }),
      (index: number) => drawOrder(models, { runId: 'run', voter: `person-${index}` }),
    ]) {
      const orders = Array.from({ length: 3000 }, (_, index) => draw(index).join())
      const counts = [...Map.groupBy(orders, (order) => order).values()].map(({ length }) => length)
      // Six orders, 500 expected of each; five standard deviations are 102.
      expect(counts).toHaveLength(6)
      for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(102)
    }
  })
})

const run = { runId: 'r', models: ['a', 'b', 'c'], votes: 1, state: 'done' as const }

it('a run waits for a vote while pairs are left and its names are unknown', () => {
  expect(countOpenPairs(run)).toBe(2)
  expect(isWaitingForVote(run, new Set())).toBe(true)
  expect(isWaitingForVote(run, new Set(['r']))).toBe(false)
  expect(isWaitingForVote({ ...run, votes: 3 }, new Set())).toBe(false)
  expect(isWaitingForVote({ ...run, models: ['a'], votes: 0 }, new Set())).toBe(false)
  expect(isWaitingForVote({ ...run, state: 'running' }, new Set())).toBe(false)
})
