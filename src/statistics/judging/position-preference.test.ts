import { describe, expect, it } from 'vitest'
import { leanOf, measurePositionPreference, type OrderedVerdicts } from './position-preference.ts'

const same: OrderedVerdicts = { forward: 'first', backward: 'second' }
const firstTwice: OrderedVerdicts = { forward: 'first', backward: 'first' }
const secondTwice: OrderedVerdicts = { forward: 'second', backward: 'second' }

const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)

describe('position preference', () => {
  it('counts pairs whose outcome changes with the order, and for which place', () => {
    expect(leanOf(same)).toBe(0)
    expect(leanOf({ forward: 'second', backward: 'first' })).toBe(0)
    expect(leanOf({ forward: 'tie', backward: 'tie' })).toBe(0)
    expect(leanOf({ forward: 'tie', backward: 'first' })).toBeGreaterThan(0)
    expect(leanOf({ forward: 'second', backward: 'tie' })).toBeLessThan(0)
  })

  it('12 of 15 inconsistent pairs for the first: p .0352, share .519–.957 (scipy binomtest, exact interval)', () => {
    const measured = measurePositionPreference([...times(12, firstTwice), ...times(3, secondTwice), ...times(9, same)])
    expect(measured).toMatchObject({ pairs: 24, inconsistent: 15, first: 12, second: 3, share: 0.8 })
    expect(measured.pValue).toBeCloseTo(0.03515625, 10)
    expect(measured.low).toBeCloseTo(0.519109, 5)
    expect(measured.high).toBeCloseTo(0.956688, 5)
    expect(measured.inconsistentShare).toBe(0.625)
    expect(measured.inconsistentLow).toBeCloseTo(0.405936, 5)
    expect(measured.inconsistentHigh).toBeCloseTo(0.812007, 5)
  })

  it('says nothing about the direction if every pair is consistent', () => {
    const measured = measurePositionPreference(times(10, same))
    expect(measured).toMatchObject({ inconsistent: 0, low: 0, high: 1, pValue: 1 })
    expect(measured).not.toHaveProperty('share')
  })

  it('refuses no pairs', () => {
    expect(() => measurePositionPreference([])).toThrow('no pairs')
  })
})
