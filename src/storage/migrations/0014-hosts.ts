import type { SqlDialect, Migration } from './migration.ts'

const SERVED_BY = 'the host that answered, if a router says which'
const SENT = 'JSON: the parameters as they were sent, by their names on the wire'
const NOTES = 'JSON: what was changed in the request or left out of the reply'

const changes: Record<SqlDialect, string[]> = {
  sqlite: [
    `ALTER TABLE answers ADD COLUMN served_by TEXT /* ${SERVED_BY} */`,
    `ALTER TABLE answers ADD COLUMN sent TEXT /* ${SENT} */`,
    `ALTER TABLE answers ADD COLUMN notes TEXT /* ${NOTES} */`,
    // Without the new column in it, reading the numbers of a run would read past every response.
    'DROP INDEX answers_numbers',
    'CREATE INDEX answers_numbers ON answers (cell, prompt_tokens, completion_tokens, latency_ms, first_token_ms, left_out, token_details, cached_at, served_by)',
  ],
  postgres: [
    'ALTER TABLE answers ADD COLUMN served_by text',
    'ALTER TABLE answers ADD COLUMN sent text',
    'ALTER TABLE answers ADD COLUMN notes text',
    `COMMENT ON COLUMN answers.served_by IS '${SERVED_BY}'`,
    `COMMENT ON COLUMN answers.sent IS '${SENT}'`,
    `COMMENT ON COLUMN answers.notes IS '${NOTES}'`,
  ],
}

export const hosts: Migration = {
  name: 'the host that served an answer, and what was sent to it',
  statements: (dialect) => changes[dialect],
}
