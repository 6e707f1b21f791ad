import { describe, expect, it } from 'vitest'
import { describeEffectSize } from './effect-size.ts'

describe('effect size in words (Cohen 1988)', () => {
  it.each([
    [0, 'negligible'],
    [0.1999, 'negligible'],
    [0.2, 'small'],
    [0.4999, 'small'],
    [0.5, 'medium'],
    [0.8, 'medium'],
    [0.8001, 'large'],
    [Infinity, 'large'],
  ])('%s is %s, with either sign', (d, word) => {
    expect(describeEffectSize(d)).toBe(word)
    expect(describeEffectSize(-d)).toBe(word)
  })

  it('NaN has no word', () => {
    expect(describeEffectSize(NaN)).toBeUndefined()
  })
})
