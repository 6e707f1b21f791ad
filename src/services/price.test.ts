import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBudget } from './budget.ts'
import { toDollars, toMoney } from '../contract/index.ts'
import { priceTokens } from './price.ts'

it('a million tokens at 0.15 dollars a million cost 0.15 dollars, exactly', () => {
  expect(toDollars(priceTokens(1_000_000, 0, { prompt: 0.000_000_15, completion: 0 }))).toBe(0.15)
  expect(toDollars(priceTokens(3, 7, { prompt: 0.000_002_5, completion: 0.000_01 }))).toBe(0.000_077_5)
})

it('a sum does not depend on its order', () => {
  const costs = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 })
  fc.assert(
    fc.property(costs, (dollars) => {
      const sum = (values: number[]) => values.map(toMoney).reduce((total, money) => total + money, 0n)
      expect(sum(dollars)).toBe(sum(dollars.toReversed()))
    }),
  )
  expect([0.1, 0.2].map(toMoney).reduce((total, money) => total + money, 0n)).toBe(toMoney(0.3))
})

it('a budget counts what is spent and what is under way', () => {
  const budget = createBudget(1)
  const giveBack = budget.reserve(toMoney(0.6))
  expect(() => budget.reserve(toMoney(0.5))).toThrow(/budget of 1 dollars/)
  giveBack()
  giveBack()
  budget.spend(toMoney(0.4))
  expect(() => budget.reserve(toMoney(0.7))).toThrow(/budget/)
  expect(budget.reserve(toMoney(0.6))).toBeTypeOf('function')
  expect(toDollars(budget.spent())).toBe(0.4)
})
