import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BudgetAccount, Storage } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { openStorage } from '../../storage/index.ts'
import { BudgetReached } from '../requesting/budget.ts'
import { openSharedBudget, type SharedBudget } from './shared-budget.ts'

let now: number
let storage: Storage
const opened: SharedBudget[] = []
beforeEach(async () => {
  now = 1_700_000_000_000
  storage = await openStorage({ file: ':memory:', now: () => now })
})
afterEach(async () => {
  for (const budget of opened.splice(0)) await budget.close()
  await storage.close()
})

const account = (limit: bigint, id = 'run:one'): BudgetAccount => ({ id, limit, label: `the budget ${id}` })
const open = async (
  accounts: BudgetAccount[],
  recount?: { account: string; sum(): Promise<{ spent: bigint; assumed: bigint }> },
) => {
  const budget = await openSharedBudget({ accounts: () => accounts, storage, recounts: recount ? [recount] : [] })
  opened.push(budget)
  return budget
}

describe('a budget that several processes pay from', () => {
  it('two together spend no more than there is, and a request waits for what the other returns', async () => {
    const [first, second] = [await open([account(100n)]), await open([account(100n)])]
    const reservation = await first.reserve(60n)
    let isAdmitted = false
    const waiting = second.reserve(60n).then((other) => {
      isAdmitted = true
      return other
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isAdmitted).toBe(false)
    reservation.spend(10n)
    reservation.release()
    const other = await waiting
    other.spend(60n)
    other.release()
    await expect(first.reserve(60n)).rejects.toThrow(BudgetReached)
    await second.close()
    await first.close()
    expect(first.total()).toEqual({ spent: 70n, assumed: 0n })
  })

  it('says which of several budgets is too small', async () => {
    const budget = await open([account(100n), account(20n, 'person:ann')])
    await expect(budget.reserve(30n)).rejects.toThrow('left of the budget person:ann')
    const reservation = await budget.reserve(20n)
    reservation.spend(undefined)
    reservation.release()
    await expect(budget.reserve(1n)).rejects.toThrow('left of the budget person:ann')
    expect(budget.total()).toEqual({ spent: 0n, assumed: 20n })
  })

  it('a budget that starts again has room again, in the middle of a run', async () => {
    let period = '2026-11'
    const accounts = () => [account(1000n), { ...account(100n, 'person:ann'), period }]
    const budget = await openSharedBudget({ accounts, storage })
    opened.push(budget)
    const late = await budget.reserve(90n)
    await expect(budget.reserve(101n)).rejects.toThrow('left of the budget person:ann')
    period = '2026-12'
    const next = await budget.reserve(100n)
    next.spend(100n)
    next.release()
    late.spend(90n)
    late.release()
    await expect(budget.reserve(1n)).rejects.toThrow('left of the budget person:ann')
    await budget.close()
    const draw = { holder: 'x', held: 0n, spent: 0n, assumed: 0n, kept: 0n, wanted: 0n, least: 0n, leaseMs: 1 }
    const { balances } = await storage.drawBudget({
      ...draw,
      accounts: ['2026-11', '2026-12'].map((month) => ({ ...account(100n, 'person:ann'), period: month })),
    })
    expect(balances).toMatchObject([{ spent: 0n, heldByOthers: 90n }, { spent: 100n }])
  })

  it('after a process died, the attempts say what is left', async () => {
    const dead = await openSharedBudget({ accounts: () => [account(100n)], storage })
    await dead.reserve(90n)
    now += 60_000
    let counts = 0
    const sum = async () => {
      counts++
      return { spent: 5n, assumed: 30n }
    }
    const budget = await open([account(100n)], { account: 'run:one', sum })
    expect(budget.total()).toEqual({ spent: 5n, assumed: 30n })
    const reservation = await budget.reserve(65n)
    expect(counts).toBe(1)
    await expect(budget.reserve(66n)).rejects.toThrow(BudgetReached)
    reservation.release()
  })

  it('one that was frozen past its lease does not pay twice', async () => {
    const frozen = await open([account(100n)])
    const reservation = await frozen.reserve(40n)
    now += 60_000
    const other = await open([account(100n)])
    expect(other.total().assumed).toBe(40n)
    reservation.spend(10n)
    reservation.release()
    await frozen.close()
    await other.close()
    const last = await open([account(100n)])
    expect(last.total()).toEqual({ spent: 0n, assumed: 40n })
  })

  it('many at once each get what they asked for, in few draws', async () => {
    let draws = 0
    const counting = {
      drawBudget: (draw: Parameters<Storage['drawBudget']>[0]) => {
        draws++
        return storage.drawBudget(draw)
      },
    }
    const budget = await openSharedBudget({ accounts: () => [account(10_000n)], storage: counting })
    opened.push(budget)
    const reservations = await Promise.all(Array.from({ length: 200 }, () => budget.reserve(10n)))
    for (const reservation of reservations) {
      reservation.spend(3n)
      reservation.release()
    }
    expect(draws).toBeLessThan(20)
    await budget.close()
    expect(budget.total()).toEqual({ spent: 600n, assumed: 0n })
  })

  it('a request that is cancelled while it waits is told so', async () => {
    const [first, second] = [await open([account(100n)]), await open([account(100n)])]
    const reservation = await first.reserve(100n)
    const controller = new AbortController()
    const waiting = second.reserve(10n, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toThrow('cancelled')
    reservation.release()
  })
})

/** Lets the database work, then moves the clock on. */
async function passTime(ms: number): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
  now += ms
  await vi.advanceTimersByTimeAsync(ms)
}

describe('many that pay from tight budgets', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
  )
  afterEach(() => void vi.useRealTimers())

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'never pass them and never stand still (seed %d)',
    async (seed) => {
      const random = createRandom(`shared budget ${seed}`)
      const draw = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
      const limit = BigInt(draw(50, 400))
      const personal = BigInt(draw(50, 400))
      // Some runs share the account of a person, each has one of its own.
      // Some need nearly half of it for each request, and have many of them at once.
      const [least, most] = seed % 2 === 0 ? [1, 60] : [Number(limit) * 0.35, Number(limit) * 0.45].map(Math.floor)
      const mostAtOnce = seed % 2 === 0 ? 4 : 25
      const processes = await Promise.all(
        Array.from({ length: draw(2, 9) }, (_, index) =>
          open([account(limit, `run:${index % 3}`), ...(index % 2 === 0 ? [account(personal, 'person:ann')] : [])]),
        ),
      )
      const spent = { limit: new Map<number, bigint>(), ann: 0n }
      const unended = new Set<symbol>()
      let refusals = 0
      for (const [index, budget] of processes.entries())
        for (let worker = draw(1, mostAtOnce); worker > 0; worker--) {
          const key = Symbol('worker')
          unended.add(key)
          void (async () => {
            try {
              for (let turn = draw(1, 12); turn > 0; turn--) {
                const estimate = BigInt(draw(least!, most!))
                const reservation = await budget.reserve(estimate)
                await new Promise((resolve) => setTimeout(resolve, draw(1, 900)))
                const cost = random() < 0.1 ? undefined : BigInt(draw(0, Math.ceil(Number(estimate) / 8)))
                reservation.spend(cost)
                reservation.release()
                const paid = cost ?? estimate
                spent.limit.set(index % 3, (spent.limit.get(index % 3) ?? 0n) + paid)
                if (index % 2 === 0) spent.ann += paid
              }
            } catch (error) {
              expect(error).toBeInstanceOf(BudgetReached)
              refusals++
            }
            unended.delete(key)
          })()
        }
      for (let second = 0; second < 1200 && unended.size > 0; second++) await passTime(100)
      expect(unended.size).toBe(0)
      for (const paid of spent.limit.values()) expect(paid).toBeLessThanOrEqual(limit)
      expect(spent.ann).toBeLessThanOrEqual(personal)
      // Who was refused would not have fitted in: less than the largest request was left somewhere.
      const left = [...spent.limit.values()].map((paid) => limit - paid)
      if (refusals > 0) expect([...left, personal - spent.ann].some((amount) => amount < BigInt(most!))).toBe(true)
    },
  )
})
