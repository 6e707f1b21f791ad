import { describe, expect, it } from 'vitest'
import { voteRequestSchema } from '../../../contract/index.ts'
import { choiceOfKey, choices, describeVote } from './vote-choices.ts'

describe('a blind vote', () => {
  it('has a separate key for each choice in the server schema (voteRequestSchema)', () => {
    expect(choices.map(({ choice }) => choice).toSorted()).toEqual(
      [...voteRequestSchema.shape.choice.options].toSorted(),
    )
    expect(new Set(choices.map(({ key }) => key)).size).toBe(choices.length)
    expect([choiceOfKey('1'), choiceOfKey('4'), choiceOfKey('a')]).toEqual(['left', 'both-bad', undefined])
  })

  it('names the preferred page first', () => {
    expect(describeVote({ left: 'x', right: 'y', choice: 'left' })).toBe('You preferred x to y.')
    expect(describeVote({ left: 'x', right: 'y', choice: 'right' })).toBe('You preferred y to x.')
  })
})
