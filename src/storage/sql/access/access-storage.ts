import { sql, type SqlBool } from 'kysely'
import {
  foldText,
  toDollars,
  type AccessStorage,
  toMoney,
  type Account,
  type AccountChange,
  type Activity,
  type ApiToken,
  type BudgetOwner,
  type Invitation,
  type SealedKey,
} from '../../../contract/index.ts'
import type { SqlDialect } from '../../migrations/migration.ts'
import {
  readAccount,
  readActivity,
  readApiToken,
  readInvitation,
  readSealedKey,
  accountRow,
  activityRow,
  invitationRow,
} from './access-rows.ts'
import { readMoney, textColumn } from '../columns.ts'
import { type Operation, changesOf, rowsOf } from '../operation.ts'
import type { TableReader } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'
import { sumByOwner, OUTSIDE_RUNS } from './spending.ts'

/** Writes of `AccessStorage`, each in one transaction. */
class AccessOperations {
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
    if (used === 0) return false
    // Other links to the same person would set the password once more.
    const login = this.#db.selectFrom('invitations').select('login').where('hash', '=', hash)
    yield* changesOf(this.#db.deleteFrom('invitations').where('login', '=', login).where('used_at', 'is', null))
    return true
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

  *saveApiToken({ hash, account, name, role, createdAt, endsAt, usedAt }: ApiToken): Operation<void> {
    const texts = { account: encodeText(account), name: encodeText(name) }
    const row = { hash, ...texts, role, created_at: createdAt, ends_at: endsAt, used_at: usedAt ?? null }
    yield* changesOf(this.#db.insertInto('api_tokens').values(row))
  }

  *noteApiTokenUse(hash: string, at: number): Operation<void> {
    yield* changesOf(this.#db.updateTable('api_tokens').set({ used_at: at }).where('hash', '=', hash))
  }

  *deleteApiTokens(account: string, hash?: string): Operation<boolean> {
    const own = this.#db.deleteFrom('api_tokens').where('account', '=', encodeText(account))
    return (yield* changesOf(hash === undefined ? own : own.where('hash', '=', hash))) > 0
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

interface AccessDriver {
  db: TableReader
  dialect: SqlDialect
  write: <Result>(operation: () => Operation<Result>) => Promise<Result>
  read: <Result>(query: () => Promise<Result>) => Promise<Result>
}

const MAX_PAGE = 100_000

function containsWord(word: string, dialect: SqlDialect) {
  const where = sql.ref('activity.words')
  return dialect === 'sqlite' ? sql<SqlBool>`instr(${where}, ${word}) > 0` : sql<SqlBool>`strpos(${where}, ${word}) > 0`
}

/** Implements `AccessStorage` on top of either database. */
export function createAccessStorage({ db, dialect, write, read }: AccessDriver): AccessStorage {
  const operations = new AccessOperations({ db, dialect })
  const accounts = () => db.selectFrom('accounts').selectAll('accounts')

  return {
    findAccount: (by) =>
      read(async () => {
        const [column, value] = Object.entries(by)[0] as ['id' | 'login' | 'subject', string]
        const row = await accounts().where(`accounts.${column}`, '=', encodeText(value)).executeTakeFirst()
        return row && readAccount(row)
      }),
    listAccounts: () => read(async () => (await accounts().orderBy('name').orderBy('id').execute()).map(readAccount)),
    createAccount: (account, invitation) => write(() => operations.createAccount(account, invitation)),
    changeAccount: (id, change) => write(() => operations.changeAccount(id, change)),

    saveInvitation: (invitation) => write(() => operations.saveInvitation(invitation)),
    findInvitation: (hash) =>
      read(async () => {
        const row = await db.selectFrom('invitations').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && readInvitation(row)
      }),
    listInvitations: () =>
      read(async () => {
        const open = db.selectFrom('invitations').selectAll().where('used_at', 'is', null)
        return (await open.orderBy('created_at', 'desc').orderBy('hash').execute()).map(readInvitation)
      }),
    useInvitation: (hash, now) => write(() => operations.useInvitation(hash, now)),
    deleteInvitation: (hash) => write(() => operations.deleteInvitation(hash)),

    openSession: (session) => write(() => operations.openSession(session)),
    findSession: (hash, now) =>
      read(async () => {
        const row = await accounts()
          .innerJoin('sign_ins', 'sign_ins.account', 'accounts.id')
          .where('sign_ins.hash', '=', hash)
          .where('sign_ins.ends_at', '>', now)
          .where('accounts.disabled_at', 'is', null)
          .executeTakeFirst()
        return row && readAccount(row)
      }),
    endSession: (hash) => write(() => operations.endSession(hash)),
    endSessions: (account) => write(() => operations.endSessions(account)),

    saveApiToken: (token) => write(() => operations.saveApiToken(token)),
    findApiToken: (hash) =>
      read(async () => {
        const row = await db.selectFrom('api_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && readApiToken(row)
      }),
    listApiTokens: (account) =>
      read(async () => {
        const own = db.selectFrom('api_tokens').selectAll().where('account', '=', encodeText(account))
        return (await own.orderBy('created_at', 'desc').orderBy('hash').execute()).map(readApiToken)
      }),
    noteApiTokenUse: (hash, at) => write(() => operations.noteApiTokenUse(hash, at)),
    deleteApiTokens: (account, hash) => write(() => operations.deleteApiTokens(account, hash)),

    listSealedKeys: () =>
      read(async () => (await db.selectFrom('sealed_keys').selectAll().orderBy('name').execute()).map(readSealedKey)),
    saveSealedKey: (key) => write(() => operations.saveSealedKey(key)),
    replaceSealedKeys: (replacements) => write(() => operations.replaceSealedKeys(replacements)),
    deleteSealedKey: (name) => write(() => operations.deleteSealedKey(name)),

    addActivity: (activity) => write(() => operations.addActivity(activity)),
    listActivity: ({ words = [], limit = MAX_PAGE, offset = 0 } = {}) =>
      read(async () => {
        const wanted = words.map((word) => foldText(word).trim()).filter((word) => word !== '')
        const found = db
          .selectFrom('activity')
          .where((eb) =>
            wanted.length === 0 ? sql<SqlBool>`1 = 1` : eb.and(wanted.map((word) => containsWord(word, dialect))),
          )
        const rows = await found.selectAll().orderBy('number', 'desc').limit(limit).offset(offset).execute()
        const counted = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
        return { entries: rows.map(readActivity), total: Number(counted.total) }
      }),

    listBudgets: () =>
      read(async () => {
        const rows = await db
          .selectFrom('monthly_budgets')
          .select((eb) => ['kind', 'owner', eb.cast<string>('monthly', 'text').as('monthly')])
          .orderBy('kind')
          .orderBy('owner')
          .execute()
        return rows.map(({ kind, owner, monthly }) => ({
          owner: { kind, id: decodeText(owner) },
          monthly: readMoney(monthly) ?? 0,
        }))
      }),
    saveBudget: (owner, monthly) => write(() => operations.saveBudget(owner, monthly)),
    sumSpending: ({ kind, id }, from) =>
      read(async () => toDollars((await sumByOwner(db, { kind, id, from })).get(id) ?? 0n)),
    listSpending: (from) =>
      read(async () => {
        const lists = (['person', 'project'] as const).map(async (kind) =>
          [...(await sumByOwner(db, { kind, from }))].map(([id, spent]) => ({
            owner: { kind, id },
            spent: toDollars(spent),
          })),
        )
        return (await Promise.all(lists)).flat()
      }),
    addSpending: (spending) => write(() => operations.addSpending(spending)),
  }
}
