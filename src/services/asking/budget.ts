import { ClientError, toMoney, type CancelSignal, type Money } from '../../contract/index.ts'

/** The cap would be passed by the next request: nothing more is sent. */
export class BudgetReached extends Error {
  override name = 'BudgetReached'
}

/** What is set aside for one request. */
interface Reservation {
  /** An answer came: what it really cost, or nothing where nobody knows, and then all that was set aside is taken as used. */
  spend(cost: Money | undefined): void
  /** The request is over; what it did not spend is free for others. */
  giveBack(): void
}

/** Keeps what was spent, and what requests under way may still cost, below a cap. */
export interface Budget {
  /**
   * Sets aside what a request may cost at most. Where that does not fit beside the requests under way, it waits for them:
   * most cost far less than they could. Throws `BudgetReached` when it would not fit with nothing under way either.
   */
  reserve(estimate: Money | undefined, signal?: CancelSignal): Promise<Reservation>
  /** What is known to be spent. */
  spent(): Money
}

export function createBudget(maxCostDollars: number | undefined, alreadySpent: Money = 0n): Budget {
  const cap = maxCostDollars === undefined ? undefined : toMoney(maxCostDollars)
  let spent = alreadySpent
  /** Of answers that did not tell what they cost. */
  let assumed = 0n
  let reserved = 0n
  const waiting = new Set<() => void>()

  const fits = (estimate: Money) => cap === undefined || spent + assumed + reserved + estimate <= cap
  const canEverFit = (estimate: Money) => cap === undefined || spent + assumed + estimate <= cap

  function setAside(estimate: Money): Reservation {
    reserved += estimate
    let isReturned = false
    return {
      spend(cost) {
        if (cost === undefined) assumed += estimate
        else spent += cost
      },
      giveBack() {
        if (isReturned) return
        isReturned = true
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
          resolve(setAside(estimate))
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
    reserve: async (estimate = 0n, signal) => (fits(estimate) ? setAside(estimate) : waitForRoom(estimate, signal)),
    spent: () => spent,
  }
}
