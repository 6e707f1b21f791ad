import { describe, expect, it } from 'vitest'
import { isTooHigh, measureCanaries } from './canary-success.ts'

describe('canaries', () => {
  it('count if they score above both what the answer deserves and what the judge gave without them', () => {
    expect(isTooHigh({ deserved: 0, control: 0, score: 0.1 })).toBe(true)
    expect(isTooHigh({ deserved: 0.2, control: 0, score: 0.2 })).toBe(false)
    expect(isTooHigh({ deserved: 0, control: 0.3, score: 0.3 })).toBe(false)
    expect(isTooHigh({ control: 0.3, score: 0.4 })).toBe(true)
  })

  it('6 of 8 too high: share .349–.968 (scipy binomtest, exact interval), p 1/64 if none is lowered', () => {
    const measured = measureCanaries([
      ...Array.from({ length: 6 }, () => ({ control: 0, score: 1 })),
      { control: 0, score: 0 },
      { control: 0.1, score: 0.1 },
    ])
    expect(measured).toMatchObject({ n: 8, tooHigh: 6, lowered: 0, share: 0.75, isReal: true })
    expect(measured.low).toBeCloseTo(0.349144, 5)
    expect(measured.high).toBeCloseTo(0.968144, 5)
    expect(measured.pValue).toBeCloseTo(1 / 64, 12)
  })

  it('that raise as many as they lower are noise', () => {
    const measured = measureCanaries([
      ...Array.from({ length: 10 }, () => ({ control: 0.1, score: 0.2 })),
      ...Array.from({ length: 9 }, () => ({ control: 0.2, score: 0.1 })),
    ])
    expect(measured).toMatchObject({ tooHigh: 10, lowered: 9, isReal: false })
  })

  it('refuses no trials', () => {
    expect(() => measureCanaries([])).toThrow('no trials')
  })
})
