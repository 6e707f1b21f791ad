import type { Operation } from '../sql/operation.ts'
import type { SqlDialect, Table } from './data-definition.ts'

/** One change to the tables. Never edit it once released: databases created by it exist. */
export interface Migration {
  /** What it adds, as stored in `benchmaker_migrations`. */
  name: string
  tables?: Table[]
  /** Tables of earlier migrations, dropped after its statements. */
  drops?: string[]
  /** Run after its tables are created. */
  statements: (dialect: SqlDialect) => string[]
  /** Run last: what SQL alone cannot do. */
  fill?: (dialect: SqlDialect) => Operation<void>
}
