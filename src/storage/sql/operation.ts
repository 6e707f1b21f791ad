import type { Compilable } from 'kysely'

/**
 * A piece of work on the database, written once for both: a generator that yields statements and gets their results back.
 * SQLite runs it without a pause, so that many fit into one commit; PostgreSQL awaits each statement. It runs inside
 * a transaction and may be run again from its beginning.
 */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  /** Rows inserted, updated or deleted. */
  changes: number
}

export type Operation<Result> = Generator<Statement, Result, StatementResult>

/** What a query gives, typed as kysely knows it: both drivers give integers as numbers. */
export function* rowsOf<Row>(query: Compilable<Row>): Operation<Row[]> {
  const { rows } = yield query.compile()
  return rows as Row[]
}

/** How many rows a query changes. */
export function* changesOf(query: Compilable): Operation<number> {
  const { changes } = yield query.compile()
  return changes
}

export function performAtOnce<Result>(
  operation: Operation<Result>,
  execute: (statement: Statement) => StatementResult,
): Result {
  let step = operation.next()
  while (!step.done) step = operation.next(execute(step.value))
  return step.value
}

export async function performInSteps<Result>(
  operation: Operation<Result>,
  execute: (statement: Statement) => Promise<StatementResult>,
): Promise<Result> {
  let step = operation.next()
  while (!step.done) step = operation.next(await execute(step.value))
  return step.value
}

/** PostgreSQL gives its 64-bit integers as text. */
export function readInteger(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value)
  if (!Number.isSafeInteger(number))
    throw new TypeError(`The database gave ${String(value)} where a whole number stands.`)
  return number
}

export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`The database gave ${String(value)} where a text stands.`)
  return value
}
