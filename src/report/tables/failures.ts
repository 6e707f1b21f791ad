import type { FailureRow } from '../model/failures/failures.ts'
import type { Table } from './table.ts'

export const failureTable: Table<FailureRow> = [
  { key: 'case', label: 'Failed', role: 'name', cut: 'middle', text: ({ name, isHeading }) => (isHeading ? '' : name) },
  { key: 'count', label: '', text: ({ count = '' }) => count, isIn: (rows) => rows.some(({ count }) => count) },
  { key: 'prompt', label: 'Prompt', cut: 'end', keep: 'always', text: ({ prompt }) => prompt },
  { key: 'expected', label: 'Expected', cut: 'end', keep: 'always', text: ({ expected }) => expected },
  { key: 'got', label: 'Got', cut: 'end', keep: 'always', text: ({ got }) => got },
]
