import type { SqlDialect, Table, Migration } from './migration.ts'

const MOMENT = 'milliseconds since 1970'

const tables: Table[] = [
  {
    name: 'accounts',
    comment: 'People who may sign in to a team server',
    columns: {
      id: { type: 'text', rule: 'PRIMARY KEY', comment: 'never changes' },
      login: { type: 'text', rule: 'NOT NULL UNIQUE', comment: 'what the person types; lower case' },
      name: { type: 'text', rule: 'NOT NULL', comment: 'as shown' },
      role: { type: 'text', rule: 'NOT NULL', comment: 'viewer, runner or admin' },
      password: { type: 'text', comment: 'hash by scrypt' },
      subject: { type: 'text', rule: 'UNIQUE', comment: 'issuer and id at an OpenID provider' },
      created_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      disabled_at: { type: 'number', comment: `${MOMENT}; empty if the person may sign in` },
    },
  },
  {
    name: 'invitations',
    comment: 'Links that make one account each',
    columns: {
      hash: { type: 'text', rule: 'PRIMARY KEY', comment: 'SHA-256 of the secret in the link' },
      login: { type: 'text', rule: 'NOT NULL', comment: 'of the account it makes' },
      role: { type: 'text', rule: 'NOT NULL', comment: 'of the account it makes' },
      invited_by: { type: 'text', comment: 'accounts.id; empty for the terminal' },
      created_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      ends_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      used_at: { type: 'number', comment: MOMENT },
    },
  },
  {
    name: 'sign_ins',
    comment: 'Open sessions of accounts',
    columns: {
      hash: { type: 'text', rule: 'PRIMARY KEY', comment: 'SHA-256 of the secret in the cookie' },
      account: { type: 'text', rule: 'NOT NULL REFERENCES accounts (id)', comment: 'accounts.id' },
      opened_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      ends_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
    },
  },
  {
    name: 'sealed_keys',
    comment: 'Keys of providers, encrypted with BENCHMAKER_SECRET_KEY',
    columns: {
      name: { type: 'text', rule: 'PRIMARY KEY', comment: 'provider, or endpoint:NAME' },
      sealed: { type: 'text', rule: 'NOT NULL', comment: 'version, id of the secret key, and AES-256-GCM' },
      saved_at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      saved_by: { type: 'text', comment: 'name of the person' },
    },
  },
  {
    name: 'activity',
    comment: 'Who did what; rows are only ever added',
    columns: {
      number: { type: 'key', comment: 'counts up' },
      at: { type: 'number', rule: 'NOT NULL', comment: MOMENT },
      person: { type: 'text', comment: 'accounts.id' },
      person_name: { type: 'text', comment: 'at that time' },
      action: { type: 'text', rule: 'NOT NULL', comment: 'such as run started' },
      object: { type: 'text', comment: 'such as the id of a run' },
      detail: { type: 'text', comment: 'in words' },
      words: { type: 'text', rule: 'NOT NULL', comment: 'all of it in lower case, for searching' },
    },
  },
  {
    name: 'monthly_budgets',
    comment: 'What a person or project may spend in a calendar month',
    columns: {
      kind: { type: 'text', rule: 'NOT NULL', comment: 'person or project' },
      owner: { type: 'text', rule: 'NOT NULL', comment: 'accounts.id, or the name of the project' },
      monthly: { type: 'integer', rule: 'NOT NULL', comment: '1e-12 US dollars' },
    },
    constraints: ['PRIMARY KEY (kind, owner)'],
  },
  {
    name: 'kept_spending',
    comment: 'What deleted runs cost, for budgets',
    columns: {
      number: { type: 'key', comment: 'counts up' },
      run: { type: 'text', rule: 'NOT NULL', comment: 'id of the deleted run' },
      person: { type: 'text', comment: 'who started it' },
      project: { type: 'text', comment: 'that paid for it' },
      at: { type: 'number', rule: 'NOT NULL', comment: `${MOMENT}: the last request` },
      cost: { type: 'integer', rule: 'NOT NULL', comment: '1e-12 US dollars' },
    },
  },
]

const columns = {
  started_by: 'accounts.id of who started the run',
  project: 'that pays for the run',
}

const statements = (dialect: SqlDialect): string[] => [
  ...Object.entries(columns).flatMap(([column, comment]) => [
    `ALTER TABLE runs ADD COLUMN ${column} text /* ${comment} */`,
    `CREATE INDEX runs_${column} ON runs (${column}) WHERE ${column} IS NOT NULL`,
    ...(dialect === 'postgres' ? [`COMMENT ON COLUMN runs.${column} IS '${comment}'`] : []),
  ]),
  'CREATE INDEX sign_ins_account ON sign_ins (account)',
  'CREATE INDEX kept_spending_at ON kept_spending (at)',
]

export const access: Migration = { name: 'accounts, keys, budgets and the log of a team server', tables, statements }
