import type { Table, Migration } from './migration.ts'

const providerLimits: Table = {
  name: 'provider_limits',
  comment: 'What processes have reserved from the limits of a provider; times are seconds since 1970 by the database',
  columns: {
    key: { type: 'text', rule: 'PRIMARY KEY', comment: 'a provider, or a run at a provider' },
    request_slot: { type: 'number', rule: 'NOT NULL', comment: 'when the next request is free' },
    token_slot: { type: 'number', rule: 'NOT NULL', comment: 'when the next token is free' },
    paused_until: { type: 'number', rule: 'NOT NULL', comment: 'the provider asked to wait until then' },
    moves: { type: 'integer', rule: 'NOT NULL', comment: 'rises with each pause: slots reserved before it are void' },
  },
}

const providerShares: Table = {
  name: 'provider_shares',
  comment: 'How many requests each process may have in progress',
  columns: {
    key: { type: 'text', rule: 'NOT NULL', comment: 'provider_limits.key' },
    holder: { type: 'text', rule: 'NOT NULL', comment: 'drawn at random by the process' },
    held: { type: 'integer', rule: 'NOT NULL', comment: 'requests that it may have in progress' },
    wanted: { type: 'integer', rule: 'NOT NULL', comment: 'requests in progress or waiting' },
    expires_at: { type: 'number', rule: 'NOT NULL', comment: 'seconds since 1970 by the database' },
  },
  constraints: ['PRIMARY KEY (key, holder)'],
}

const budgets: Table = {
  name: 'budgets',
  comment: 'What has been spent from a budget',
  columns: {
    account: { type: 'text', rule: 'NOT NULL', comment: 'run:…, series:…, person:…, project:…' },
    period: { type: 'text', rule: "NOT NULL DEFAULT ''", comment: 'such as 2026-11; empty if it never starts again' },
    spent: { type: 'integer', rule: 'NOT NULL', comment: 'known costs in 1e-12 US dollars' },
    assumed: { type: 'integer', rule: 'NOT NULL', comment: 'the most that requests of unknown cost can have cost' },
    version: { type: 'integer', rule: 'NOT NULL', comment: 'rises with each change' },
    needs_recount: { type: 'integer', rule: 'NOT NULL', comment: '1: new, or a process died; attempts tell more' },
  },
  constraints: ['PRIMARY KEY (account, period)'],
}

const budgetHolds: Table = {
  name: 'budget_holds',
  comment: 'What a process may still spend from a budget',
  columns: {
    account: { type: 'text', rule: 'NOT NULL', comment: 'budgets.account' },
    period: { type: 'text', rule: "NOT NULL DEFAULT ''", comment: 'budgets.period' },
    holder: { type: 'text', rule: 'NOT NULL', comment: 'drawn at random by the process' },
    amount: { type: 'integer', rule: 'NOT NULL', comment: 'in 1e-12 US dollars' },
    expires_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
  },
  constraints: ['PRIMARY KEY (account, period, holder)'],
}

export const providerLimitTables: Migration = {
  name: 'limits and budgets shared by several processes',
  tables: [providerLimits, providerShares, budgets, budgetHolds],
  statements: () => [],
}
