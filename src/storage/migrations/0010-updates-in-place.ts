import type { Migration } from './migration.ts'

/**
 * PostgreSQL writes a changed row to no index if none has a column that changed, and counts the states of a run as
 * quickly in its rows. SQLite counts them twice as quickly in the index.
 */
export const updatesInPlace: Migration = {
  name: 'cells change state without new index entries',
  statements: (dialect) => (dialect === 'postgres' ? ['DROP INDEX cells_by_state'] : []),
}
