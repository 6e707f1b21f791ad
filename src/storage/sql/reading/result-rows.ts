import {
  toDollars,
  type CellResult,
  type RaterRating,
  type RunStatus,
  type ScoringResult,
  type TokenDetails,
  type ToolCall,
} from '../../../contract/index.ts'
import { readJson, type Grades } from '../columns.ts'
import type { LeftJoined } from './read-rows.ts'
import type { AnswersTable, CellsTable, RatingsTable, ScoresTable, TableReader } from '../schema.ts'
import { decodeText } from '../text-codec.ts'
import { sql } from 'kysely'
import type { CellRange } from './cell-ranges.ts'
import type { SqlDialect } from '../../migrations/migration.ts'

/** Turns the rows selected in `run-results.ts` into results. Absent fields stay absent. */

type NumbersRow = Pick<CellsTable, 'state' | 'case_id' | 'model_id' | 'outcome' | 'error'> &
  LeftJoined<Pick<AnswersTable, 'prompt_tokens' | 'completion_tokens' | 'latency_ms' | 'first_token_ms' | 'left_out'>> &
  LeftJoined<Pick<AnswersTable, 'token_details' | 'cached_at' | 'served_by'>> &
  Pick<ScoresTable, 'score' | 'confidence' | 'raw_score' | 'max_score' | 'unscored_code' | 'unscored_message'> &
  Pick<RatingsTable, 'rating' | 'note'>

type NumbersOnlyRow = NumbersRow & Pick<ScoresTable, 'figures'>

type FullRow = NumbersRow &
  LeftJoined<Pick<AnswersTable, 'response' | 'tool_calls' | 'sent'> & { answer_notes: string | null }> &
  Pick<ScoresTable, 'notes' | 'checks' | 'details'>

interface Requests {
  /** Requests for the answer, not counting those to judges. */
  attempts: number
  /** Dollars, judges included; absent if no cost is known. */
  cost: number | undefined
}

function readCost({ millions, rest }: { millions: number | null; rest: number | null }): number | undefined {
  return millions === null || rest === null ? undefined : toDollars(BigInt(millions) * 1_000_000n + BigInt(rest))
}

function statusOf({ state, outcome }: NumbersRow): RunStatus {
  switch (state) {
    case 'pending':
      return 'idle'
    case 'answered':
      return 'running'
    case 'error':
      return outcome === 'cancelled' ? 'cancelled' : 'failed'
    default:
      return 'completed'
  }
}

const MAX_ERROR_LENGTH = 300

function readNumbers(row: NumbersRow, { attempts, cost }: Requests): CellResult {
  const result: CellResult = {
    testCaseId: decodeText(row.case_id),
    modelId: decodeText(row.model_id),
    status: statusOf(row),
    attempts,
  }
  if (row.outcome !== null) result.outcome = row.outcome
  if (row.prompt_tokens !== null) result.promptTokens = row.prompt_tokens
  if (row.completion_tokens !== null) result.completionTokens = row.completion_tokens
  if (row.latency_ms !== null && row.latency_ms >= 0) result.latencyMs = row.latency_ms
  if (row.first_token_ms !== null) result.firstTokenMs = row.first_token_ms
  if (row.token_details !== null)
    result.tokenDetails = readJson<TokenDetails>(row.token_details, `token_details of test case ${result.testCaseId}`)
  if (row.cached_at !== null) result.cachedAt = row.cached_at
  if (row.served_by !== null) result.servedBy = decodeText(row.served_by)
  if (row.left_out !== null)
    result.leftOut = readJson<string[]>(row.left_out, `left_out of test case ${result.testCaseId}`)
  if (cost !== undefined) result.cost = cost
  if (row.score !== null) {
    result.score = { score: row.score }
    if (row.confidence !== null) result.score.confidence = row.confidence
    if (row.raw_score !== null) result.score.rawScore = row.raw_score
    if (row.max_score !== null) result.score.maxScore = row.max_score
  }
  if (row.unscored_code !== null)
    result.unscored = { code: decodeText(row.unscored_code), message: decodeText(row.unscored_message ?? '') }
  if (row.rating !== null) result.rating = { rating: row.rating }
  if (row.note !== null) result.rating = { ...result.rating, note: decodeText(row.note) }
  return result
}

function readNumbersOnly(row: NumbersOnlyRow, requests: Requests): CellResult {
  const result = readNumbers(row, requests)
  if (row.error !== null) result.error = cutText(decodeText(row.error), MAX_ERROR_LENGTH)
  if (result.score && row.figures !== null)
    Object.assign(result.score, readJson<Grades>(row.figures, `figures of test case ${result.testCaseId}`))
  return result
}

function readFullResult(row: FullRow, requests: Requests): CellResult {
  const result = readNumbers(row, requests)
  const where = `of test case ${result.testCaseId}`
  if (row.response !== null) result.response = decodeText(row.response)
  if (row.tool_calls !== null) result.toolCalls = readJson<ToolCall[]>(row.tool_calls, `tool_calls ${where}`)
  if (row.sent !== null) result.sent = readJson<Record<string, unknown>>(row.sent, `sent ${where}`)
  if (row.answer_notes !== null) result.requestNotes = readJson<string[]>(row.answer_notes, `notes ${where}`)
  if (row.error !== null) result.error = decodeText(row.error)
  if (!result.score) return result
  if (row.notes !== null) result.score.notes = decodeText(row.notes)
  if (row.checks !== null) result.score.checks = readJson<ScoringResult['checks']>(row.checks, `checks ${where}`)
  if (row.details !== null) result.score = { ...readJson<object>(row.details, `details ${where}`), ...result.score }
  return result
}

export function readRating({
  rater,
  rating,
  note,
  queue,
}: Pick<RatingsTable, 'rater' | 'rating' | 'note' | 'queue'>): RaterRating {
  return {
    rater: decodeText(rater),
    ...(rating !== null && { rating }),
    ...(note !== null && { note: decodeText(note) }),
    ...(queue !== null && { queueId: decodeText(queue) }),
  }
}

/** Never splits a surrogate pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const end =
    /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[length] ?? '') ? length - 1 : length
  return text.slice(0, end)
}

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
      .select([
        'cells.error',
        'answers.response',
        'answers.tool_calls',
        'answers.sent',
        'answers.notes as answer_notes',
      ])
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
    .select(['answers.token_details', 'answers.cached_at', 'answers.served_by'])
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
