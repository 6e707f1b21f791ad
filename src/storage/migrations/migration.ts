import type { Operation } from '../sql/operation.ts'
import type { SqlDialect, Table } from './data-definition.ts'

/** One change to the tables. Never edited once released: databases made by it exist. */
export interface Migration {
  /** What it brings, as `benchmaker_migrations` keeps it. */
  name: string
  tables?: Table[]
  /** After its tables. */
  statements: (dialect: SqlDialect) => string[]
  /** What SQL alone cannot do, last. */
  fill?: (dialect: SqlDialect) => Operation<void>
}
