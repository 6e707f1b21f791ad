import { StorageError } from '../../contract/index.ts'
import { createTable, type SqlDialect, type Table, type Migration } from './migration.ts'
import { runs } from './0001-runs.ts'
import { documents } from './0002-documents.ts'
import { requests } from './0003-requests.ts'
import { labels } from './0004-labels.ts'
import { raters } from './0005-raters.ts'
import { cachedAnswers } from './0006-cached-answers.ts'
import { providerLimitTables } from './0007-provider-limits.ts'
import { access } from './0008-access.ts'
import { spending } from './0009-spending.ts'
import { updatesInPlace } from './0010-updates-in-place.ts'
import { kinds } from './0011-kinds.ts'
import { waitingClaims } from './0012-waiting-claims.ts'
import { apiTokens } from './0013-api-tokens.ts'
import { hosts } from './0014-hosts.ts'
import { events } from './0015-events.ts'
import { readInteger, readText, type Operation } from '../sql/operation.ts'

/** Version n is the n-th entry. Only ever append: databases created by the earlier ones exist. */
export const migrations: Migration[] = [
  runs,
  documents,
  requests,
  labels,
  raters,
  cachedAnswers,
  providerLimitTables,
  access,
  spending,
  updatesInPlace,
  kinds,
  waitingClaims,
  apiTokens,
  hosts,
  events,
]

/** The tables that a database of this version has. */
export function tablesOfVersion(version: number): string[] {
  const made = migrations.slice(0, version)
  const dropped = new Set(made.flatMap(({ drops = [] }) => drops))
  return made.flatMap(({ tables = [] }) => tables.map(({ name }) => name)).filter((name) => !dropped.has(name))
}

const migrationsTable: Table = {
  name: 'benchmaker_migrations',
  comment: 'Which changes to the tables have been made',
  columns: {
    version: { type: 'integer', rule: 'PRIMARY KEY', comment: 'counts from 1' },
    name: { type: 'text', rule: 'NOT NULL', comment: 'what it brought' },
    applied_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
  },
}

const listTables: Record<SqlDialect, string> = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgres: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
}

/**
 * When several programs start at once, one upgrades the tables; the others wait here, however long it takes, and then
 * find everything in place. Other locks keep their limit: a program in use may hold a table that must change.
 */
const takeLock: Record<SqlDialect, string[]> = {
  sqlite: [],
  postgres: [
    'SET LOCAL lock_timeout = 0',
    'SELECT pg_advisory_xact_lock(8271946350)',
    'SET LOCAL lock_timeout TO DEFAULT',
  ],
}

interface MigrateOptions {
  dialect: SqlDialect
  /** For messages: the file, or the server and database. */
  place: string
  now: () => number
  migrations: Migration[]
}

/** Brings the tables up to date in one transaction: all or nothing. */
export function* migrate({ dialect, place, now, migrations: known }: MigrateOptions): Operation<void> {
  for (const sql of takeLock[dialect]) yield { sql, parameters: [] }
  const { rows } = yield { sql: listTables[dialect], parameters: [] }
  const tables = new Set(rows.map((row) => readText(row['name'])))
  let version = 0
  if (tables.has(migrationsTable.name)) {
    const found = yield {
      sql: 'SELECT coalesce(max(version), 0) AS version FROM benchmaker_migrations',
      parameters: [],
    }
    version = readInteger(found.rows[0]?.['version'])
  }
  refuseForeignTables({ tables, dialect, place, pending: known.slice(version) })
  if (!tables.has(migrationsTable.name)) {
    for (const sql of createTable(migrationsTable, dialect)) yield { sql, parameters: [] }
  }
  if (version > known.length)
    throw new StorageError(
      `${place} was created by a newer Benchmaker (its tables are version ${version}, this program supports ${known.length}): ` +
        `update Benchmaker, or use another ${dialect === 'sqlite' ? 'data folder' : 'database'}. Nothing was changed.`,
    )
  const insert =
    dialect === 'sqlite'
      ? 'INSERT INTO benchmaker_migrations (version, name, applied_at) VALUES (?, ?, ?)'
      : 'INSERT INTO benchmaker_migrations (version, name, applied_at) VALUES ($1, $2, $3)'
  for (const [index, { name, tables: newTables = [], statements, drops = [], fill }] of known.entries()) {
    if (index < version) continue
    const changes = [
      ...newTables.flatMap((table) => createTable(table, dialect)),
      ...statements(dialect),
      ...drops.map((table) => `DROP TABLE ${table}`),
    ]
    for (const sql of changes) yield { sql, parameters: [] }
    if (fill) yield* fill(dialect)
    yield { sql: insert, parameters: [index + 1, name, now()] }
  }
}

/** A PostgreSQL database may be shared as long as no names clash; an SQLite file must be ours alone. */
function refuseForeignTables(options: {
  tables: Set<string>
  dialect: SqlDialect
  place: string
  pending: Migration[]
}): void {
  const { tables, dialect, place, pending } = options
  const ourNames = new Set(pending.flatMap(({ tables: newTables = [] }) => newTables.map(({ name }) => name)))
  if (ourNames.has('runs')) ourNames.add('results')
  const isNew = !tables.has(migrationsTable.name)
  const foreign = dialect === 'sqlite' && isNew ? [...tables] : [...tables].filter((name) => ourNames.has(name))
  if (foreign.length > 0)
    throw new StorageError(
      `${place} contains tables of another program (${foreign.slice(0, 3).join(', ')}): use another ${dialect === 'sqlite' ? 'file' : 'database'}. Nothing was changed.`,
    )
}
