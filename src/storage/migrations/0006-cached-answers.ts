import type { SqlDialect, Migration } from './migration.ts'

const TOKEN_DETAILS = 'JSON: tokens that vendors price apart, such as those from their cache'
const CACHED_AT = 'when the model answered, if the answer cache served it: milliseconds since 1970'

const changes: Record<SqlDialect, string[]> = {
  sqlite: [
    `ALTER TABLE answers ADD COLUMN token_details TEXT /* ${TOKEN_DETAILS} */`,
    `ALTER TABLE answers ADD COLUMN cached_at NUMERIC /* ${CACHED_AT} */`,
    // Without the new columns in it, reading the numbers of a run would read past every response.
    'DROP INDEX answers_numbers',
    'CREATE INDEX answers_numbers ON answers (cell, prompt_tokens, completion_tokens, latency_ms, first_token_ms, left_out, token_details, cached_at)',
  ],
  postgres: [
    'ALTER TABLE answers ADD COLUMN token_details text',
    'ALTER TABLE answers ADD COLUMN cached_at double precision',
    `COMMENT ON COLUMN answers.token_details IS '${TOKEN_DETAILS}'`,
    `COMMENT ON COLUMN answers.cached_at IS '${CACHED_AT}'`,
  ],
}

export const cachedAnswers: Migration = {
  name: 'answers from the cache, and tokens that vendors price apart',
  statements: (dialect) => changes[dialect],
}
