import { sql } from 'kysely'
import type { CellResult } from '../../contract/index.ts'
import type { CellRange } from './cell-ranges.ts'
import { readCost, readFullResult, readNumbersOnly } from './result-rows.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import type { AnswersTable, ScoresTable, TableReader } from './schema.ts'

/** An encoded character takes five, so these are enough for 300. */
const ENOUGH_OF_AN_ERROR = 1500

interface RunCells extends CellRange {
  run: number
}

const tables = {
  answers: sql<AnswersTable>`answers`.as('answers'),
  scores: sql<ScoresTable>`scores`.as('scores'),
}
/** SQLite would rather walk past every response than use the indexes that hold the numbers alone. */
const indexes: typeof tables = {
  answers: sql<AnswersTable>`answers`.as<'answers'>(sql`answers INDEXED BY answers_numbers`),
  scores: sql<ScoresTable>`scores`.as<'scores'>(sql`scores INDEXED BY scores_numbers`),
}

/** The results of a run, cell by cell in its order, with their texts or without reading them. Of finished cells only, unless all are asked for. */
export async function loadResults(
  db: TableReader,
  dialect: SqlDialect,
  cells: RunCells,
  { withTexts = true, all = false } = {},
): Promise<CellResult[]> {
  const requests = new Map((await selectRequests(db, cells).execute()).map((row) => [row.cell, row]))
  const requestsOf = (cell: number) => {
    const row = requests.get(cell)
    return { attempts: row?.answers ?? 0, cost: row && readCost(row) }
  }
  const query = selectNumbers(db, cells, dialect === 'sqlite' && !withTexts ? indexes : tables)
  const finished = all ? query : query.where('cells.state', 'not in', ['pending', 'answered'])
  if (withTexts) {
    const rows = await finished
      .select(['cells.error', 'answers.response', 'answers.tool_calls'])
      .select(['scores.notes', 'scores.checks', 'scores.details'])
      .execute()
    return rows.map((row) => readFullResult(row, requestsOf(row.id)))
  }
  const rows = await finished
    .select(sql<string | null>`substr(cells.error, 1, ${sql.lit(ENOUGH_OF_AN_ERROR)})`.as('error'))
    .select('scores.figures')
    .execute()
  return rows.map((row) => readNumbersOnly(row, requestsOf(row.id)))
}

function selectNumbers(db: TableReader, { run, from, to }: RunCells, { answers, scores }: typeof tables) {
  return db
    .selectFrom('cells')
    .leftJoin(answers, 'answers.cell', 'cells.id')
    .leftJoin(scores, 'scores.cell', 'cells.id')
    .leftJoin('ratings', 'ratings.cell', 'cells.id')
    .where('cells.run', '=', run)
    .where('cells.id', '>=', from)
    .where('cells.id', '<=', to)
    .orderBy('cells.id')
    .select(['cells.id', 'cells.state', 'cells.case_id', 'cells.model_id', 'cells.outcome'])
    .select(['answers.prompt_tokens', 'answers.completion_tokens', 'answers.latency_ms', 'answers.first_token_ms'])
    .select(['answers.left_out', 'scores.score', 'scores.confidence', 'scores.raw_score', 'scores.max_score'])
    .select(['scores.unscored_code', 'scores.unscored_message', 'ratings.rating', 'ratings.note'])
}

/** What was asked for each cell, and what it cost with its judges. Cells of other runs may be in between. */
function selectRequests(db: TableReader, { from, to }: RunCells) {
  return (
    db
      .selectFrom('attempts')
      .where('cell', '>=', from)
      .where('cell', '<=', to)
      .groupBy('cell')
      .select('cell')
      .select(sql<number>`count(CASE WHEN purpose = 'answer' THEN 1 END)`.as('answers'))
      // In two parts, because the sum of 64-bit integers may not fit into one.
      .select(sql<number | null>`CAST(sum(cost / 1000000) AS bigint)`.as('millions'))
      .select(sql<number | null>`CAST(sum(cost % 1000000) AS bigint)`.as('rest'))
  )
}
