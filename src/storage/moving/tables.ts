/** Tables whose numbers are only keys: a row gets a new one, and columns that refer to it follow. */
export type KeyedTable = 'runs' | 'cells' | 'attempts' | 'documents'

export const keyColumns: Record<KeyedTable, string> = {
  runs: 'number',
  cells: 'id',
  attempts: 'id',
  documents: 'number',
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
  { name: 'scores', references: { cell: 'cells' } },
  { name: 'ratings', references: { cell: 'cells' } },
  { name: 'artifacts', references: { cell: 'cells' } },
]

/** Every table that is moved. A new table belongs here or in `leftOut`; a test asks for it. */
export const movedTables: readonly string[] = [
  'suites',
  'runs',
  'cells',
  ...tablesOfCells.map(({ name }) => name),
  'documents',
]

/** Claims are leases of processes, and no process works on what is moved. */
export const leftOut: readonly string[] = ['claims', 'benchmaker_migrations']
