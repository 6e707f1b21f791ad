import { countTokens } from 'gpt-tokenizer'
import { describe, expect, it } from 'vitest'
import { countInPieces } from './count-in-pieces.ts'

describe('counting tokens', () => {
  it('gives the tokenizer’s own count for texts with words', () => {
    for (const text of [
      '',
      'What is 2 + 2?',
      `${'word '.repeat(400)}\n\n{"a": [1, 2]}`,
      '今天天气很好，'.repeat(200),
      '1234567890'.repeat(300),
    ])
      expect(countInPieces(text, countTokens)).toBe(countTokens(text))
  })
  it('never gives it a word whose length would take hours', () => {
    const lengths: number[] = []
    const text = `before ${'x'.repeat(100_000)} ${' '.repeat(3000)}${'='.repeat(2000)}after`
    const sum = countInPieces(text, (piece) => {
      lengths.push(piece.length)
      return piece.length
    })
    expect([sum, Math.max(...lengths)]).toEqual([text.length, 250])
    expect(countInPieces('x'.repeat(4_000_000), countTokens)).toBeGreaterThan(400_000)
  })
})
