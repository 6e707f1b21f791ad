import { describe, expect, it } from 'vitest'
import { describeEffectSize, hedgesCorrection } from './effect-size.ts'

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

describe('Hedges’ correction', () => {
  it.each([
    [2, 0.5641895835477563],
    [3, 0.7236012545582677],
    [4, 0.7978845608028653],
    [9, 0.9138748917925522],
    [99, 0.9924018511144229],
    [200, 0.9962445224791265],
    [201, 0.9962632336057738],
    [1000, 0.9992497811797163],
    [100_000, 0.999992499978125],
  ])('J(%s) is %s (mpmath, 30 digits)', (df, expected) => {
    expect(Math.abs(hedgesCorrection(df) - expected)).toBeLessThan(2e-13)
  })

  it('J(2) is 1/√π (closed form)', () => {
    expect(hedgesCorrection(2)).toBeCloseTo(1 / Math.sqrt(Math.PI), 14)
  })

  it('J(1) is NaN, not 0, which would claim an effect of 0 for any two pairs', () => {
    expect(hedgesCorrection(1)).toBeNaN()
  })

  it('rejects 0 degrees', () => {
    expect(() => hedgesCorrection(0)).toThrow(RangeError)
  })
})
