import { sql } from 'kysely'
import type { CellResult } from '../../../contract/index.ts'
import type { CellRange } from './cell-ranges.ts'
import { readCost, readFullResult, readNumbersOnly, readRating } from './result-rows.ts'
import type { SqlDialect } from '../../migrations/data-definition.ts'
import type { AnswersTable, ScoresTable, TableReader } from '../schema.ts'

/** An encoded character takes five, so this is enough for 300. */
const MAX_ENCODED_ERROR_LENGTH = 1500

interface RunCells extends CellRange {
  run: number
}

const tables = {
  answers: sql<AnswersTable>`answers`.as('answers'),
  scores: sql<ScoresTable>`scores`.as('scores'),
}
/** Without INDEXED BY, SQLite reads past every response instead of using the indexes that hold only the numbers. */
const indexes: typeof tables = {
  answers: sql<AnswersTable>`answers`.as<'answers'>(sql`answers INDEXED BY answers_numbers`),
  scores: sql<ScoresTable>`scores`.as<'scores'>(sql`scores INDEXED BY scores_numbers`),
}

/** Loads the results of a run in cell order, optionally without texts; only finished cells unless `all` is set. */
export async function loadResults(
  db: TableReader,
  dialect: SqlDialect,
  cells: RunCells,
  { withTexts = true, all = false } = {},
): Promise<CellResult[]> {
  const query = selectNumbers(db, cells, dialect === 'sqlite' && !withTexts ? indexes : tables)
  const finished = all ? query : query.where('cells.state', 'not in', ['pending', 'answered'])
  if (withTexts) {
    const rows = await finished
      .select(['cells.error', 'answers.response', 'answers.tool_calls'])
      .select(['scores.notes', 'scores.checks', 'scores.details'])
      .execute()
    const { requestsOf, withRatings } = await loadBeside(db, cells)
    return rows.map((row) => withRatings(row.id, readFullResult(row, requestsOf(row.id))))
  }
  const rows = await finished
    .select(sql<string | null>`substr(cells.error, 1, ${sql.lit(MAX_ENCODED_ERROR_LENGTH)})`.as('error'))
    .select('scores.figures')
    .execute()
  const { requestsOf, withRatings } = await loadBeside(db, cells)
  return rows.map((row) => withRatings(row.id, readNumbersOnly(row, requestsOf(row.id))))
}

/** After the results: read before, the requests of a result that was stored meanwhile would be missing. */
async function loadBeside(db: TableReader, cells: RunCells) {
  const requests = new Map((await selectRequests(db, cells).execute()).map((row) => [row.cell, row]))
  const ratings = Map.groupBy(await selectRatings(db, cells).execute(), (row) => row.cell)
  return {
    requestsOf(cell: number) {
      const row = requests.get(cell)
      return { attempts: row?.answers ?? 0, cost: row && readCost(row) }
    },
    withRatings(cell: number, result: CellResult): CellResult {
      const rows = ratings.get(cell)
      // The databases sort texts differently.
      return rows ? { ...result, ratings: rows.map(readRating).sort((a, b) => (a.rater < b.rater ? -1 : 1)) } : result
    },
  }
}

function selectNumbers(db: TableReader, { run, from, to }: RunCells, { answers, scores }: typeof tables) {
  return db
    .selectFrom('cells')
    .leftJoin(answers, 'answers.cell', 'cells.id')
    .leftJoin(scores, 'scores.cell', 'cells.id')
    .leftJoin('ratings', (join) => join.onRef('ratings.cell', '=', 'cells.id').on('ratings.rater', '=', ''))
    .where('cells.run', '=', run)
    .where('cells.id', '>=', from)
    .where('cells.id', '<=', to)
    .orderBy('cells.id')
    .select(['cells.id', 'cells.state', 'cells.case_id', 'cells.model_id', 'cells.outcome'])
    .select(['answers.prompt_tokens', 'answers.completion_tokens', 'answers.latency_ms', 'answers.first_token_ms'])
    .select(['answers.token_details', 'answers.cached_at'])
    .select(['answers.left_out', 'scores.score', 'scores.confidence', 'scores.raw_score', 'scores.max_score'])
    .select(['scores.unscored_code', 'scores.unscored_message', 'ratings.rating', 'ratings.note'])
}

/** What people who gave their name said. May contain cells of other runs. */
function selectRatings(db: TableReader, { from, to }: CellRange) {
  return db
    .selectFrom('ratings')
    .where('cell', '>=', from)
    .where('cell', '<=', to)
    .where('rater', '!=', '')
    .select(['cell', 'rater', 'rating', 'note', 'queue'])
}

/** The requests per cell and their cost, judges included. May contain cells of other runs. */
function selectRequests(db: TableReader, { from, to }: RunCells) {
  return (
    db
      .selectFrom('attempts')
      .where('cell', '>=', from)
      .where('cell', '<=', to)
      .groupBy('cell')
      .select('cell')
      .select(sql<number>`count(CASE WHEN purpose = 'answer' THEN 1 END)`.as('answers'))
      // In two parts, because a sum of 64-bit integers may not fit into one.
      .select(sql<number | null>`CAST(sum(cost / 1000000) AS bigint)`.as('millions'))
      .select(sql<number | null>`CAST(sum(cost % 1000000) AS bigint)`.as('rest'))
  )
}
