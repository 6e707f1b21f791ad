import { sql } from 'kysely'
import type { CellResult } from '../../contract/index.ts'
import type { CellRange } from './cell-ranges.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import { readInteger, type Statement } from './operation.ts'
import { readCosts, readFullResult, readNumbersOnly, type Costs } from './result-rows.ts'
import type { TableReader } from './schema.ts'
import { compileTemplate } from './statement-template.ts'

/** Rows as lists of values: an object for each of a hundred thousand rows would take twice the time. */
export type ReadRows = (statement: Statement) => Promise<unknown[][]>

type Range = { run: number; from: number; to: number }

/** An encoded character takes five, so these are enough for 300. */
const ENOUGH_OF_AN_ERROR = 1500

const numbers = sql`cells.id, cells.state, cells.case_id, cells.model_id, cells.outcome,
  answers.prompt_tokens, answers.completion_tokens, answers.latency_ms, answers.first_token_ms, answers.left_out,
  scores.score, scores.confidence, scores.raw_score, scores.max_score, scores.unscored_code, scores.unscored_message, ratings.rating, ratings.note`
const texts = sql`cells.error, answers.response, answers.tool_calls, scores.notes, scores.checks, scores.details`
const numbersOnly = sql`substr(cells.error, 1, ${sql.lit(ENOUGH_OF_AN_ERROR)}), scores.figures`

/** SQLite would rather walk past the texts than use an index that holds all that is asked for. */
const throughIndex: Record<SqlDialect, (index: string) => string> = {
  sqlite: (index) => `INDEXED BY ${index}`,
  postgres: () => '',
}

/** The results of a run, cell by cell in its order, with their texts or without reading them. */
export class RunResults {
  readonly #readRows: ReadRows
  readonly #costs
  readonly #full
  readonly #numbersOnly

  constructor({ db, dialect, readRows }: { db: TableReader; dialect: SqlDialect; readRows: ReadRows }) {
    this.#readRows = readRows
    this.#full = compileTemplate<Range>((slot) => ({
      compile: () =>
        sql`SELECT ${numbers}, ${texts} FROM cells
          LEFT JOIN answers ON answers.cell = cells.id LEFT JOIN scores ON scores.cell = cells.id LEFT JOIN ratings ON ratings.cell = cells.id
          WHERE cells.run = ${slot('run')} AND cells.id BETWEEN ${slot('from')} AND ${slot('to')} ORDER BY cells.id`.compile(
          db,
        ),
    }))
    const index = (name: string) => sql.raw(throughIndex[dialect](name))
    this.#numbersOnly = compileTemplate<Range>((slot) => ({
      compile: () =>
        sql`SELECT ${numbers}, ${numbersOnly} FROM cells
          LEFT JOIN answers ${index('answers_numbers')} ON answers.cell = cells.id
          LEFT JOIN scores ${index('scores_numbers')} ON scores.cell = cells.id
          LEFT JOIN ratings ON ratings.cell = cells.id
          WHERE cells.run = ${slot('run')} AND cells.id BETWEEN ${slot('from')} AND ${slot('to')} ORDER BY cells.id`.compile(
          db,
        ),
    }))
    // In two parts, because the sum of 64-bit integers may not fit into one.
    this.#costs = compileTemplate<CellRange & Record<string, number>>((slot) => ({
      compile: () =>
        sql`SELECT cell, count(CASE WHEN purpose = 'answer' THEN 1 END), CAST(sum(cost / 1000000) AS bigint), CAST(sum(cost % 1000000) AS bigint)
          FROM attempts WHERE cell BETWEEN ${slot('from')} AND ${slot('to')} GROUP BY cell ORDER BY cell`.compile(db),
    }))
  }

  /** Of finished cells only, unless all are asked for. */
  async load(run: number, { from, to }: CellRange, { withTexts = true, all = false } = {}): Promise<CellResult[]> {
    const rows = await this.#readRows((withTexts ? this.#full : this.#numbersOnly)({ run, from, to }))
    const costs = (await this.#readRows(this.#costs({ from, to }))).map(readCosts)
    const read = withTexts ? readFullResult : readNumbersOnly
    const results: CellResult[] = []
    let next = 0
    for (const row of rows) {
      const id = readInteger(row[0])
      // Other runs may have cells in between.
      while (next < costs.length && costs[next]!.cell < id) next++
      if (!all && (row[1] === 'pending' || row[1] === 'answered')) continue
      results.push(read(row, costs[next]?.cell === id ? costs[next]! : noCosts))
    }
    return results
  }
}

const noCosts: Costs = { cell: -1, answerAttempts: 0, cost: undefined }
