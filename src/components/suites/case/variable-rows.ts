import { isRecord } from '../../../contract/index.ts'
import type { Fields } from '../suite-draft.ts'

/** A variable being edited; its name can be empty or a duplicate. A value that is not text stays so until edited. */
export interface VariableRow {
  name: string
  value: unknown
}

export function toRows(variables: unknown): VariableRow[] {
  return isRecord(variables) ? Object.entries(variables).map(([name, value]) => ({ name, value })) : []
}

/** Skips rows without a name and later rows with the same name. */
export function fromRows(rows: readonly VariableRow[]): Fields | undefined {
  const named = rows.filter(({ name }, index) => name !== '' && rows.findIndex((row) => row.name === name) === index)
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, value }) => [name, value]))
}

export function findRowError(rows: readonly VariableRow[], index: number): string | undefined {
  const { name, value } = rows[index]!
  if (name === '') return value === '' ? undefined : 'A variable needs a name.'
  return rows.findIndex((row) => row.name === name) === index
    ? undefined
    : 'This name is already used above, so this value is ignored.'
}
