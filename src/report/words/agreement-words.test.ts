import { describe, expect, it } from 'vitest'
import { wordAgreement } from './agreement-words.ts'

describe('an agreement coefficient in a word', () => {
  it.each([
    ['alpha', 0.8, 'reliable'],
    ['alpha', 0.667, 'tentative'],
    ['alpha', 0.66, 'unreliable'],
    ['alpha', -0.2, 'unreliable'],
    ['icc', 0.9, 'excellent'],
    ['icc', 0.75, 'good'],
    ['icc', 0.5, 'moderate'],
    ['icc', 0.49, 'poor'],
    ['kappa', 1, 'almost perfect'],
    ['kappa', 0.61, 'substantial'],
    ['kappa', 0.41, 'moderate'],
    ['kappa', 0.3, 'fair'],
    ['kappa', 0, 'slight'],
    ['kappa', -0.01, 'poor'],
  ] as const)('%s %d is %s (Krippendorff 2004; Koo and Li 2016; Landis and Koch 1977)', (name, value, word) => {
    expect(wordAgreement(name, value)).toBe(word)
  })
  it('is none if it could not be computed', () => {
    expect([null, undefined, Number.NaN].map((value) => wordAgreement('alpha', value))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
