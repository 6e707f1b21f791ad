import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BudgetDraw, DrawnBudget, Storage } from '../../contract/index.ts'
import type { TestedDriver } from './tested-drivers.ts'

const account = { id: 'run:one', limit: 100n }

const draw = (change: Partial<BudgetDraw> = {}): BudgetDraw => ({
  holder: 'a',
  accounts: [account],
  held: 0n,
  spent: 0n,
  assumed: 0n,
  kept: 0n,
  wanted: 0n,
  least: 0n,
  leaseMs: 1000,
  ...change,
})

/** Rules for budgets that several processes pay from (src/contract/processes/budget.ts). */
export function describeBudgets(driver: TestedDriver): void {
  describe('budgets', () => {
    let now: number
    let storage: Storage
    beforeEach(async () => {
      now = 1_700_000_000_000
      storage = await (await driver.createDatabase()).open({ now: () => now })
    })
    afterEach(() => storage.close())

    it('a part that is of no use stays with the budget', async () => {
      await storage.drawBudget(draw({ wanted: 70n }))
      const small = draw({ holder: 'b', wanted: 40n, least: 40n })
      expect(await storage.drawBudget(small)).toMatchObject({ held: 0n })
      expect(await storage.drawBudget({ ...small, least: 30n })).toMatchObject({ held: 30n })
      // What is in progress is kept, and nothing is added to it.
      expect(await storage.drawBudget({ ...small, held: 30n, kept: 20n, least: 11n })).toMatchObject({ held: 20n })
      expect(await storage.drawBudget(draw({ held: 70n, kept: 70n, wanted: 10n, least: 10n }))).toMatchObject({
        held: 80n,
      })
    })

    it('what all hold and have spent never exceeds the limit', async () => {
      expect(await storage.drawBudget(draw({ wanted: 70n }))).toMatchObject({ isLost: false, held: 70n })
      expect(await storage.drawBudget(draw({ holder: 'b', wanted: 70n }))).toMatchObject({
        held: 30n,
        balances: [{ id: 'run:one', spent: 0n, heldByOthers: 70n }],
      })
      // Spends 20, keeps 10 for a request in progress and returns the rest.
      expect(await storage.drawBudget(draw({ held: 70n, spent: 20n, kept: 10n }))).toMatchObject({
        held: 10n,
        balances: [{ spent: 20n, heldByOthers: 30n }],
      })
      expect(await storage.drawBudget(draw({ holder: 'b', held: 30n, kept: 30n, wanted: 100n }))).toMatchObject({
        held: 70n,
      })
      expect(await storage.drawBudget(draw({ held: 10n, spent: 3n, assumed: 7n }))).toMatchObject({
        held: 0n,
        balances: [{ spent: 23n, assumed: 7n, heldByOthers: 70n }],
      })
    })

    it('a request must fit into all accounts; periods of an account are apart', async () => {
      const person = { id: 'person:ann', limit: 40n, period: '2026-11' }
      const accounts = [account, person]
      expect(await storage.drawBudget(draw({ accounts, wanted: 90n }))).toMatchObject({
        held: 40n,
        balances: [{ id: 'run:one' }, { id: 'person:ann' }],
      })
      await storage.drawBudget(draw({ accounts, held: 40n, spent: 40n }))
      expect(await storage.drawBudget(draw({ accounts, wanted: 10n }))).toMatchObject({ held: 0n })
      const nextMonth = [account, { ...person, period: '2026-12' }]
      expect(await storage.drawBudget(draw({ accounts: nextMonth, wanted: 90n }))).toMatchObject({
        held: 40n,
        balances: [{ spent: 40n }, { spent: 0n }],
      })
    })

    it('what a process held that is gone counts as spent, until the attempts are added up', async () => {
      await storage.drawBudget(draw({ recount: { account: 'run:one', spent: 0n, assumed: 0n, version: 0 } }))
      await storage.drawBudget(draw({ wanted: 60n }))
      now += 1001
      const after = await storage.drawBudget(draw({ holder: 'b', wanted: 100n }))
      expect(after).toMatchObject({ held: 40n, balances: [{ spent: 0n, assumed: 60n, needsRecount: true }] })
      // It was only frozen: what it says now is covered already.
      const frozen = await storage.drawBudget(draw({ held: 60n, spent: 50n, wanted: 10n }))
      expect(frozen).toMatchObject({ isLost: true, held: 0n, balances: [{ spent: 0n, assumed: 60n }] })

      const recount = { account: 'run:one', spent: 15n, assumed: 5n, version: frozen.balances[0]!.version }
      const early = await storage.drawBudget(draw({ recount }))
      expect(early.balances[0]).toMatchObject({ assumed: 60n, needsRecount: true })
      const counted = await storage.drawBudget(draw({ holder: 'b', held: 40n, recount }))
      expect(counted.balances[0]).toMatchObject({ spent: 15n, assumed: 5n, needsRecount: false })
    })

    it('a count of the attempts that is out of date changes nothing', async () => {
      const first = await storage.drawBudget(draw({ wanted: 10n }))
      await storage.drawBudget(draw({ held: 10n, spent: 10n }))
      const recount = { account: 'run:one', spent: 0n, assumed: 0n, version: first.balances[0]!.version }
      expect((await storage.drawBudget(draw({ recount }))).balances[0]).toMatchObject({ spent: 10n })
    })

    it('amounts beyond 2^53 stay exact', async () => {
      const limit = 2n ** 62n
      const accounts = [{ id: 'project:large', limit }]
      await storage.drawBudget(draw({ accounts, wanted: limit }))
      const spent = 2n ** 61n + 1n
      expect(await storage.drawBudget(draw({ accounts, held: limit, spent, wanted: limit }))).toMatchObject({
        held: limit - spent,
        balances: [{ spent }],
      })
    })

    it('20 that draw at once share exactly what there is', async () => {
      const drawn: DrawnBudget[] = await Promise.all(
        Array.from({ length: 20 }, (_, index) => storage.drawBudget(draw({ holder: `p${index}`, wanted: 7n }))),
      )
      expect(drawn.reduce((sum, { held }) => sum + held, 0n)).toBe(100n)
    })

    it('two that name the same accounts in another order do not block each other', async () => {
      const other = { id: 'project:x', limit: 1000n }
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.drawBudget(
            draw({
              holder: `p${index}`,
              accounts: index % 2 === 0 ? [account, other] : [other, account],
              wanted: 1n,
            }),
          ),
        ),
      )
      const { balances } = await storage.drawBudget(draw({ holder: 'last', accounts: [other, account] }))
      expect(balances.map(({ heldByOthers }) => heldByOthers)).toEqual([20n, 20n])
    })
  })
}
