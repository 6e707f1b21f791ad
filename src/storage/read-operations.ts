import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  InputError,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type CellResult,
  type Parameters,
  type RunResult,
  type RunSummary,
  type Storage,
  type Suite,
} from '../contract/index.ts'
import { nameId } from './argument-checks.ts'
import { readJson, readOptionalJson, readOptionalText, readSum } from './columns.ts'
import { readAnswer, readAttempt, readCellResult } from './read-rows.ts'
import type { CellState, TableReader } from './schema.ts'
import { decodeText, encodeText } from './text-codec.ts'

/** Rows read in one go: a long run must not hold up what else the program does. */
const cellsAtOnce = 1000
const runsAtOnce = 500

const answerAttempts = sql<number>`(select count(*) from attempts where attempts.cell = cells.id and attempts.purpose = 'answer')`
/** In two parts, because the sum of 64-bit integers may not fit into one: `readSum` puts them together. NULL when not one cost is known. */
const sumOfCosts = sql<string | null>`cast(sum(attempts.cost / 1000000) as text) || ' ' || cast(sum(attempts.cost % 1000000) as text)`
/** Judges included. */
const costOfCell = sql<string | null>`(select ${sumOfCosts} from attempts where attempts.cell = cells.id)`

export class ReadOperations {
  readonly #db: TableReader

  constructor(db: TableReader) {
    this.#db = db
  }

  async loadRun(runId: string): Promise<RunResult | undefined> {
    const row = await this.#db
      .selectFrom('runs')
      .leftJoin('suites', 'suites.hash', 'runs.suite')
      .where('runs.id', '=', encodeText(runId))
      .selectAll('runs')
      .select('suites.content')
      .executeTakeFirst()
    if (!row) return undefined
    const where = `of run ${nameId(runId)}`
    const results: CellResult[] = []
    for await (const range of this.#ranges(row.number)) results.push(...(await this.#loadResults(row.number, range)))
    const seriesId = readOptionalText(row.series_id)
    const testSuiteId = readOptionalText(row.suite_id)
    const testSuiteName = readOptionalText(row.suite_name)
    const testSuiteSnapshot = readOptionalJson<Suite>(row.content, `The suite ${where}`)
    const parameters = readOptionalJson<Parameters>(row.parameters, `The column parameters ${where}`)
    const judgeModel = readOptionalText(row.judge_model)
    const versions = readOptionalJson<Record<string, string>>(row.versions, `The column versions ${where}`)
    return {
      id: decodeText(row.id),
      ...(seriesId !== undefined && { seriesId }),
      ...(testSuiteId !== undefined && { testSuiteId }),
      ...(testSuiteName !== undefined && { testSuiteName }),
      ...(testSuiteSnapshot && { testSuiteSnapshot }),
      models: readJson<string[]>(row.models, `The column models ${where}`),
      ...(parameters && { parameters }),
      ...(judgeModel !== undefined && { judgeModel }),
      startedAt: row.started_at,
      ...(row.completed_at !== null && { completedAt: row.completed_at }),
      status: row.status,
      ...(versions && { versions }),
      results,
    }
  }

  async loadOpenCells(runId: string): ReturnType<Storage['loadOpenCells']> {
    const run = await this.#numberOf(runId)
    const open: Awaited<ReturnType<Storage['loadOpenCells']>> = []
    for await (const { from, to } of this.#ranges(run)) {
      const rows = await this.#db
        .selectFrom('cells')
        .leftJoin('answers', 'answers.cell', 'cells.id')
        .where('cells.run', '=', run)
        .where('cells.id', '>=', from)
        .where('cells.id', '<=', to)
        .where('cells.state', 'in', ['pending', 'answered'])
        .orderBy('cells.id')
        .select(['cells.case_id', 'cells.model_id', 'answers.response', 'answers.reasoning', 'answers.tool_calls'])
        .select(['answers.prompt_tokens', 'answers.completion_tokens', 'answers.latency_ms', 'answers.first_token_ms'])
        .select(['answers.finish_reason', 'answers.left_out', 'answers.outcome as answer_outcome'])
        .select(sql<string | null>`cast(answers.cost as text)`.as('answer_cost'))
        .select(answerAttempts.as('attempts'))
        .execute()
      for (const row of rows) {
        const cell: CellKey = { runId, testCaseId: decodeText(row.case_id), modelId: decodeText(row.model_id) }
        const answer = readAnswer(row)
        open.push(answer ? { cell, answer, attempts: row.attempts } : { cell, attempts: row.attempts })
      }
    }
    return open
  }

  async loadAttempts(runId: string): Promise<(AttemptStart & { id: AttemptId; end?: AttemptEnd })[]> {
    const run = await this.#numberOf(runId)
    const attempts: (AttemptStart & { id: AttemptId; end?: AttemptEnd })[] = []
    for await (const { from, to } of this.#ranges(run)) {
      const rows = await this.#db
        .selectFrom('attempts')
        .innerJoin('cells', 'cells.id', 'attempts.cell')
        .where('cells.run', '=', run)
        .where('attempts.cell', '>=', from)
        .where('attempts.cell', '<=', to)
        .select(['attempts.id', 'cells.case_id', 'cells.model_id', 'attempts.purpose', 'attempts.asked_model', 'attempts.started_at'])
        .select(['attempts.ended_at', 'attempts.outcome', 'attempts.prompt_tokens', 'attempts.completion_tokens'])
        .select(['attempts.latency_ms', 'attempts.first_token_ms', 'attempts.http_status', 'attempts.error'])
        .select(sql<string | null>`cast(attempts.cost as text)`.as('cost_text'))
        .execute()
      for (const row of rows) attempts.push(readAttempt(runId, row))
    }
    return attempts.sort((a, b) => a.id - b.id)
  }

  async findRuns(idPrefix: string): Promise<string[]> {
    const newest = this.#db.selectFrom('runs').select('id').orderBy('started_at', 'desc').orderBy('number', 'desc')
    if (idPrefix === 'latest') return (await newest.limit(1).execute()).map(({ id }) => decodeText(id))
    const prefix = encodeText(idPrefix)
    // Not LIKE: SQLite's knows no upper and lower case, PostgreSQL's does, and both give % and _ a meaning.
    const rows = await newest.where(sql<boolean>`substr(id, 1, length(cast(${prefix} as text))) = ${prefix}`).execute()
    return rows.map(({ id }) => decodeText(id))
  }

  async listRuns({ limit, offset }: { limit?: number; offset?: number } = {}): Promise<RunSummary[]> {
    const summaries: RunSummary[] = []
    let first = offset ?? 0
    let wanted = limit ?? Number.POSITIVE_INFINITY
    while (wanted > 0) {
      const page = await this.#listPage(Math.min(runsAtOnce, wanted), first)
      summaries.push(...page)
      if (page.length < runsAtOnce) break
      first += page.length
      wanted -= page.length
    }
    return summaries
  }

  async runsOfSeries(seriesId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('runs')
      .where('series_id', '=', encodeText(seriesId))
      .orderBy('started_at')
      .orderBy('number')
      .select('id')
      .execute()
    return rows.map(({ id }) => decodeText(id))
  }

  async #numberOf(runId: string): Promise<number> {
    const row = await this.#db.selectFrom('runs').where('id', '=', encodeText(runId)).select('number').executeTakeFirst()
    if (!row) throw new InputError(`There is no run ${nameId(runId)}: list the runs to see their ids.`)
    return row.number
  }

  /** The cells of a run in pieces; the program gets a turn between them. */
  async *#ranges(run: number): AsyncGenerator<{ from: number; to: number }> {
    const ends = await this.#db
      .selectFrom('cells')
      .where('run', '=', run)
      .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
      .executeTakeFirst()
    const last = ends?.last ?? -1
    for (let from = ends?.first ?? 0; from <= last; from += cellsAtOnce) {
      yield { from, to: from + cellsAtOnce - 1 }
      await nextTurn()
    }
  }

  async #loadResults(run: number, { from, to }: { from: number; to: number }): Promise<CellResult[]> {
    const rows = await this.#db
      .selectFrom('cells')
      .leftJoin('answers', 'answers.cell', 'cells.id')
      .leftJoin('scores', 'scores.cell', 'cells.id')
      .where('cells.run', '=', run)
      .where('cells.id', '>=', from)
      .where('cells.id', '<=', to)
      .where('cells.state', 'in', ['scored', 'unscored', 'error'])
      .orderBy('cells.id')
      .select(['cells.case_id', 'cells.model_id', 'cells.state', 'cells.outcome', 'cells.error'])
      .select(['answers.response', 'answers.tool_calls', 'answers.left_out', 'answers.prompt_tokens', 'answers.completion_tokens'])
      .select(['answers.latency_ms', 'answers.first_token_ms', 'scores.score', 'scores.confidence', 'scores.raw_score'])
      .select(['scores.max_score', 'scores.notes', 'scores.checks', 'scores.details', 'scores.unscored_code', 'scores.unscored_message'])
      .select([answerAttempts.as('attempts'), costOfCell.as('total_cost')])
      .execute()
    return rows.map(readCellResult)
  }

  async #listPage(limit: number, offset: number): Promise<RunSummary[]> {
    const runs = await this.#db.selectFrom('runs').selectAll().orderBy('started_at', 'desc').orderBy('number', 'desc').limit(limit).offset(offset).execute()
    if (runs.length === 0) return []
    const numbers = runs.map(({ number }) => number)
    const states = await this.#db
      .selectFrom('cells')
      .where('run', 'in', numbers)
      .groupBy(['run', 'state'])
      .select((eb) => ['run', 'state', eb.fn.countAll<number>().as('count')])
      .execute()
    const costs = await this.#db
      .selectFrom('cells')
      .innerJoin('attempts', 'attempts.cell', 'cells.id')
      .where('cells.run', 'in', numbers)
      .groupBy('cells.run')
      .select((eb) => ['cells.run', eb.fn.countAll<number>().as('count'), eb.fn.count<number>('attempts.cost').as('known')])
      .select(sumOfCosts.as('total'))
      .execute()
    const costOf = new Map(costs.map((row) => [row.run, row]))
    const statesOf = Map.groupBy(states, (row) => row.run)
    const countOf = (run: number, ...wanted: CellState[]) =>
      (statesOf.get(run) ?? []).reduce((sum, row) => (wanted.includes(row.state) ? sum + row.count : sum), 0)
    return runs.map((row): RunSummary => {
      const cost = costOf.get(row.number)
      const seriesId = readOptionalText(row.series_id)
      const testSuiteName = readOptionalText(row.suite_name)
      return {
        id: decodeText(row.id),
        ...(seriesId !== undefined && { seriesId }),
        ...(testSuiteName !== undefined && { testSuiteName }),
        models: readJson<string[]>(row.models, `The column models of run ${row.id}`),
        status: row.status,
        startedAt: row.started_at,
        ...(row.completed_at !== null && { completedAt: row.completed_at }),
        cells: {
          total: countOf(row.number, 'pending', 'answered', 'scored', 'unscored', 'error'),
          scored: countOf(row.number, 'scored'),
          unscored: countOf(row.number, 'unscored'),
          errors: countOf(row.number, 'error'),
          pending: countOf(row.number, 'pending', 'answered'),
        },
        cost: readSum(cost?.total ?? null) ?? 0,
        unknownCosts: cost ? cost.count - cost.known : 0,
      }
    })
  }
}
