import { sql, type SqlBool } from 'kysely'
import { foldText, toDollars, type AccessStorage } from '../../../contract/index.ts'
import type { SqlDialect } from '../../migrations/data-definition.ts'
import { AccessOperations } from './access-operations.ts'
import { readAccount, readActivity, readInvitation, readSealedKey } from './access-rows.ts'
import { readMoney } from '../columns.ts'
import type { Operation } from '../operation.ts'
import type { TableReader } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'
import { sumByOwner } from './spending.ts'

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
