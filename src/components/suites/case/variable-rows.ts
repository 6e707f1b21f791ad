import { isFields, type Fields } from '../suite-draft.ts'

/** A variable as it is edited: the name may be empty or taken for a moment. A value that is no text stays what it is until edited. */
export interface VariableRow {
  name: string
  value: unknown
}

export function toRows(variables: unknown): VariableRow[] {
  return isFields(variables) ? Object.entries(variables).map(([name, value]) => ({ name, value })) : []
}

/** Rows without a name, and later ones of the same name, do not count yet. */
export function fromRows(rows: readonly VariableRow[]): Fields | undefined {
  const named = rows.filter(({ name }, index) => name !== '' && rows.findIndex((row) => row.name === name) === index)
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, value }) => [name, value]))
}

export function findRowError(rows: readonly VariableRow[], index: number): string | undefined {
  const { name, value } = rows[index]!
  if (name === '') return value === '' ? undefined : 'A variable needs a name.'
  return rows.findIndex((row) => row.name === name) === index
    ? undefined
    : 'This name is used above; this one does not count.'
}
