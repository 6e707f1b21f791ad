/** Tables whose numbers are only keys: a row gets a new one, and columns that refer to it follow. */
export type KeyedTable = 'runs' | 'cells' | 'attempts' | 'documents' | 'activity' | 'spending'

export const keyColumns: Record<KeyedTable, string> = {
  runs: 'number',
  cells: 'id',
  attempts: 'id',
  documents: 'number',
  activity: 'number',
  spending: 'number',
}

interface OwnedTable {
  name: string
  /** Columns that hold a key of another table. */
  references: Record<string, KeyedTable>
}

/** What belongs to cells, in the order in which it can be written. */
export const tablesOfCells: OwnedTable[] = [
  { name: 'attempts', references: { id: 'attempts', cell: 'cells' } },
  { name: 'answers', references: { cell: 'cells', attempt: 'attempts' } },
  { name: 'events', references: { cell: 'cells', attempt: 'attempts' } },
  { name: 'scores', references: { cell: 'cells' } },
  { name: 'ratings', references: { cell: 'cells' } },
  { name: 'artifacts', references: { cell: 'cells' } },
]

/** What a team server stores besides runs. A row whose key, login or name is taken already is not moved. */
export const teamTables = ['accounts', 'invitations', 'sealed_keys', 'monthly_budgets'] as const

/** Rows that have no key but a number: a row is not moved if all else in it is the same. */
const logTables = ['activity', 'spending'] as const satisfies readonly KeyedTable[]

export type LogTable = (typeof logTables)[number]

/** Every table that is moved. A new table belongs here or in `leftOut`; a test asks for it. */
export const movedTables: readonly string[] = [
  'suites',
  'runs',
  'cells',
  ...tablesOfCells.map(({ name }) => name),
  'documents',
  ...teamTables,
  ...logTables,
]

export const leftOut: readonly string[] = [
  'benchmaker_migrations',
  // Leases of processes, and no process works on what is moved.
  'claims',
  'provider_limits',
  'provider_shares',
  'budget_holds',
  // Counted again from attempts.
  'budgets',
  // People sign in again: a cookie is for one server.
  'sign_ins',
  // So is a token.
  'api_tokens',
]
