import type { BatchEntry, Statement, Write } from '../sql/operation.ts'

type Kind = BatchEntry['kind']
type ColumnType = 'text' | 'bigint' | 'double precision'

const names = { run_id: 'text', case_id: 'text', model_id: 'text' } as const
const end = {
  ended_at: 'double precision',
  outcome: 'text',
  prompt_tokens: 'double precision',
  completion_tokens: 'double precision',
  cost: 'bigint',
  latency_ms: 'double precision',
  first_token_ms: 'double precision',
  http_status: 'double precision',
  error: 'text',
} as const
const answer = {
  attempt: 'bigint',
  outcome: 'text',
  prompt_tokens: 'double precision',
  completion_tokens: 'double precision',
  cost: 'bigint',
  latency_ms: 'double precision',
  first_token_ms: 'double precision',
  finish_reason: 'text',
  left_out: 'text',
  tool_calls: 'text',
  response: 'text',
  reasoning: 'text',
  token_details: 'text',
  cached_at: 'double precision',
} as const
const score = {
  score: 'double precision',
  confidence: 'double precision',
  raw_score: 'double precision',
  max_score: 'double precision',
  notes: 'text',
  checks: 'text',
  details: 'text',
  figures: 'text',
  unscored_code: 'text',
  unscored_message: 'text',
} as const
const prefixedEnd = Object.fromEntries(Object.entries(end).map(([column, type]) => [`end_${column}`, type]))

const list = (columns: object, format: (column: string) => string) => Object.keys(columns).map(format).join(', ')
const setEnd = list(end, (column) => `${column} = input.end_${column}`)
/**
 * A query of its own for each call, not a join: with the statistics of a young table, a join would read all cells of the
 * run to find one.
 */
const findCell = `(SELECT cells.id FROM cells
    WHERE cells.run = (SELECT number FROM runs WHERE runs.id = calls.run_id)
    AND cells.case_id = calls.case_id AND cells.model_id = calls.model_id) AS cell`

/** For a join that can only be made by looking each value up in an index, not by reading all rows in its order. */
const lookUp = (value: string) => `ANY (ARRAY[${value}])`

const isOpen = `IN ('pending', 'error')`
const isAnswered = `IN ('answered', 'scored', 'unscored')`

/** `ended` has the cell, start and cost of each attempt that ended (see `addCostOfAttempt`). */
const addSpending = `spent AS (
  INSERT INTO spending (run, person, project, at, cost)
  SELECT runs.id, runs.started_by, runs.project, max(ended.started_at), sum(ended.end_cost)
  FROM ended JOIN cells ON cells.id = ${lookUp('ended.cell')} JOIN runs ON runs.number = ${lookUp('cells.run')}
  WHERE ended.end_cost > 0 AND (runs.started_by IS NOT NULL OR runs.project IS NOT NULL)
  GROUP BY runs.number, floor(ended.started_at / 86400000))`

interface BatchStatement {
  columns: Record<string, ColumnType>
  /** Added to the table `input`, which has the columns. */
  computed?: string
  /** Writes `input`. Its table `done` has a row for each call that succeeded. */
  body: string
}

/**
 * Every kind of call as one statement for any number of them: what its operation (src/storage/sql/cell-operations.ts)
 * does if nothing is wrong and the cell had no answer before.
 */
const statements: Record<Kind, BatchStatement> = {
  startAttempt: {
    columns: { id: 'bigint', ...names, purpose: 'text', asked_model: 'text', started_at: 'double precision' },
    computed: findCell,
    body: `done AS (
  INSERT INTO attempts (id, cell, purpose, asked_model, started_at)
  SELECT id, cell, purpose, asked_model, started_at FROM input WHERE cell IS NOT NULL
  RETURNING id)`,
  },
  endAttempt: {
    columns: { attempt: 'bigint', ...prefixedEnd },
    body: `ended AS (
  UPDATE attempts SET ${setEnd} FROM input WHERE attempts.id = ${lookUp('input.attempt')} AND attempts.ended_at IS NULL
  RETURNING input.*, attempts.cell, attempts.started_at),
${addSpending},
done AS (SELECT FROM ended)`,
  },
  saveAnswer: {
    columns: { ...names, ...answer, ...prefixedEnd },
    computed: findCell,
    body: `ended AS (
  UPDATE attempts SET ${setEnd} FROM input
  WHERE attempts.id = ${lookUp('input.attempt')} AND attempts.cell = ${lookUp('input.cell')} AND attempts.ended_at IS NULL
  RETURNING input.*, attempts.started_at),
${addSpending},
done AS (
  UPDATE cells SET state = 'answered', outcome = ended.outcome, error = NULL FROM ended
  WHERE cells.id = ${lookUp('ended.cell')} AND cells.state ${isOpen}
  RETURNING ended.*),
written AS (
  INSERT INTO answers (cell, ${list(answer, (column) => column)})
  SELECT cell, ${list(answer, (column) => column)} FROM done)`,
  },
  saveScore: {
    columns: { ...names, state: 'text', ...score },
    computed: findCell,
    body: `done AS (
  UPDATE cells SET state = input.state FROM input
  WHERE cells.id = ${lookUp('input.cell')} AND cells.state ${isAnswered}
  RETURNING input.*),
written AS (
  INSERT INTO scores (cell, ${list(score, (column) => column)})
  SELECT cell, ${list(score, (column) => column)} FROM done
  ON CONFLICT (cell) DO UPDATE SET ${list(score, (column) => `${column} = excluded.${column}`)})`,
  },
  saveError: {
    columns: { ...names, outcome: 'text', error: 'text' },
    computed: findCell,
    body: `done AS (
  UPDATE cells SET state = 'error', outcome = input.outcome, error = input.error FROM input
  WHERE cells.id = ${lookUp('input.cell')} AND cells.state ${isOpen}
  RETURNING cells.id)`,
  },
}

/**
 * Settings for a transaction of these statements. They are planned once a connection, for tables that may be a thousand
 * times larger later: so every row is looked up by an index, which is right at any size.
 */
export const batchSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

export interface Batch {
  statements: Statement[]
  /** What each call returns, once the statements are committed. */
  results: unknown[]
  /** Attempts that the statements start and end: after a lost reply, they show whether it was written. */
  started: number[]
  ended: unknown[]
}

export const countStarts = (writes: Write<unknown>[]): number =>
  writes.filter(({ batch }) => batch?.kind === 'startAttempt').length

/**
 * Calls with disjoint keys, all calls of a kind in one statement. `ids` has one for each attempt that starts. If a call
 * cannot be written this way, its statement fails (see `isIncomplete`): its own operation says why, or does more.
 */
export function compileBatch(writes: Write<unknown>[], ids: number[]): Batch {
  const rows = new Map<Kind, object[]>()
  const batch: Batch = { statements: [], results: [], started: [], ended: [] }
  for (const { batch: entry } of writes) {
    if (!entry) throw new TypeError('This call cannot be written together with others.')
    const id = entry.kind === 'startAttempt' ? ids[batch.started.length] : undefined
    if (id !== undefined) batch.started.push(id)
    if ('attempt' in entry.row) batch.ended.push(entry.row['attempt'])
    batch.results.push(id)
    const ofKind = rows.get(entry.kind) ?? []
    ofKind.push({ id, ...entry.row })
    rows.set(entry.kind, ofKind)
  }
  for (const [kind, ofKind] of rows)
    batch.statements.push({ name: `benchmaker ${kind}`, sql: texts[kind], parameters: [toJson(ofKind)] })
  return batch
}

/**
 * Whether a batch was committed, asked when its transaction has ended. One of scores and errors alone says no: written
 * again, they change nothing.
 */
export const askIfWritten = ({ started, ended }: Batch): Statement => ({
  sql: `SELECT EXISTS (SELECT FROM attempts WHERE id = ANY ($1::bigint[]))
    OR EXISTS (SELECT FROM attempts WHERE id = ANY ($2::bigint[]) AND ended_at IS NOT NULL) AS written`,
  parameters: [started, ended],
})

/** Money is an integer of up to 64 bits, which PostgreSQL also reads from a text. */
const toJson = (rows: object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** A statement of plain SQL can only refuse to go on by an error like this one. */
const DIVISION_BY_ZERO = '22012'

/** A batch has a call that its statement did not write, and nothing of it was written. */
export const isIncomplete = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO

function toSql({ columns, computed, body }: BatchStatement): string {
  const computedColumns = computed === undefined ? '' : `, ${computed}`
  const definition = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `WITH input AS MATERIALIZED (
  SELECT *${computedColumns} FROM json_to_recordset($1) AS calls (${definition.join(', ')})),
${body}
SELECT 1 / ((SELECT count(*) FROM done) = (SELECT count(*) FROM input))::integer`
}

const texts: Record<Kind, string> = {
  startAttempt: toSql(statements.startAttempt),
  endAttempt: toSql(statements.endAttempt),
  saveAnswer: toSql(statements.saveAnswer),
  saveScore: toSql(statements.saveScore),
  saveError: toSql(statements.saveError),
}
