import type { Table, Migration } from './migration.ts'

const tables: Table[] = [
  {
    name: 'spending',
    comment: 'What requests for a person or project cost, for budgets; stays when the run is deleted',
    columns: {
      number: { type: 'key', comment: 'counts up' },
      run: {
        type: 'text',
        rule: 'NOT NULL',
        comment: 'runs.id, perhaps of a deleted run; - for calls outside of runs',
      },
      person: { type: 'text', comment: 'accounts.id of who started the run' },
      project: { type: 'text', comment: 'that pays for the run' },
      at: { type: 'number', rule: 'NOT NULL', comment: 'start of the last request in it, milliseconds since 1970' },
      cost: { type: 'integer', rule: 'NOT NULL', comment: '1e-12 US dollars, of requests of one day (UTC)' },
    },
  },
]

const columns = 'run, person, project, at, cost'

const statements = (): string[] => [
  `INSERT INTO spending (${columns}) SELECT ${columns} FROM kept_spending
    WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = kept_spending.run) ORDER BY number`,
  // Requests of more than 1,000 dollars are not added up: their sum might not fit into 64 bits.
  `INSERT INTO spending (${columns})
    SELECT runs.id, runs.started_by, runs.project, max(attempts.started_at), sum(attempts.cost)
    FROM runs JOIN cells ON cells.run = runs.number JOIN attempts ON attempts.cell = cells.id
    WHERE (runs.started_by IS NOT NULL OR runs.project IS NOT NULL) AND attempts.cost > 0
    GROUP BY runs.id, runs.started_by, runs.project, floor(attempts.started_at / 86400000.0),
      CASE WHEN attempts.cost > 1000000000000000 THEN attempts.id END`,
  'CREATE INDEX spending_by_time ON spending (at)',
  'CREATE INDEX spending_by_run ON spending (run)',
]

export const spending: Migration = {
  name: 'what requests cost, counted as they end',
  tables,
  statements,
  drops: ['kept_spending'],
}
