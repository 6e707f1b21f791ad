import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { reversedOrderP } from './reversed-order.ts'

const at = (rates: number[], passed: number[]) => rates.map((rate, index) => ({ rate, passed: passed[index] === 1 }))

describe('reversedOrderP', () => {
  it('is the share of the subsets’ odds, by hand: odds 9 and 1/9, one passes', () => {
    expect(reversedOrderP(at([0.9, 0.1], [0, 1]))).toBeCloseTo(1 / 9 / (9 + 1 / 9), 12)
    expect(reversedOrderP(at([0.9, 0.1], [1, 0]))).toBeCloseTo(1, 12)
  })

  it('for models of equal strength is 1 whatever passes, and 1 where all or none pass', () => {
    expect(reversedOrderP(at([0.6, 0.6, 0.6], [1, 0, 0]))).toBeCloseTo(1, 12)
    expect(reversedOrderP(at([0.9, 0.5, 0.1], [1, 1, 1]))).toBe(1)
    expect(reversedOrderP(at([0.9, 0.5, 0.1], [0, 0, 0]))).toBe(1)
  })

  it('for 5 models by hand: the two weakest of odds 9, 4, 1, 1/4, 1/9 pass', () => {
    const odds = [9, 4, 1, 0.25, 1 / 9]
    let all = 0
    for (let a = 0; a < 5; a += 1) for (let b = a + 1; b < 5; b += 1) all += odds[a]! * odds[b]!
    expect(reversedOrderP(at([0.9, 0.8, 0.5, 0.2, 0.1], [0, 0, 0, 1, 1]))).toBeCloseTo(1 / 36 / all, 12)
  })

  it('is rarely small by chance: at most 5 % below .05 for cases of any difficulty', () => {
    const random = createRandom(7)
    let small = 0
    const cases = 4000
    const rates = [0.9, 0.8, 0.6, 0.45, 0.3, 0.2]
    for (let index = 0; index < cases; index += 1) {
      const difficulty = Math.exp((random() - 0.5) * 4)
      const passed = rates.map((rate) => {
        const odds = (rate / (1 - rate)) * difficulty
        return random() < odds / (1 + odds) ? 1 : 0
      })
      if (reversedOrderP(at(rates, passed)) < 0.05) small += 1
    }
    expect(small / cases).toBeLessThanOrEqual(0.055)
  })

  it('handles very many models, and refuses rates of 0 and 1', () => {
    const rates = Array.from({ length: 100 }, (_, index) => 0.05 + (0.9 * index) / 99)
    expect(reversedOrderP(rates.map((rate) => ({ rate, passed: rate < 0.5 })))).toBeLessThan(1e-6)
    expect(() => reversedOrderP(at([0, 0.5], [1, 0]))).toThrow(RangeError)
  })
})
