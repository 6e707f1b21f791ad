import { ClientError, toMoney, type CancelSignal, type Money } from '../../contract/index.ts'

/** The next request could exceed the budget, so nothing more is sent. */
export class BudgetReached extends Error {
  override name = 'BudgetReached'
}

/** The amount reserved for one request. */
interface Reservation {
  /** Records what the request cost; if unknown, its maximum counts as spent. */
  spend(cost: Money | undefined): void
  /** The request has ended: frees what it did not spend. */
  release(): void
}

/** Keeps the sum of what was spent and what requests in progress may still cost within a cap. */
export interface Budget {
  /**
   * Reserves the maximum cost of a request. If it does not fit alongside the requests in progress, waits for them: most
   * cost far less than their maximum. Throws `BudgetReached` if it would not fit even with nothing in progress.
   */
  reserve(estimate: Money | undefined, signal?: CancelSignal): Promise<Reservation>
  total(): Spending
}

/** Counted separately, because only the first is certain. */
export interface Spending {
  /** The known costs. */
  spent: Money
  /** The maximum cost of requests whose actual cost is unknown. */
  assumed: Money
}

export const noSpending: Spending = { spent: 0n, assumed: 0n }

export function createBudget(maxCostDollars: number | undefined, before: Spending = noSpending): Budget {
  const cap = maxCostDollars === undefined ? undefined : toMoney(maxCostDollars)
  let { spent, assumed } = before
  let reserved = 0n
  const waiting = new Set<() => void>()

  const fits = (estimate: Money) => cap === undefined || spent + assumed + reserved + estimate <= cap
  const canEverFit = (estimate: Money) => cap === undefined || spent + assumed + estimate <= cap

  function reserveNow(estimate: Money): Reservation {
    reserved += estimate
    let isReleased = false
    return {
      spend(cost) {
        if (cost === undefined) assumed += estimate
        else spent += cost
      },
      release() {
        if (isReleased) return
        isReleased = true
        reserved -= estimate
        for (const tryAgain of waiting) tryAgain()
      },
    }
  }

  function waitForRoom(estimate: Money, signal: CancelSignal | undefined): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        waiting.delete(tryAgain)
        signal?.removeEventListener('abort', cancel)
      }
      const cancel = () => {
        stopWaiting()
        reject(new ClientError('cancelled', 'cancelled while waiting for room in the budget'))
      }
      const tryAgain = () => {
        if (fits(estimate)) {
          stopWaiting()
          resolve(reserveNow(estimate))
        } else if (!canEverFit(estimate)) {
          stopWaiting()
          reject(
            new BudgetReached(
              `the next request could cost more than is left of the budget of ${maxCostDollars} dollars`,
            ),
          )
        }
      }
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      waiting.add(tryAgain)
      tryAgain()
      return undefined
    })
  }

  return {
    reserve: async (estimate = 0n, signal) => (fits(estimate) ? reserveNow(estimate) : waitForRoom(estimate, signal)),
    total: () => ({ spent, assumed }),
  }
}
