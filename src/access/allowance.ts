import { startOfMonth, type BudgetOwner, type Storage } from '../contract/index.ts'

/** What a budget leaves for the rest of the month. */
export interface Allowance {
  owner: BudgetOwner
  /** US dollars a month. */
  monthly: number
  spent: number
  /** At least 0. */
  left: number
}

/** What each budget of these owners leaves; owners without a budget are left out. */
export async function listAllowances(
  owners: readonly BudgetOwner[],
  { storage, now }: { storage: Storage; now: number },
): Promise<Allowance[]> {
  const budgets = await storage.access.listBudgets()
  const allowances: Allowance[] = []
  for (const owner of owners) {
    const budget = budgets.find((one) => one.owner.kind === owner.kind && one.owner.id === owner.id)
    if (!budget) continue
    const spent = await storage.access.sumSpending(owner, startOfMonth(now))
    allowances.push({ ...budget, spent, left: Math.max(0, budget.monthly - spent) })
  }
  return allowances
}

/** The budget that leaves the least; undefined if there is none. */
export function findTightest(allowances: readonly Allowance[]): Allowance | undefined {
  return allowances.toSorted((a, b) => a.left - b.left)[0]
}
