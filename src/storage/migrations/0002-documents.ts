import type { SqlDialect, Table, Migration } from './migration.ts'
import { readJson, gradesColumn, type Grades } from '../sql/columns.ts'
import { readInteger, type Operation } from '../sql/operation.ts'

const tables: Table[] = [
  {
    name: 'documents',
    comment: 'Suites, calibrations, votes and settings, each in all its versions',
    columns: {
      number: { type: 'key', comment: 'in the order of saving' },
      kind: { type: 'text', rule: 'NOT NULL', comment: 'suite, calibration, vote or settings' },
      id: { type: 'text', rule: 'NOT NULL', comment: 'the same for all versions' },
      version: { type: 'integer', rule: 'NOT NULL', comment: 'counts from 1' },
      saved_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      content: { type: 'text', rule: 'NOT NULL', comment: 'JSON' },
    },
    constraints: ['UNIQUE (kind, id, version)'],
  },
  {
    name: 'artifacts',
    comment: 'Files that belong to a cell, such as screenshots',
    columns: {
      cell: { type: 'integer', rule: 'NOT NULL REFERENCES cells (id) ON DELETE CASCADE', comment: 'cells.id' },
      name: { type: 'text', rule: 'NOT NULL', comment: 'of the file' },
      media_type: { type: 'text', rule: 'NOT NULL', comment: 'such as image/png' },
      saved_at: { type: 'number', rule: 'NOT NULL', comment: 'milliseconds since 1970' },
      content: { type: 'bytes', rule: 'NOT NULL', comment: 'the bytes' },
    },
    constraints: ['PRIMARY KEY (cell, name)'],
  },
]

/**
 * Indexes that hold the numbers of a run without its texts: SQLite would otherwise read past every response to reach
 * them. PostgreSQL already stores long texts separately, and limits the length of an index entry.
 */
const numberIndexes: Record<SqlDialect, string[]> = {
  sqlite: [
    'CREATE INDEX answers_numbers ON answers (cell, prompt_tokens, completion_tokens, latency_ms, first_token_ms, left_out)',
    'CREATE INDEX scores_numbers ON scores (cell, score, confidence, raw_score, max_score, unscored_code, unscored_message, figures)',
  ],
  postgres: ["COMMENT ON COLUMN scores.figures IS 'JSON: what judges and checks gave, without their words'"],
}

const statements = (dialect: SqlDialect): string[] => [
  'ALTER TABLE scores ADD COLUMN figures text /* JSON: what judges and checks gave, without their words */',
  ...numberIndexes[dialect],
  'CREATE INDEX cells_by_state ON cells (run, state)',
]

const BATCH_SIZE = 1000

/** Fills in `figures` for scores of version 1. Not in SQL: PostgreSQL's JSON rejects some texts that ours accepts. */
function* fillFigures(dialect: SqlDialect): Operation<void> {
  const [first, second] = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  for (let after = -1; ;) {
    const { rows } = yield {
      sql: `SELECT cell, checks, details FROM scores WHERE cell > ${first} AND (checks IS NOT NULL OR details IS NOT NULL) ORDER BY cell LIMIT ${BATCH_SIZE}`,
      parameters: [after],
    }
    for (const row of rows) {
      after = readInteger(row['cell'])
      const figures = figuresOf(row)
      if (figures !== null)
        yield { sql: `UPDATE scores SET figures = ${first} WHERE cell = ${second}`, parameters: [figures, after] }
    }
    if (rows.length < BATCH_SIZE) return
  }
}

/** A score edited by hand must not stop the whole database from opening. */
function figuresOf({ details, checks }: Record<string, unknown>): string | null {
  try {
    const { judges } = typeof details === 'string' ? readJson<Grades>(details, 'details') : {}
    return gradesColumn({
      judges,
      checks: typeof checks === 'string' ? readJson<Grades['checks']>(checks, 'checks') : undefined,
    })
  } catch {
    return null
  }
}

export const documents: Migration = {
  name: 'documents, artifacts, numbers apart from texts',
  tables,
  statements,
  fill: fillFigures,
}
