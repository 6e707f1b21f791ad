import { sql } from 'kysely'
import type { BudgetBalance, BudgetDraw, DrawnBudget, Money } from '../../contract/index.ts'
import { checkId } from './check-arguments.ts'
import { changesOf, readText, rowsOf, type Operation } from './operation.ts'
import type { TableReader } from './schema.ts'
import { encodeText } from './text-codec.ts'

type Account = BudgetDraw['accounts'][number]

interface OpenAccount {
  account: Account
  names: { account: string; period: string }
  spent: Money
  assumed: Money
  heldByOthers: Money
  version: number
  needsRecount: boolean
  /** Only a draw that changes what was spent makes a recount out of date. */
  isChanged: boolean
  ownHold: Money | undefined
}

/**
 * Budgets that several processes pay from: each holds a part of what is left and says now and then what it has spent.
 * Spent and held together never exceed the limit, but for requests that cost more than their maximum.
 */
export class BudgetOperations {
  readonly #db: TableReader
  readonly #now: () => number

  constructor(db: TableReader, now: () => number) {
    this.#db = db
    this.#now = now
  }

  *draw(draw: BudgetDraw): Operation<DrawnBudget> {
    const opened: OpenAccount[] = []
    // In the same order for everyone, so that two processes cannot wait for each other.
    for (const account of draw.accounts.toSorted((a, b) => (accountKey(a) < accountKey(b) ? -1 : 1)))
      opened.push(yield* this.#open(account, draw))

    const isLost = draw.held > 0n && opened.some(({ ownHold }) => ownHold === undefined)
    let held = 0n
    if (!isLost) {
      for (const one of opened) {
        one.spent += draw.spent
        one.assumed += draw.assumed
        one.isChanged ||= draw.spent > 0n || draw.assumed > 0n
      }
      const room = opened.map(
        ({ account, spent, assumed, heldByOthers }) => account.limit - spent - assumed - heldByOthers - draw.kept,
      )
      const granted = [draw.wanted, ...room].reduce((least, amount) => (amount < least ? amount : least))
      held = draw.kept + (granted > 0n && granted >= draw.least ? granted : 0n)
    }
    for (const one of opened) yield* this.#save(one, held, draw)
    const balances = new Map(opened.map((one) => [accountKey(one.account), toBalance(one)]))
    return { isLost, held, balances: draw.accounts.map((account) => balances.get(accountKey(account))!) }
  }

  /** The update that changes nothing locks the account until the transaction ends, and counts what processes held that are gone. */
  *#open(account: Account, { holder, recount }: BudgetDraw): Operation<OpenAccount> {
    const names = { account: checkId(account.id, 'id of the budget'), period: encodeText(account.period ?? '') }
    const budgets = this.#db.updateTable('budgets').where('account', '=', names.account)
    yield* changesOf(
      this.#db
        .insertInto('budgets')
        .values({ ...names, spent: '0', assumed: '0', version: 0, needs_recount: 1 })
        .onConflict((conflict) => conflict.columns(['account', 'period']).doNothing()),
    )
    const [row] = yield* rowsOf(
      budgets
        .where('period', '=', names.period)
        .set((eb) => ({ version: eb.ref('version') }))
        .returning([
          sql<string>`CAST(spent AS text)`.as('spent'),
          sql<string>`CAST(assumed AS text)`.as('assumed'),
          'version',
          'needs_recount',
        ]),
    )
    const holds = yield* rowsOf(
      this.#db
        .selectFrom('budget_holds')
        .where('account', '=', names.account)
        .where('period', '=', names.period)
        .select(['holder', 'expires_at', sql<string>`CAST(amount AS text)`.as('amount')]),
    )
    const now = this.#now()
    const one: OpenAccount = {
      account,
      names,
      spent: BigInt(readText(row!.spent)),
      assumed: BigInt(readText(row!.assumed)),
      heldByOthers: 0n,
      version: row!.version,
      needsRecount: row!.needs_recount !== 0,
      isChanged: false,
      ownHold: undefined,
    }
    for (const hold of holds) {
      const amount = BigInt(readText(hold.amount))
      if (hold.expires_at < now) {
        one.assumed += amount
        one.needsRecount = true
        one.isChanged = true
      } else if (hold.holder === holder) one.ownHold = amount
      else one.heldByOthers += amount
    }
    if (holds.some((hold) => hold.expires_at < now))
      yield* changesOf(
        this.#db
          .deleteFrom('budget_holds')
          .where('account', '=', names.account)
          .where('period', '=', names.period)
          .where('expires_at', '<', now),
      )
    // The count covers what was stored at the time: nobody may have drawn since, or be about to add what it covers.
    const isCurrent = recount?.account === account.id && recount.version === one.version
    if (recount && isCurrent && one.heldByOthers === 0n)
      Object.assign(one, { spent: recount.spent, assumed: recount.assumed, needsRecount: false, isChanged: true })
    return one
  }

  *#save(one: OpenAccount, held: Money, { holder, leaseMs }: BudgetDraw): Operation<void> {
    const { names, spent, assumed, needsRecount } = one
    if (one.isChanged) {
      one.version++
      const changed = { spent: String(spent), assumed: String(assumed), needs_recount: needsRecount ? 1 : 0 }
      yield* changesOf(
        this.#db
          .updateTable('budgets')
          .where('account', '=', names.account)
          .where('period', '=', names.period)
          .set({ ...changed, version: one.version }),
      )
    }
    if (held === 0n) {
      if (one.ownHold !== undefined)
        yield* changesOf(
          this.#db
            .deleteFrom('budget_holds')
            .where('account', '=', names.account)
            .where('period', '=', names.period)
            .where('holder', '=', holder),
        )
      return
    }
    const hold = { amount: String(held), expires_at: this.#now() + leaseMs }
    yield* changesOf(
      this.#db
        .insertInto('budget_holds')
        .values({ ...names, holder, ...hold })
        .onConflict((conflict) => conflict.columns(['account', 'period', 'holder']).doUpdateSet(hold)),
    )
  }
}

function accountKey({ id, period = '' }: Account): string {
  return JSON.stringify([id, period])
}

function toBalance({ account, spent, assumed, heldByOthers, version, needsRecount }: OpenAccount): BudgetBalance {
  return { id: account.id, spent, assumed, heldByOthers, version, needsRecount }
}
