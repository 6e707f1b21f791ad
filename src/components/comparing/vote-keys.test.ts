import { describe, expect, it } from 'vitest'
import { choiceOfKey, describeVote } from './vote-keys.ts'

describe('a vote on two answers', () => {
  it('is cast by the digits 1 to 3', () => {
    expect(['1', '2', '3', '4'].map(choiceOfKey)).toEqual(['left', 'right', 'tie', undefined])
  })

  it('names the models once it is cast', () => {
    const models = { left: 'a', right: 'b' }
    expect(describeVote(models, 'left')).toBe('You preferred a to b.')
    expect(describeVote(models, 'right')).toBe('You preferred b to a.')
    expect(describeVote(models, 'tie')).toBe('You called it a tie between a and b.')
  })
})
