import { startOfMonth, toMoney, type BudgetAccount, type BudgetOwner, type RunRequest } from '../../contract/index.ts'
import type { RunTools } from '../run-tools.ts'
import type { Recount } from './shared-budget.ts'

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
