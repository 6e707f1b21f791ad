import type { Migration, Table } from './migration.ts'

const tables: Table[] = [
  {
    name: 'events',
    comment: 'The log of a conversation with an agent, append-only: what happens next follows from it',
    columns: {
      cell: { type: 'integer', rule: 'NOT NULL REFERENCES cells (id) ON DELETE CASCADE', comment: 'cells.id' },
      seq: { type: 'integer', rule: 'NOT NULL', comment: 'counts from 0 in each conversation' },
      at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      kind: { type: 'text', rule: 'NOT NULL', comment: 'started, asked, said, called, replied or ended' },
      attempt: { type: 'integer', comment: 'attempts.id, of what was asked and said' },
      content: { type: 'text', rule: 'NOT NULL', comment: 'JSON: the whole event' },
    },
    constraints: ['PRIMARY KEY (cell, seq)'],
  },
]

export const events: Migration = { name: 'logs of conversations with agents', tables, statements: () => [] }
