import {
  ClientError,
  startOfMonth,
  toDollars,
  toMoney,
  type BudgetAccount,
  type BudgetOwner,
  type ModelAnswer,
  type ModelRequest,
  type Money,
  type Person,
  type RunRequest,
} from '../../contract/index.ts'
import { createEstimator } from '../estimate.ts'
import { BudgetReached } from '../requesting/budget.ts'
import { costOf } from '../requesting/check-answer.ts'
import { isUnbilled } from '../requesting/retry.ts'
import type { RunTools } from '../run-tools.ts'
import { openSharedBudget, type Recount, type SharedBudget } from './shared-budget.ts'

/** What a person and a project may spend in a calendar month: every request of a run must fit into both. */
export interface MonthlyBudgets {
  /** Of the month in which it is called. */
  accounts(): BudgetAccount[]
  recounts: Recount[]
}

export async function findMonthlyBudgets(
  { startedBy, project }: Pick<RunRequest, 'startedBy' | 'project'>,
  { storage: { access }, clock }: Pick<RunTools, 'storage' | 'clock'>,
): Promise<MonthlyBudgets> {
  const owners: (BudgetOwner & { label: string })[] = [
    ...(startedBy ? [{ kind: 'person' as const, id: startedBy.id, label: startedBy.name }] : []),
    ...(project === undefined ? [] : [{ kind: 'project' as const, id: project, label: `the project ${project}` }]),
  ]
  const budgets = owners.length === 0 ? [] : await access.listBudgets()
  const found = owners.flatMap(({ label, ...owner }) => {
    const budget = budgets.find((one) => one.owner.kind === owner.kind && one.owner.id === owner.id)
    if (!budget) return []
    const { monthly } = budget
    return {
      owner,
      id: `${owner.kind}:${owner.id}`,
      limit: toMoney(monthly),
      label: `the budget of ${label} for this month`,
    }
  })
  return {
    accounts() {
      const period = new Date(clock.now()).toISOString().slice(0, 7)
      return found.map(({ id, limit, label }) => ({ id, limit, label, period }))
    },
    recounts: found.map(({ owner, id }) => ({
      account: id,
      // Requests of unknown cost count as much as they may have cost, until the next run counts what is stored.
      isAlwaysNeeded: true,
      sum: async () => ({ spent: toMoney(await access.sumSpending(owner, startOfMonth(clock.now()))), assumed: 0n }),
    })),
  }
}

type Send = () => Promise<ModelAnswer>

/**
 * Pays for requests outside of runs (calibrations, audits, generated cases, tried scorers) from the month's budget of whoever
 * sends them. Requests of one person that are in progress together share what they reserve.
 */
export function createPersonalSpending(
  toolsNow: () => Pick<RunTools, 'storage' | 'clock' | 'connect' | 'loadTokenCounter'>,
): (person: Person, request: ModelRequest, send: Send) => Promise<ModelAnswer> {
  const opened = new Map<string, { budget: Promise<SharedBudget | undefined>; users: number }>()

  const openBudget = async (person: Person): Promise<SharedBudget | undefined> => {
    const tools = toolsNow()
    const { accounts, recounts } = await findMonthlyBudgets({ startedBy: person }, tools)
    if (recounts.length === 0) return undefined
    return openSharedBudget({ accounts, storage: tools.storage, recounts })
  }

  async function withBudget<Result>(
    person: Person,
    use: (budget: SharedBudget | undefined) => Promise<Result>,
  ): Promise<Result> {
    const shared = opened.get(person.id) ?? { budget: openBudget(person), users: 0 }
    opened.set(person.id, shared)
    shared.users++
    try {
      return await use(await shared.budget)
    } finally {
      // Opened anew next time: an admin may have changed the budget meanwhile.
      if (--shared.users === 0) {
        opened.delete(person.id)
        await (await shared.budget.catch(() => undefined))?.close()
      }
    }
  }

  return async (person, request, send) => {
    const { storage, clock, connect, loadTokenCounter } = toolsNow()
    const prices = await connect({ cache: false }, 0)
      .readPrices([request.modelId])
      .catch(() => new Map())
    const price = prices.get(request.modelId)
    const book = async (cost: Money | undefined): Promise<void> => {
      if (cost) await storage.access.addSpending({ person: person.id, at: clock.now(), cost: toDollars(cost) })
    }
    return withBudget(person, async (budget) => {
      const estimate = price && createEstimator(prices, await loadTokenCounter())(request)
      const reservation = await budget?.reserve(estimate).catch((error: unknown) => {
        if (!(error instanceof BudgetReached)) throw error
        throw new ClientError('refused', error.message, { retryable: false, unbilled: true, cause: error })
      })
      try {
        const answer = await send()
        const cost = costOf(answer, price) ?? estimate
        reservation?.spend(cost)
        await book(cost)
        return answer
      } catch (error) {
        // Broken off half-way, it may be billed.
        const cost = error instanceof ClientError && isUnbilled(error) ? 0n : estimate
        reservation?.spend(cost)
        await book(cost)
        throw error
      } finally {
        reservation?.release()
      }
    })
  }
}
