import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBudget } from './budget.ts'
import { toDollars, toMoney } from '../../contract/index.ts'
import { priceTokens } from './price.ts'

it('a million tokens at $0.15 per million cost exactly $0.15', () => {
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

it('a budget counts what is spent and what is in progress', async () => {
  const budget = createBudget(1)
  await expect(budget.reserve(toMoney(1.1))).rejects.toThrow(/budget of 1 dollars/)
  const first = await budget.reserve(toMoney(0.6))
  const waiting = budget.reserve(toMoney(0.5))
  const hopeless = budget.reserve(toMoney(0.7))
  expect(await Promise.race([waiting, hopeless, Promise.resolve('both are waiting')])).toBe('both are waiting')
  first.spend(toMoney(0.4))
  first.release()
  first.release()
  await expect(hopeless).rejects.toThrow(/budget/)
  const second = await waiting
  second.spend(undefined)
  second.release()
  await expect(budget.reserve(toMoney(0.2))).rejects.toThrow(/budget/)
  expect(budget.total()).toEqual({ spent: toMoney(0.4), assumed: toMoney(0.5) })
})

it('a budget is never exceeded and no request waits forever, whatever is reserved and spent', async () => {
  const request = fc.record({
    estimate: fc.integer({ min: 1, max: 60 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    turns: fc.integer({ min: 0, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const budget = createBudget(1)
      let committed = 0n
      const send = async ({ estimate, share, turns }: (typeof requests)[number]) => {
        const maximum = toMoney(estimate / 100)
        const reservation = await budget.reserve(maximum)
        committed += maximum
        expect(committed).toBeLessThanOrEqual(toMoney(1))
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        const cost = toMoney((estimate / 100) * share)
        committed += cost - maximum
        reservation.spend(cost)
        reservation.release()
        return true
      }
      const sent = await Promise.allSettled(requests.map(send))
      for (const { status, ...rest } of sent)
        if (status === 'rejected') expect(rest).toMatchObject({ reason: { name: 'BudgetReached' } })
      expect(budget.total().spent).toBe(committed)
    }),
  )
})
