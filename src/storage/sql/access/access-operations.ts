import {
  toMoney,
  type Account,
  type AccountChange,
  type Activity,
  type BudgetOwner,
  type Invitation,
  type SealedKey,
} from '../../../contract/index.ts'
import type { SqlDialect } from '../../migrations/data-definition.ts'
import { accountRow, activityRow, invitationRow } from './access-rows.ts'
import { textColumn } from '../columns.ts'
import { changesOf, rowsOf, type Operation } from '../operation.ts'
import type { TableReader } from '../schema.ts'
import { encodeText } from '../text-codec.ts'
import { OUTSIDE_RUNS } from './spending.ts'

/** Writes of `AccessStorage`, each in one transaction. */
export class AccessOperations {
  readonly #db: TableReader
  readonly #dialect: SqlDialect

  constructor({ db, dialect }: { db: TableReader; dialect: SqlDialect }) {
    this.#db = db
    this.#dialect = dialect
  }

  /** Changes of accounts wait for each other, so that two admins cannot demote each other at once. */
  *#lockAccounts(): Operation<void> {
    if (this.#dialect === 'postgres') yield { sql: 'SELECT pg_advisory_xact_lock(8271946351)', parameters: [] }
  }

  *createAccount(account: Account, invitation?: string): Operation<'created' | 'invitation-over' | 'login-taken'> {
    yield* this.#lockAccounts()
    const row = accountRow(account)
    const taken = yield* rowsOf(
      this.#db
        .selectFrom('accounts')
        .where((eb) =>
          eb.or([
            eb('id', '=', row.id),
            eb('login', '=', row.login),
            ...(row.subject === null ? [] : [eb('subject', '=', row.subject)]),
          ]),
        )
        .select('id'),
    )
    if (taken.length > 0) return 'login-taken'
    if (invitation !== undefined) {
      const isUsed = yield* this.useInvitation(invitation, account.createdAt)
      if (!isUsed) return 'invitation-over'
    }
    yield* changesOf(this.#db.insertInto('accounts').values(row))
    return 'created'
  }

  *changeAccount(id: string, change: AccountChange): Operation<'changed' | 'missing' | 'last-admin'> {
    yield* this.#lockAccounts()
    const key = encodeText(id)
    const accounts = yield* rowsOf(this.#db.selectFrom('accounts').select(['id', 'login', 'role', 'disabled_at']))
    const before = accounts.find((account) => account.id === key)
    if (!before) return 'missing'
    const { name, role = before.role, password, disabledAt = before.disabled_at } = change
    const isAdmin = (account: typeof before) => account.role === 'admin' && account.disabled_at === null
    const remaining = accounts.filter((account) => account.id !== key && isAdmin(account))
    if (isAdmin(before) && !(role === 'admin' && disabledAt === null) && remaining.length === 0) return 'last-admin'
    const login = change.login === undefined ? before.login : encodeText(change.login)
    const isTaken = accounts.some((account) => account.id !== key && account.login === login)
    yield* changesOf(
      this.#db
        .updateTable('accounts')
        .set({
          role,
          login: isTaken ? before.login : login,
          disabled_at: disabledAt,
          ...(name !== undefined && { name: encodeText(name) }),
          ...(password !== undefined && { password }),
        })
        .where('id', '=', key),
    )
    const mayStay = role === before.role && disabledAt === before.disabled_at && password === undefined
    if (!mayStay) yield* this.endSessions(id)
    return 'changed'
  }

  *saveInvitation(invitation: Invitation): Operation<void> {
    yield* changesOf(this.#db.insertInto('invitations').values(invitationRow(invitation)))
  }

  *useInvitation(hash: string, now: number): Operation<boolean> {
    const used = yield* changesOf(
      this.#db
        .updateTable('invitations')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('ends_at', '>', now),
    )
    return used > 0
  }

  *deleteInvitation(hash: string): Operation<boolean> {
    const deleted = yield* changesOf(
      this.#db.deleteFrom('invitations').where('hash', '=', hash).where('used_at', 'is', null),
    )
    return deleted > 0
  }

  *openSession(session: { hash: string; account: string; openedAt: number; endsAt: number }): Operation<void> {
    const { hash, account, openedAt, endsAt } = session
    yield* changesOf(this.#db.deleteFrom('sign_ins').where('ends_at', '<', openedAt))
    const row = { hash, account: encodeText(account), opened_at: openedAt, ends_at: endsAt }
    yield* changesOf(this.#db.insertInto('sign_ins').values(row))
  }

  *endSession(hash: string): Operation<void> {
    yield* changesOf(this.#db.deleteFrom('sign_ins').where('hash', '=', hash))
  }

  *endSessions(account: string): Operation<void> {
    yield* changesOf(this.#db.deleteFrom('sign_ins').where('account', '=', encodeText(account)))
  }

  *saveSealedKey({ name, sealed, savedAt, savedBy }: SealedKey): Operation<void> {
    const columns = { sealed, saved_at: savedAt, saved_by: textColumn(savedBy) }
    yield* changesOf(
      this.#db
        .insertInto('sealed_keys')
        .values({ name: encodeText(name), ...columns })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(columns)),
    )
  }

  *replaceSealedKeys(replacements: { name: string; from: string; to: string }[]): Operation<boolean> {
    const stored = yield* rowsOf(
      this.#db
        .selectFrom('sealed_keys')
        .select(['name', 'sealed'])
        .$if(this.#dialect === 'postgres', (query) => query.forUpdate()),
    )
    const sealedOf = new Map(stored.map(({ name, sealed }) => [name, sealed]))
    if (replacements.some(({ name, from }) => sealedOf.get(encodeText(name)) !== from)) return false
    for (const { name, to } of replacements)
      yield* changesOf(this.#db.updateTable('sealed_keys').set({ sealed: to }).where('name', '=', encodeText(name)))
    return true
  }

  *deleteSealedKey(name: string): Operation<boolean> {
    return (yield* changesOf(this.#db.deleteFrom('sealed_keys').where('name', '=', encodeText(name)))) > 0
  }

  *addActivity(activity: Activity): Operation<void> {
    yield* changesOf(this.#db.insertInto('activity').values(activityRow(activity)))
  }

  *saveBudget({ kind, id }: BudgetOwner, monthly: number | undefined): Operation<void> {
    const owner = encodeText(id)
    yield* changesOf(this.#db.deleteFrom('monthly_budgets').where('kind', '=', kind).where('owner', '=', owner))
    if (monthly === undefined) return
    yield* changesOf(this.#db.insertInto('monthly_budgets').values({ kind, owner, monthly: toMoney(monthly) }))
  }

  *addSpending({ person, at, cost }: { person: string; at: number; cost: number }): Operation<void> {
    const row = { run: OUTSIDE_RUNS, person: encodeText(person), project: null, at, cost: toMoney(cost) }
    yield* changesOf(this.#db.insertInto('spending').values(row))
  }
}
