import { createTable, type SqlDialect, type Table, type Migration } from './migration.ts'

const ratings: Table = {
  name: 'ratings',
  comment: 'What a person thinks of an answer',
  columns: {
    cell: { type: 'integer', rule: 'NOT NULL REFERENCES cells (id) ON DELETE CASCADE', comment: 'cells.id' },
    rater: { type: 'text', rule: "NOT NULL DEFAULT ''", comment: 'name of the person; empty if not given' },
    rating: { type: 'number', comment: '0 to 1; empty with a queue: skipped' },
    note: { type: 'text', comment: 'in words' },
    rated_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
    queue: { type: 'text', comment: 'id of the queue that drew the answer at random; empty if a person chose it' },
  },
  constraints: ['PRIMARY KEY (cell, rater)'],
}

/** SQLite cannot change a primary key, so the table is replaced. */
const changes: Record<SqlDialect, string[]> = {
  sqlite: [
    'ALTER TABLE ratings RENAME TO earlier_ratings',
    ...createTable(ratings, 'sqlite'),
    'INSERT INTO ratings (cell, rating, note, rated_at) SELECT cell, rating, note, rated_at FROM earlier_ratings',
    'DROP TABLE earlier_ratings',
  ],
  postgres: [
    "ALTER TABLE ratings ADD COLUMN rater text NOT NULL DEFAULT ''",
    'ALTER TABLE ratings ADD COLUMN queue text',
    'ALTER TABLE ratings DROP CONSTRAINT ratings_pkey',
    'ALTER TABLE ratings ADD PRIMARY KEY (cell, rater)',
    ...(['rater', 'rating', 'queue'] as const).map(
      (column) => `COMMENT ON COLUMN ratings.${column} IS '${ratings.columns[column]!.comment}'`,
    ),
  ],
}

const joinNotes: Record<SqlDialect, string> = {
  sqlite: "group_concat(ratings.note, '; ')",
  postgres: "string_agg(ratings.note, '; ')",
}

/** A cell may now have several ratings, but is still one row. */
const resultsView = (
  dialect: SqlDialect,
) => `CREATE VIEW results AS -- One row a cell, for people: SELECT * FROM results WHERE run = '…'
SELECT
  runs.id AS run,
  cells.case_id AS test_case,
  cells.model_id AS model,
  cells.state AS state,
  cells.outcome AS outcome,
  round(CAST(scores.score * 100 AS numeric), 4) AS score, -- 0 to 100
  scores.unscored_message AS unscored,
  (SELECT round(CAST(sum(attempts.cost / 1e12) AS numeric), 12) FROM attempts WHERE attempts.cell = cells.id) AS cost, -- US dollars, all attempts
  (SELECT count(*) FROM attempts WHERE attempts.cell = cells.id AND attempts.purpose = 'answer') AS attempts,
  answers.latency_ms AS latency_ms,
  (SELECT avg(ratings.rating) FROM ratings WHERE ratings.cell = cells.id) AS rating, -- mean over people, 0 to 1
  (SELECT ${joinNotes[dialect]} FROM ratings WHERE ratings.cell = cells.id) AS note,
  cells.error AS error,
  answers.response AS response
FROM cells
JOIN runs ON runs.number = cells.run
LEFT JOIN answers ON answers.cell = cells.id
LEFT JOIN scores ON scores.cell = cells.id`

export const raters: Migration = {
  name: 'several people rate an answer, drawn by a queue',
  statements: (dialect) => ['DROP VIEW results', ...changes[dialect], resultsView(dialect)],
}
