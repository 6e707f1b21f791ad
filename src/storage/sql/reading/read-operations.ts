import { sql, type Selectable } from 'kysely'
import {
  createScoreTable,
  InputError,
  type AttemptEnd,
  type CellEvent,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type CellResult,
  type ModelParameters,
  type Claim,
  type LoadedScores,
  type RunFilter,
  type RunRequest,
  type RunResult,
  type Storage,
  type StoredCell,
  type StoredRating,
  type Suite,
} from '../../../contract/index.ts'
import { quoteId } from '../check-arguments.ts'
import { rangesOf, rangesOfCases, type CellRange } from './cell-ranges.ts'
import { readJson, readOptionalJson, readOptionalText, readLabel } from '../columns.ts'
import { filterRuns } from './list-runs.ts'
import type { SqlDialect } from '../../migrations/migration.ts'
import { readAnswer, readAttempt, readEvent, readClaim } from './read-rows.ts'
import { readRating, loadResults } from './result-rows.ts'
import type { RunsTable, TableReader } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'

const MAX_TEXT_LENGTH = 1000

/**
 * Neither database ignores case the way Unicode does, so the comparison happens here. The database only drops answers
 * that cannot match, judging by the ASCII characters of the text; K and S are skipped because they also match
 * non-ASCII characters (the Kelvin sign, the long s).
 */
async function searchAnswers(
  db: TableReader,
  dialect: SqlDialect,
  { run, text }: { run: number; text: string },
): Promise<Omit<CellKey, 'runId'>[]> {
  if (text.length > MAX_TEXT_LENGTH)
    throw new InputError(`The text to search for has ${text.length} characters: the maximum is ${MAX_TEXT_LENGTH}.`)
  const wanted = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
  const pattern = patternOf(text)
  const mayMatch =
    dialect === 'sqlite'
      ? sql<boolean>`answers.response LIKE ${pattern} ESCAPE '\\'`
      : sql<boolean>`lower(answers.response COLLATE "C") LIKE ${pattern} ESCAPE '\\'`
  const found: Omit<CellKey, 'runId'>[] = []
  for await (const { from, to } of rangesOf(db, run)) {
    const rows = await db
      .selectFrom('cells')
      .innerJoin('answers', 'answers.cell', 'cells.id')
      .where('cells.run', '=', run)
      .where('cells.id', '>=', from)
      .where('cells.id', '<=', to)
      .where(mayMatch)
      .orderBy('cells.id')
      .select(['cells.case_id', 'cells.model_id', 'answers.response'])
      .execute()
    for (const row of rows)
      if (wanted.test(decodeText(row.response)))
        found.push({ testCaseId: decodeText(row.case_id), modelId: decodeText(row.model_id) })
  }
  return found
}

/** The part before the first character that is stored encoded. */
// oxlint-disable-next-line no-control-regex
const unencodedPrefix = /^[^\0\u001A\p{Surrogate}]*/u

function patternOf(text: string): string {
  const [plain = ''] = unencodedPrefix.exec(text) ?? []
  const parts = Array.from(plain, (character) => {
    if (character > '\u007F' || /[ks]/i.test(character)) return '_'
    return /[%_\\]/.test(character) ? `\\${character}` : character.toLowerCase()
  })
  return `%${parts.join('')}%`
}

const answerAttempts = sql<number>`(select count(*) from attempts where attempts.cell = cells.id and attempts.purpose = 'answer')`

export class ReadOperations {
  readonly #db: TableReader
  readonly #dialect: SqlDialect

  constructor(db: TableReader, dialect: SqlDialect) {
    this.#db = db
    this.#dialect = dialect
  }

  async loadRun(
    runId: string,
    { texts: withTexts = true, suite: withSuite = true, testCaseIds }: Parameters<Storage['loadRun']>[1] = {},
  ): Promise<RunResult | undefined> {
    const row = await this.#db.selectFrom('runs').where('id', '=', encodeText(runId)).selectAll().executeTakeFirst()
    if (!row) return undefined
    const results: CellResult[] = []
    for await (const range of this.#rangesOf(row.number, testCaseIds))
      results.push(...(await loadResults(this.#db, this.#dialect, { run: row.number, ...range }, { withTexts })))
    const testSuiteSnapshot = withSuite ? await this.#loadSuite(row) : undefined
    return { ...readHead(row), ...(testSuiteSnapshot && { testSuiteSnapshot }), results }
  }

  async loadScores(runIds: readonly string[]): Promise<LoadedScores> {
    const table = createScoreTable()
    const suites: (Suite | undefined)[] = []
    const known = new Map<string | null, Suite | undefined>()
    for (const runId of runIds) {
      const row = await this.#db.selectFrom('runs').where('id', '=', encodeText(runId)).selectAll().executeTakeFirst()
      if (!row) continue
      if (!known.has(row.suite)) known.set(row.suite, await this.#loadSuite(row))
      const suite = known.get(row.suite)
      suites.push(suite)
      const { add, end } = table.startRun(readHead(row), suite)
      for await (const range of rangesOf(this.#db, row.number)) {
        const cells = { run: row.number, ...range }
        for (const result of await loadResults(this.#db, this.#dialect, cells, { withTexts: false })) add(result)
      }
      end()
    }
    return { scores: table.finish(), suites }
  }

  async #loadSuite({ id, suite: hash }: Pick<RunsTable, 'id' | 'suite'>): Promise<Suite | undefined> {
    if (hash === null) return undefined
    const row = await this.#db.selectFrom('suites').where('hash', '=', hash).select('content').executeTakeFirst()
    return readOptionalJson<Suite>(row?.content ?? null, `The suite of run ${quoteId(decodeText(id))}`)
  }

  async loadCell(key: CellKey): Promise<StoredCell | undefined> {
    const cell = await this.#db
      .selectFrom('cells')
      .innerJoin('runs', 'runs.number', 'cells.run')
      .where('runs.id', '=', encodeText(key.runId))
      .where('cells.case_id', '=', encodeText(key.testCaseId))
      .where('cells.model_id', '=', encodeText(key.modelId))
      .select(['cells.id', 'cells.run'])
      .executeTakeFirst()
    if (!cell) return undefined
    const range = { from: cell.id, to: cell.id }
    const [result] = await loadResults(this.#db, this.#dialect, { run: cell.run, ...range }, { all: true })
    const [answerRow] = await this.#selectAnswers(cell.run, range).execute()
    const attempts = await this.#selectAttempts(cell.run, range).orderBy('attempts.id').execute()
    // Deleted in the meantime.
    if (!result || !answerRow) return undefined
    const answer = readAnswer(answerRow)
    return { result, ...(answer && { answer }), attempts: attempts.map((row) => readAttempt(key.runId, row)) }
  }

  async countRatings(): ReturnType<Storage['countRatings']> {
    const rows = await this.#db
      .selectFrom('ratings')
      .innerJoin('cells', 'cells.id', 'ratings.cell')
      .innerJoin('runs', 'runs.number', 'cells.run')
      .where('ratings.rating', 'is not', null)
      .groupBy(['runs.id', 'runs.number'])
      .orderBy('runs.number', 'desc')
      .select((eb) => ['runs.id', eb.fn.count<number>('cells.id').distinct().as('ratings')])
      .execute()
    return rows.map(({ id, ratings }) => ({ runId: decodeText(id), ratings: Number(ratings) }))
  }

  async listRatings(runId: string): Promise<StoredRating[]> {
    const rows = await this.#db
      .selectFrom('ratings')
      .innerJoin('cells', 'cells.id', 'ratings.cell')
      .where('cells.run', '=', await this.#numberOf(runId))
      .where('ratings.rater', '!=', '')
      .orderBy('ratings.rated_at')
      .orderBy('cells.id')
      .select(['cells.case_id', 'cells.model_id', 'ratings.rated_at'])
      .select(['ratings.rater', 'ratings.rating', 'ratings.note', 'ratings.queue'])
      .execute()
    return rows.map(({ case_id, model_id, rated_at, ...said }) => ({
      testCaseId: decodeText(case_id),
      modelId: decodeText(model_id),
      ratedAt: rated_at,
      ...readRating(said),
    }))
  }

  async searchAnswers(runId: string, text: string): ReturnType<Storage['searchAnswers']> {
    return searchAnswers(this.#db, this.#dialect, { run: await this.#numberOf(runId), text })
  }

  async countRuns(filter: RunFilter = {}): Promise<number> {
    const { count } = await this.#db
      .selectFrom('runs')
      .where((eb) => filterRuns(eb, filter, this.#dialect))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  async loadOpenCells(runId: string, testCaseIds?: readonly string[]): ReturnType<Storage['loadOpenCells']> {
    const run = await this.#numberOf(runId)
    const open: Awaited<ReturnType<Storage['loadOpenCells']>> = []
    for await (const { from, to } of this.#rangesOf(run, testCaseIds)) {
      const rows = await this.#selectAnswers(run, { from, to })
        .where('cells.state', 'in', ['pending', 'answered'])
        .execute()
      for (const row of rows) {
        const cell: CellKey = { runId, testCaseId: decodeText(row.case_id), modelId: decodeText(row.model_id) }
        const answer = readAnswer(row)
        open.push(answer ? { cell, answer, attempts: row.attempts } : { cell, attempts: row.attempts })
      }
    }
    return open
  }

  async loadEvents({ runId, testCaseId, modelId }: CellKey): Promise<CellEvent[]> {
    const rows = await this.#db
      .selectFrom('events')
      .innerJoin('cells', 'cells.id', 'events.cell')
      .where('cells.run', '=', await this.#numberOf(runId))
      .where('cells.case_id', '=', encodeText(testCaseId))
      .where('cells.model_id', '=', encodeText(modelId))
      .orderBy('events.seq')
      .select(['events.seq', 'events.attempt', 'events.content'])
      .execute()
    return rows.map((row) => readEvent(row, `Event ${row.seq} of test case ${quoteId(testCaseId)}`))
  }

  async loadAttempts(runId: string): Promise<(AttemptStart & { id: AttemptId; end?: AttemptEnd })[]> {
    const run = await this.#numberOf(runId)
    const attempts: (AttemptStart & { id: AttemptId; end?: AttemptEnd })[] = []
    for await (const { from, to } of rangesOf(this.#db, run)) {
      const rows = await this.#selectAttempts(run, { from, to }).execute()
      for (const row of rows) attempts.push(readAttempt(runId, row))
    }
    return attempts.sort((a, b) => a.id - b.id)
  }

  async findRuns(idPrefix: string): Promise<string[]> {
    const newest = this.#db.selectFrom('runs').select('id').orderBy('number', 'desc')
    if (idPrefix === 'latest') {
      const latest = await newest.where('kind', 'not in', ['rerun', 'playground']).limit(1).execute()
      return latest.map(({ id }) => decodeText(id))
    }
    const prefix = encodeText(idPrefix)
    // Not LIKE: it ignores case in SQLite but not in PostgreSQL, and both treat % and _ as wildcards.
    const rows = await newest.where(sql<boolean>`substr(id, 1, length(cast(${prefix} as text))) = ${prefix}`).execute()
    return rows.map(({ id }) => decodeText(id))
  }

  async runsOfSeries(seriesId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('runs')
      .where('series_id', '=', encodeText(seriesId))
      .orderBy('number')
      .select('id')
      .execute()
    return rows.map(({ id }) => decodeText(id))
  }

  async listClaims(): Promise<Claim[]> {
    const rows = await this.#db.selectFrom('claims').selectAll().execute()
    return rows.map(readClaim)
  }

  #rangesOf(run: number, testCaseIds: readonly string[] | undefined): AsyncGenerator<CellRange> {
    return testCaseIds ? rangesOfCases(this.#db, run, testCaseIds) : rangesOf(this.#db, run)
  }

  #selectAnswers(run: number, { from, to }: CellRange) {
    return this.#db
      .selectFrom('cells')
      .leftJoin('answers', 'answers.cell', 'cells.id')
      .where('cells.run', '=', run)
      .where('cells.id', '>=', from)
      .where('cells.id', '<=', to)
      .orderBy('cells.id')
      .select(['cells.case_id', 'cells.model_id', 'answers.response', 'answers.reasoning', 'answers.tool_calls'])
      .select(['answers.prompt_tokens', 'answers.completion_tokens', 'answers.latency_ms', 'answers.first_token_ms'])
      .select(['answers.token_details', 'answers.cached_at', 'answers.served_by', 'answers.sent', 'answers.notes'])
      .select(['answers.finish_reason', 'answers.left_out', 'answers.outcome as answer_outcome'])
      .select(sql<string | null>`cast(answers.cost as text)`.as('answer_cost'))
      .select(answerAttempts.as('attempts'))
  }

  #selectAttempts(run: number, { from, to }: CellRange) {
    return this.#db
      .selectFrom('attempts')
      .innerJoin('cells', 'cells.id', 'attempts.cell')
      .where('cells.run', '=', run)
      .where('attempts.cell', '>=', from)
      .where('attempts.cell', '<=', to)
      .select([
        'attempts.id',
        'cells.case_id',
        'cells.model_id',
        'attempts.purpose',
        'attempts.asked_model',
        'attempts.started_at',
      ])
      .select(['attempts.ended_at', 'attempts.outcome', 'attempts.prompt_tokens', 'attempts.completion_tokens'])
      .select(['attempts.latency_ms', 'attempts.first_token_ms', 'attempts.http_status', 'attempts.error'])
      .select(sql<string | null>`cast(attempts.cost as text)`.as('cost_text'))
  }

  async #numberOf(runId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('runs')
      .where('id', '=', encodeText(runId))
      .select('number')
      .executeTakeFirst()
    if (!row) throw new InputError(`There is no run ${quoteId(runId)}: list the runs to see their ids.`)
    return row.number
  }
}

/** A run without its cells and its suite. */
function readHead(row: Selectable<RunsTable>): Omit<RunResult, 'results' | 'testSuiteSnapshot'> {
  const where = `of run ${quoteId(decodeText(row.id))}`
  const seriesId = readOptionalText(row.series_id)
  const label = readLabel(row, where)
  const testSuiteId = readOptionalText(row.suite_id)
  const testSuiteName = readOptionalText(row.suite_name)
  const parameters = readOptionalJson<ModelParameters>(row.parameters, `The column parameters ${where}`)
  const judgeModel = readOptionalText(row.judge_model)
  const request = readOptionalJson<RunRequest>(row.request, `The column request ${where}`)
  const versions = readOptionalJson<Record<string, string>>(row.versions, `The column versions ${where}`)
  return {
    id: decodeText(row.id),
    kind: row.kind,
    ...(seriesId !== undefined && { seriesId }),
    ...(label && { label }),
    ...(testSuiteId !== undefined && { testSuiteId }),
    ...(testSuiteName !== undefined && { testSuiteName }),
    models: readJson<string[]>(row.models, `The column models ${where}`),
    ...(parameters && { parameters }),
    ...(judgeModel !== undefined && { judgeModel }),
    startedAt: row.started_at,
    ...(row.completed_at !== null && { completedAt: row.completed_at }),
    status: row.status,
    ...(row.stop_reason !== null && { stopReason: row.stop_reason }),
    ...(request && { request }),
    ...(versions && { versions }),
  }
}
