import { randomUUID } from 'node:crypto'
import {
  ClientError,
  type BudgetAccount,
  type BudgetBalance,
  type BudgetDraw,
  type CancelSignal,
  type Money,
  type Storage,
} from '../../contract/index.ts'
import { BudgetReached, type Budget, type Spending } from '../requesting/budget.ts'

/** How often a process says what it has spent, and returns what it does not need. */
const REPORT_EVERY_MS = 1000

/** What a process holds counts as spent if it has not reported for this long. */
const LEASE_MS = 10_000

/** If there was too little a moment ago, there still is. */
const DRAW_AGAIN_MS = 50

/** While others draw all the time, a count of the attempts is never current. */
const MAX_RECOUNTS = 20

/** A budget is plenty if so many times what a process needs is left. */
const PLENTY = 8n

/** How often to ask again for what others hold: they return what they do not need every second. */
const ASK_AGAIN_MS = 300

export interface SharedBudgetOptions {
  /** At least one, always the same but for their periods. The first is the run's own. */
  accounts(): readonly BudgetAccount[]
  storage: Pick<Storage, 'drawBudget'>
  recounts?: readonly Recount[]
  leaseMs?: number
}

/** Adds up what the ledger of attempts says was spent from the account of this id. */
export interface Recount {
  account: string
  sum(): Promise<Spending>
  isAlwaysNeeded?: boolean
}

export interface SharedBudget extends Budget {
  close(): Promise<void>
}

/** What this process holds, and what it has spent of that since it last said so. */
interface Hold {
  id: string
  held: Money
  /** The most that requests in progress can cost. */
  inProgress: Money
  spent: Money
  assumed: Money
}

/** What to draw: part of it may do, but less than the smallest request that waits would only keep others from it. */
type Needed = Pick<BudgetDraw, 'wanted' | 'least'>

const NOTHING: Needed = { wanted: 0n, least: 0n }

const newHold = (): Hold => ({ id: randomUUID(), held: 0n, inProgress: 0n, spent: 0n, assumed: 0n })

/**
 * A budget that several processes pay from. Each holds a little more than its requests in progress may cost, so that few
 * requests wait for the database; one whose requests do not fit holds nothing while it waits. If it dies, all that it held
 * counts as spent until someone adds up the attempts.
 */
export async function openSharedBudget(options: SharedBudgetOptions): Promise<SharedBudget> {
  const { storage, recounts = [], leaseMs = LEASE_MS } = options
  let accounts = options.accounts()
  let hold = newHold()
  let balances: BudgetBalance[] = []
  let drawing: Promise<void> | undefined
  /** Reserved since the last report: about what will be needed until the next. */
  let recent = 0n
  let reporting: NodeJS.Timeout | undefined
  let drawAgainAt = 0
  const waiting = new Map<symbol, Money>()
  const released = new Set<() => void>()

  const free = () => hold.held - hold.inProgress - hold.spent - hold.assumed

  async function drawOnce({ wanted, least }: Needed, recount?: BudgetDraw['recount']): Promise<void> {
    const before = accounts
    accounts = options.accounts()
    // What was held for the month before expires there, and counts there until somebody adds up.
    if (accounts.some(({ period }, index) => period !== before[index]!.period)) hold = newHold()
    const current = hold
    const { spent, assumed } = current
    const {
      isLost,
      held,
      balances: seen,
    } = await storage.drawBudget({
      holder: current.id,
      accounts: accounts.map(({ id, limit, period }) => ({ id, limit, period })),
      held: current.held,
      spent,
      assumed,
      kept: current.inProgress,
      wanted,
      least,
      leaseMs,
      recount,
    })
    balances = seen
    // Requests in progress stay with the old hold, of which everything counts as spent already.
    if (isLost) hold = newHold()
    else {
      current.held = held
      current.spent -= spent
      current.assumed -= assumed
    }
  }

  /** One at a time: what a draw returns is what the next one starts from. */
  async function draw(needed: () => Needed, recount?: BudgetDraw['recount']): Promise<void> {
    for (let current = drawing; current; current = drawing) await current.catch(() => {})
    drawing = drawOnce(needed(), recount)
    try {
      await drawing
    } finally {
      drawing = undefined
    }
  }

  /** Towards the end of a budget nobody holds more than its requests in progress need. */
  const isPlenty = (amount: Money) =>
    accounts.every(({ limit }, index) => {
      const { spent = 0n, assumed = 0n, heldByOthers = 0n } = balances[index] ?? {}
      return limit - spent - assumed - heldByOthers > PLENTY * amount
    })

  /** Twice what is needed now: the next requests come soon, and most cost far less than their maximum. */
  const neededNow = (): Needed => {
    let sum = 0n
    let least: Money | undefined
    for (const estimate of waiting.values()) {
      sum += estimate
      if (least === undefined || estimate < least) least = estimate
    }
    return { wanted: isPlenty(sum) ? 2n * sum : sum, least: least ?? 0n }
  }

  const balanceOf = (id: string) => balances.find((balance) => balance.id === id)

  /** After a process died, only the attempts say what was spent. */
  async function recountNow({ account, sum }: Recount): Promise<void> {
    const { version } = balanceOf(account)!
    await draw(neededNow, { account, version, ...(await sum()) })
  }

  function startReporting(): void {
    reporting ??= setInterval(() => {
      const isIdle = hold.held === 0n && hold.spent === 0n && hold.assumed === 0n
      if (isIdle && waiting.size === 0) {
        clearInterval(reporting)
        reporting = undefined
        return
      }
      const needed = isPlenty(recent) ? recent : 0n
      recent = 0n
      // A failure here is tried again in a second; one that lasts is reported to whoever waits.
      if (!drawing) void draw(() => ({ wanted: needed, least: 0n })).catch(() => {})
    }, REPORT_EVERY_MS).unref()
  }

  function reserveNow(estimate: Money) {
    const own = hold
    own.inProgress += estimate
    recent += estimate
    startReporting()
    let isReleased = false
    return {
      spend(cost: Money | undefined) {
        if (cost === undefined) own.assumed += estimate
        else own.spent += cost
        startReporting()
      },
      release() {
        if (isReleased) return
        isReleased = true
        own.inProgress -= estimate
        for (const wake of released) wake()
      },
    }
  }

  /** The account that is too small for the request even when nothing is in progress. */
  const findEmpty = (estimate: Money) =>
    accounts.find(({ limit }, index) => {
      const { spent, assumed } = balances[index]!
      return spent + assumed + hold.spent + hold.assumed + estimate > limit
    })

  /** Ends when a request of this process has ended, or after a while. */
  function waitForRoom(signal: CancelSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        released.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ASK_AGAIN_MS)
      released.add(wake)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }

  /** Undefined while more may be left than it seems: others return what they hold, or the attempts say so. */
  async function findReached(estimate: Money, tries: number): Promise<BudgetAccount | undefined> {
    const empty = findEmpty(estimate)
    const recount = recounts.find(({ account }) => account === empty?.id)
    if (!empty || !recount) return empty
    const { needsRecount, heldByOthers } = balanceOf(empty.id)!
    if (!needsRecount || tries > MAX_RECOUNTS) return empty
    if (heldByOthers === 0n) await recountNow(recount)
    return undefined
  }

  async function reserve(estimate: Money, signal: CancelSignal | undefined) {
    const key = Symbol('request')
    waiting.set(key, estimate)
    try {
      for (let tries = 0; ; tries++) {
        if (signal?.aborted) throw new ClientError('cancelled', 'cancelled while waiting for room in the budget')
        // A draw on its way has already said what this process keeps.
        for (let current = drawing; current; current = drawing) await current.catch(() => {})
        if (free() >= estimate) return reserveNow(estimate)
        if (performance.now() >= drawAgainAt) {
          await draw(neededNow)
          if (free() < estimate) drawAgainAt = performance.now() + DRAW_AGAIN_MS
          continue
        }
        const reached = await findReached(estimate, tries)
        if (reached) throw new BudgetReached(`the next request could cost more than is left of ${reached.label}`)
        await waitForRoom(signal)
      }
    } finally {
      waiting.delete(key)
    }
  }

  await draw(() => NOTHING)
  for (const recount of recounts)
    if (recount.isAlwaysNeeded || balanceOf(recount.account)!.needsRecount) await recountNow(recount)

  return {
    reserve: async (estimate = 0n, signal) =>
      !drawing && free() >= estimate ? reserveNow(estimate) : reserve(estimate, signal),
    total() {
      const { spent = 0n, assumed = 0n } = balances[0] ?? {}
      return { spent: spent + hold.spent, assumed: assumed + hold.assumed }
    },
    async close() {
      clearInterval(reporting)
      reporting = undefined
      if (hold.held > 0n || hold.spent > 0n || hold.assumed > 0n) await draw(() => NOTHING)
    },
  }
}
