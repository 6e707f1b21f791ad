import type { Compilable } from 'kysely'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  /** Rows inserted, updated or deleted. */
  changes: number
}

/**
 * Work on the database, written once for both: a generator that yields statements and receives their results. SQLite
 * runs it synchronously, so that many fit into one commit; PostgreSQL awaits each statement. It runs inside a
 * transaction and may be restarted from the beginning.
 */
export type Operation<Result> = Generator<Statement, Result, StatementResult>

/** A call that writes. */
export interface Write<Result> {
  operation: () => Operation<Result>
  /** Called for every cell of a run and quick: it may share a transaction with others. */
  isOfCell?: boolean
}

/** The rows of a query, with Kysely's types: both drivers return integers as numbers. */
export function* rowsOf<Row>(query: Compilable<Row>): Operation<Row[]> {
  const { rows } = yield query.compile()
  return rows as Row[]
}

/** The number of rows a query changes. */
export function* changesOf(query: Compilable): Operation<number> {
  const { changes } = yield query.compile()
  return changes
}

export function runSync<Result>(
  operation: Operation<Result>,
  execute: (statement: Statement) => StatementResult,
): Result {
  let step = operation.next()
  while (!step.done) step = operation.next(execute(step.value))
  return step.value
}

export async function runAsync<Result>(
  operation: Operation<Result>,
  execute: (statement: Statement) => Promise<StatementResult>,
): Promise<Result> {
  let step = operation.next()
  while (!step.done) step = operation.next(await execute(step.value))
  return step.value
}

/** PostgreSQL returns 64-bit integers as text. */
export function readInteger(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value)
  if (!Number.isSafeInteger(number))
    throw new TypeError(`The database returned ${String(value)} instead of an integer.`)
  return number
}

export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`The database returned ${String(value)} instead of a text.`)
  return value
}
