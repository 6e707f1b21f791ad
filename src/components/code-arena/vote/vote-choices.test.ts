import { describe, expect, it } from 'vitest'
import { voteRequestSchema } from '../../../contract/index.ts'
import { letterOf, readBallot, type BallotPage } from './ballot.ts'
import { choicesOfBest, choicesOfPair } from './vote-choices.ts'

const pages = ['x', 'y', 'z'].map((modelId, index): BallotPage => ({
  modelId,
  letter: letterOf(index),
  state: 'works',
}))

describe('the choices of a ballot', () => {
  it('have a key each and cover everything that the server takes (voteRequestSchema)', () => {
    const choices = choicesOfPair([pages[0]!, pages[2]!])
    expect(choices.map(({ label, key }) => `${key} ${label}`)).toEqual([
      '1 A is better',
      '2 C is better',
      '3 Tie',
      '4 Both bad',
    ])
    const votes = choices.flatMap((choice) => choice.votes)
    expect(votes.map(({ choice }) => choice)).toEqual(voteRequestSchema.shape.votes.element.shape.choice.options)
    expect(new Set(votes.map(({ left, right }) => left + right))).toEqual(new Set(['xz']))
  })

  it('let the best page win against the others, except where there is a vote already', () => {
    const ballot = readBallot({ pages, votes: [{ left: 'y', right: 'x' }], hasSeenNames: false, isFinal: true })
    expect(choicesOfBest(ballot).slice(0, 3)).toEqual([
      { label: 'A is best', letter: 'A', key: '1', votes: [{ left: 'x', right: 'z', choice: 'left' }] },
      { label: 'B is best', letter: 'B', key: '2', votes: [{ left: 'y', right: 'z', choice: 'left' }] },
      {
        label: 'C is best',
        letter: 'C',
        key: '3',
        votes: [
          { left: 'z', right: 'x', choice: 'left' },
          { left: 'z', right: 'y', choice: 'left' },
        ],
      },
    ])
  })

  it('can call every pair a tie or bad', () => {
    const ballot = readBallot({ pages, votes: [{ left: 'y', right: 'x' }], hasSeenNames: false, isFinal: true })
    expect(choicesOfBest(ballot).slice(3)).toEqual(
      (['tie', 'both-bad'] as const).map((choice, index) => ({
        label: choice === 'tie' ? 'Tie' : 'All bad',
        key: String(4 + index),
        votes: [
          { left: 'x', right: 'z', choice },
          { left: 'y', right: 'z', choice },
        ],
      })),
    )
  })
})
