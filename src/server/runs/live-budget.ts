import { sumDollars, toDollars, toMoney, type Money, type RunRequest, type Storage } from '../../contract/index.ts'
import { formatCost } from '../../report/words/index.ts'
import { Refusal } from '../http/refusal.ts'

/** What is left of the budget of the whole series, in dollars. */
export function leftOf({ maxCost }: RunRequest, spent: Money): number | undefined {
  if (maxCost === undefined) return undefined
  const left = toMoney(maxCost) - spent
  return toDollars(left > 0n ? left : 0n)
}

/** What the requests of these runs have cost, judges' included; `unknown` of them are not in it. */
export async function sumCosts(
  storage: Storage,
  runIds: readonly string[],
): Promise<{ spent: Money; unknown: number }> {
  let unknown = 0
  let spent = 0n
  for (const id of runIds) {
    const attempts = await storage.loadAttempts(id)
    spent += toMoney(sumDollars(attempts.map(({ end }) => end?.cost ?? 0)))
    unknown += attempts.filter(({ end }) => end && end.cost === undefined && end.outcome !== 'cancelled').length
  }
  return { spent, unknown }
}

/** A new budget below what is spent would stop the run before its next request. */
export function checkNewBudget(maxCost: number | undefined, spent: Money): void {
  if (maxCost === undefined || toMoney(maxCost) > spent) return
  const message = `${formatCost(toDollars(spent))} is spent already: a budget to go on with must be more than that, for all runs of a series together.`
  throw new Refusal(422, 'budget-spent', message, [{ path: ['maxCost'], message }])
}
