import { describe, expect, it } from 'vitest'
import { choiceOfKey } from './vote-keys.ts'

describe('a vote on two answers', () => {
  it('is cast by the digits 1 to 3', () => {
    expect(['1', '2', '3', '4'].map(choiceOfKey)).toEqual(['left', 'right', 'tie', undefined])
  })
})
