import { toMoney, type Money } from '../contract/index.ts'

/** The cap would be passed by the next request: nothing more is sent. */
export class BudgetReached extends Error {
  override name = 'BudgetReached'
}

/** Keeps what was spent, and what requests under way may still cost, below a cap. */
export interface Budget {
  /** Sets aside what a request may cost at most; throws `BudgetReached` when that would pass the cap. */
  reserve(estimate: Money | undefined): () => void
  /** Adds what was really spent. */
  spend(cost: Money | undefined): void
  spent(): Money
}

export function createBudget(maxCostDollars: number | undefined, alreadySpent: Money = 0n): Budget {
  const cap = maxCostDollars === undefined ? undefined : toMoney(maxCostDollars)
  let spent = alreadySpent
  let reserved = 0n
  return {
    reserve(estimate = 0n) {
      if (cap !== undefined && spent + reserved + estimate > cap)
        throw new BudgetReached(`the next request could cost more than is left of the budget of ${maxCostDollars} dollars`)
      reserved += estimate
      let isReturned = false
      return () => {
        if (isReturned) return
        isReturned = true
        reserved -= estimate
      }
    },
    spend(cost = 0n) {
      spent += cost
    },
    spent: () => spent,
  }
}
