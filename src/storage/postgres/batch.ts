import type { BatchEntry, Statement, StatementResult, Write } from '../sql/operation.ts'

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
  /** Added to the table `input`, which has the columns and `place`. */
  computed?: string
  /** Returns the place of each call that succeeded; one that is missing is for its own operation to refuse. */
  body: string
}

/**
 * Every kind of call as one statement for any number of them: what its operation (src/storage/sql/cell-operations.ts)
 * does if nothing is wrong and the cell had no answer before.
 */
const statements: Record<Kind, BatchStatement> = {
  startAttempt: {
    columns: { ...names, purpose: 'text', asked_model: 'text', started_at: 'double precision' },
    computed: `${findCell}, nextval(pg_get_serial_sequence('attempts', 'id')) AS id`,
    body: `, written AS (
  INSERT INTO attempts (id, cell, purpose, asked_model, started_at)
  SELECT id, cell, purpose, asked_model, started_at FROM input WHERE cell IS NOT NULL)
SELECT place, id AS result FROM input WHERE cell IS NOT NULL`,
  },
  endAttempt: {
    columns: { attempt: 'bigint', ...prefixedEnd },
    body: `, ended AS (
  UPDATE attempts SET ${setEnd} FROM input WHERE attempts.id = ${lookUp('input.attempt')} AND attempts.ended_at IS NULL
  RETURNING input.*, attempts.cell, attempts.started_at),
${addSpending}
SELECT place FROM ended`,
  },
  saveAnswer: {
    columns: { ...names, ...answer, ...prefixedEnd },
    computed: findCell,
    body: `, ended AS (
  UPDATE attempts SET ${setEnd} FROM input
  WHERE attempts.id = ${lookUp('input.attempt')} AND attempts.cell = ${lookUp('input.cell')} AND attempts.ended_at IS NULL
  RETURNING input.*, attempts.started_at),
${addSpending},
marked AS (
  UPDATE cells SET state = 'answered', outcome = ended.outcome, error = NULL FROM ended
  WHERE cells.id = ${lookUp('ended.cell')} AND cells.state ${isOpen}
  RETURNING ended.*),
written AS (
  INSERT INTO answers (cell, ${list(answer, (column) => column)})
  SELECT cell, ${list(answer, (column) => column)} FROM marked)
SELECT place FROM marked`,
  },
  saveScore: {
    columns: { ...names, state: 'text', ...score },
    computed: findCell,
    body: `, marked AS (
  UPDATE cells SET state = input.state FROM input
  WHERE cells.id = ${lookUp('input.cell')} AND cells.state ${isAnswered}
  RETURNING input.*),
written AS (
  INSERT INTO scores (cell, ${list(score, (column) => column)})
  SELECT cell, ${list(score, (column) => column)} FROM marked
  ON CONFLICT (cell) DO UPDATE SET ${list(score, (column) => `${column} = excluded.${column}`)})
SELECT place FROM marked`,
  },
  saveError: {
    columns: { ...names, outcome: 'text', error: 'text' },
    computed: findCell,
    body: `UPDATE cells SET state = 'error', outcome = input.outcome, error = input.error FROM input
WHERE cells.id = ${lookUp('input.cell')} AND cells.state ${isOpen}
RETURNING input.place`,
  },
}

/**
 * Settings for a transaction of these statements. They are planned once a connection, for tables that may be a thousand
 * times larger later: so every row is looked up by an index, which is right at any size.
 */
export const batchSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

/** A call cannot be written this way: its own operation says why, or does more. The transaction must be rolled back. */
export class IncompleteBatch extends Error {
  override name = 'IncompleteBatch'
}

/** A statement and its parameters must fit into memory several times over. */
const MAX_TEXT_LENGTH = 8_000_000

/** Writes calls with disjoint keys, all calls of a kind with one statement; returns their results. */
export async function writeTogether(
  writes: Write<unknown>[],
  execute: (statements: Statement[]) => Promise<StatementResult[]>,
): Promise<unknown[]> {
  const kinds = groupByKind(writes)
  const chunks = [...kinds].flatMap(([kind, entries]) =>
    [...splitByLength(entries)].map((chunk) => ({ kind, entries: chunk })),
  )
  // Long texts one statement at a time: all together might not fit into memory.
  const sendings = chunks.length === kinds.size ? [chunks] : chunks.map((chunk) => [chunk])
  const results: unknown[] = writes.map(() => undefined)
  for (const sending of sendings) {
    const replies = await execute(sending.map(({ kind, entries }) => compile(kind, entries)))
    for (const [index, { entries }] of sending.entries()) {
      const { rows } = replies[index]!
      if (rows.length < entries.length) throw new IncompleteBatch()
      for (const { place, result } of rows) results[entries[Number(place) - 1]!.index] = result
    }
  }
  return results
}

interface PlacedEntry extends BatchEntry {
  /** In the list of all calls. */
  index: number
}

function groupByKind(writes: Write<unknown>[]): Map<Kind, PlacedEntry[]> {
  const kinds = new Map<Kind, PlacedEntry[]>()
  for (const [index, { batch }] of writes.entries()) {
    if (!batch) throw new TypeError('This call cannot be written together with others.')
    const entries = kinds.get(batch.kind) ?? []
    entries.push({ ...batch, index })
    kinds.set(batch.kind, entries)
  }
  return kinds
}

function* splitByLength(entries: PlacedEntry[]): Generator<PlacedEntry[]> {
  let chunk: PlacedEntry[] = []
  let length = 0
  for (const entry of entries) {
    let own = 0
    for (const value of Object.values(entry.row)) if (typeof value === 'string') own += value.length
    if (chunk.length > 0 && length + own > MAX_TEXT_LENGTH) {
      yield chunk
      chunk = []
      length = 0
    }
    chunk.push(entry)
    length += own
  }
  yield chunk
}

function compile(kind: Kind, entries: PlacedEntry[]): Statement {
  return { name: `benchmaker ${kind}`, sql: texts[kind], parameters: [toJson(entries.map(({ row }) => row))] }
}

/** Money is an integer of up to 64 bits, which PostgreSQL also reads from a text. */
const toJson = (rows: Record<string, unknown>[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function toSql({ columns, computed, body }: BatchStatement): string {
  const computedColumns = computed === undefined ? '' : `, ${computed}`
  const definition = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `WITH input AS MATERIALIZED (
  SELECT *${computedColumns} FROM ROWS FROM (json_to_recordset($1) AS (${definition.join(', ')}))
  WITH ORDINALITY AS calls (${Object.keys(columns).join(', ')}, place))
${body}`
}

const texts: Record<Kind, string> = {
  startAttempt: toSql(statements.startAttempt),
  endAttempt: toSql(statements.endAttempt),
  saveAnswer: toSql(statements.saveAnswer),
  saveScore: toSql(statements.saveScore),
  saveError: toSql(statements.saveError),
}
