import type { Table, Migration } from './migration.ts'

const MOMENT = 'milliseconds since 1970'

const tables: Table[] = [
  {
    name: 'api_tokens',
    comment: 'Tokens with which programs act for an account',
    columns: {
      hash: { type: 'text', rule: 'PRIMARY KEY', comment: 'SHA-256 of the token' },
      account: { type: 'text', rule: 'NOT NULL REFERENCES accounts (id)', comment: 'accounts.id of the owner' },
      name: { type: 'text', rule: 'NOT NULL', comment: 'chosen by the owner' },
      role: { type: 'text', rule: 'NOT NULL', comment: 'at most; the owner may have less by now' },
      created_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      ends_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      used_at: { type: 'number', comment: `${MOMENT}; to the minute` },
    },
  },
]

export const apiTokens: Migration = {
  name: 'tokens with which programs act for an account',
  tables,
  statements: () => ['CREATE INDEX api_tokens_account ON api_tokens (account)'],
}
