import { sql, type RawBuilder, type Selectable, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import {
  type RunDescription,
  type RunRequest,
  type RunSelection,
  type RunSummary,
  foldText,
  type RunFilter,
  type RunStatus,
} from '../../../contract/index.ts'
import { readJson, readOptionalJson, readOptionalText, readSum, readLabel, tagWords } from '../columns.ts'
import type { SqlDialect } from '../../migrations/migration.ts'
import type { CellState, RunsTable, TableReader, Tables } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'

type Runs = ExpressionBuilder<Tables, 'runs'>

/** `compl` finds completed runs; fewer letters are too often part of something else. */
const MIN_STATE_LETTERS = 3

/** Both the word that is shown and the one that is stored find a run. */
const stateWords: readonly [word: string, status: RunStatus][] = [
  ['idle', 'idle'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['stopped', 'cancelled'],
  ['cancelled', 'cancelled'],
]

function contains(column: 'run_words' | 'label_words', text: string, dialect: SqlDialect): Expression<SqlBool> {
  const where = sql.ref(`runs.${column}`)
  return dialect === 'sqlite' ? sql<SqlBool>`instr(${where}, ${text}) > 0` : sql<SqlBool>`strpos(${where}, ${text}) > 0`
}

function isWorkedOn(eb: Runs, workedOn: readonly string[]): Expression<SqlBool> {
  const ids = workedOn.map(encodeText)
  if (ids.length === 0) return sql<SqlBool>`1 = 0`
  // Without a series, a comparison with NULL would be neither true nor false.
  return eb.or([eb('runs.id', 'in', ids), eb(eb.fn.coalesce('runs.series_id', sql.lit('')), 'in', ids)])
}

/** The state of a run as it is shown: see `workedOn`. */
function hasState(eb: Runs, word: string, { workedOn }: RunFilter): Expression<SqlBool>[] {
  if (word.length < MIN_STATE_LETTERS) return []
  const stored = stateWords.flatMap(([name, status]) => (name.startsWith(word) ? [status] : []))
  const found: Expression<SqlBool>[] = stored.map((status) =>
    status === 'running' && workedOn
      ? eb.and([eb('runs.status', '=', status), isWorkedOn(eb, workedOn)])
      : eb('runs.status', '=', status),
  )
  if (workedOn && 'interrupted'.startsWith(word))
    found.push(eb.and([eb('runs.status', '=', 'running'), eb.not(isWorkedOn(eb, workedOn))]))
  if ('series'.startsWith(word)) found.push(eb('runs.series_id', 'is not', null))
  return found
}

/** A stored suite has the runs that were started from it, and those of a file with its name. */
function isOfSuite(eb: Runs, { id, name }: NonNullable<RunFilter['suite']>): Expression<SqlBool> {
  const isStored = eb.exists(
    eb
      .selectFrom('documents')
      .where('documents.kind', '=', 'suite')
      .whereRef('documents.id', '=', 'runs.suite_id')
      .select('documents.number'),
  )
  const isNamed = eb.or([
    ...(id === undefined ? [] : [eb('runs.suite_id', '=', encodeText(id))]),
    ...(name === undefined ? [] : [eb.and([eb('runs.suite_name', '=', encodeText(name)), eb.not(isStored)])]),
  ])
  return eb.and([isNamed, eb('runs.kind', 'not in', ['rerun', 'playground'])])
}

/** The condition in SQL; both databases compare texts that were folded before they were stored, so they agree. */
export function filterRuns(eb: Runs, filter: RunFilter, dialect: SqlDialect): Expression<SqlBool> {
  const { words = [], tags = [], kinds, suite, wholeSeries = false } = filter
  const wanted = words.map((word) => foldText(word).trim()).filter((word) => word !== '')
  const conditions = [
    ...wanted.map((word) =>
      eb.or([
        contains('run_words', word, dialect),
        contains('label_words', word, dialect),
        ...hasState(eb, word, filter),
      ]),
    ),
    ...tags.map((tag) => contains('label_words', tagWords(tag), dialect)),
    ...(kinds ? [kinds.length === 0 ? sql<SqlBool>`1 = 0` : eb('runs.kind', 'in', kinds)] : []),
    ...(suite ? [isOfSuite(eb, suite)] : []),
  ]
  if (conditions.length === 0) return sql<SqlBool>`1 = 1`
  if (!wholeSeries) return eb.and(conditions)
  const group = sql<string>`CASE WHEN runs.series_id IS NULL THEN 'run ' || runs.id ELSE 'series ' || runs.series_id END`
  const found = eb.selectFrom('runs').where(eb.and(conditions)).select(group.as('name'))
  return eb(group, 'in', found)
}

/** Databases limit the number of parameters in a statement. */
const RUNS_PER_STATEMENT = 500

interface CountOfState {
  state: CellState
  count: number
}

interface CostOfRun {
  /** All attempts. */
  count: number
  /** Attempts with a known cost, or without tokens. */
  known: number
  /** For `readSum`. */
  total: string | null
}

/**
 * Runs with their cell counts and cost, the last stored first: by start time, a clock that was set back would hide the
 * newest. Counted on every call, so nothing can get out of sync.
 */
export async function listRuns(
  db: TableReader,
  dialect: SqlDialect,
  selection: RunSelection = {},
): Promise<RunSummary[]> {
  const summaries: RunSummary[] = []
  const runs = await selectRuns(db, dialect, selection)
  for (const page of pagesOf(runs)) summaries.push(...(await summariseRuns(db, dialect, page)))
  return summaries
}

async function selectRuns(
  db: TableReader,
  dialect: SqlDialect,
  selection: RunSelection,
): Promise<Selectable<RunsTable>[]> {
  const newestFirst = db.selectFrom('runs').selectAll().orderBy('number', 'desc')
  if (!('ids' in selection)) {
    const { limit = Number.MAX_SAFE_INTEGER, offset = 0, ...filter } = selection
    return newestFirst
      .where((eb) => filterRuns(eb, filter, dialect))
      .limit(limit)
      .offset(offset)
      .execute()
  }
  const runs: Selectable<RunsTable>[] = []
  for (const ids of pagesOf([...new Set(selection.ids)]))
    runs.push(...(await newestFirst.where('id', 'in', ids.map(encodeText)).execute()))
  return runs.sort((a, b) => b.number - a.number)
}

/** In the order of `listRuns`. */
export async function listRunDescriptions(
  db: TableReader,
  dialect: SqlDialect,
  selection: RunSelection = {},
): Promise<RunDescription[]> {
  return (await selectRuns(db, dialect, selection)).map(toDescription)
}

function toDescription(row: Selectable<RunsTable>): RunDescription {
  const seriesId = readOptionalText(row.series_id)
  const label = readLabel(row, `of run ${row.id}`)
  const testSuiteId = readOptionalText(row.suite_id)
  const testSuiteName = readOptionalText(row.suite_name)
  const {
    maxCost,
    repeat = 1,
    startedBy,
    project,
  } = readOptionalJson<Partial<RunRequest>>(row.request, `The column request of run ${row.id}`) ?? {}
  return {
    id: decodeText(row.id),
    kind: row.kind,
    ...(seriesId !== undefined && { seriesId }),
    ...(label && { label }),
    ...(testSuiteId !== undefined && { testSuiteId }),
    ...(testSuiteName !== undefined && { testSuiteName }),
    models: readJson<string[]>(row.models, `The column models of run ${row.id}`),
    status: row.status,
    startedAt: row.started_at,
    ...(row.completed_at !== null && { completedAt: row.completed_at }),
    ...(row.stop_reason !== null && { stopReason: row.stop_reason }),
    ...(maxCost !== undefined && { maxCost }),
    ...(repeat > 1 && { repeat }),
    ...(startedBy && { startedBy }),
    ...(project !== undefined && { project }),
  }
}

async function summariseRuns(
  db: TableReader,
  dialect: SqlDialect,
  runs: Selectable<RunsTable>[],
): Promise<RunSummary[]> {
  const numbers = runs.map(({ number }) => number)
  const statesOf = await countStates(db, numbers)
  const costOf = await sumCosts(db, dialect, numbers)
  return runs.map((row): RunSummary => {
    const states = statesOf.get(row.number)
    const cost = costOf.get(row.number)
    return {
      ...toDescription(row),
      cells: {
        total: countAll(states),
        scored: countOf(states, 'scored'),
        unscored: countOf(states, 'unscored'),
        errors: countOf(states, 'error'),
        pending: countOf(states, 'pending', 'answered'),
      },
      cost: readSum(cost?.total ?? null) ?? 0,
      unknownCosts: cost ? cost.count - cost.known : 0,
    }
  })
}

async function countStates(db: TableReader, numbers: number[]): Promise<Map<number, CountOfState[]>> {
  const rows = await db
    .selectFrom('cells')
    .where('run', 'in', numbers)
    .groupBy(['run', 'state'])
    .select((eb) => ['run', 'state', eb.fn.countAll<number>().as('count')])
    .execute()
  return Map.groupBy(rows, (row) => row.run)
}

/** PostgreSQL would look up each cell on its own, or read the attempts of all runs. SQLite is quicker without it. */
const inRange: Record<SqlDialect, RawBuilder<unknown>> = {
  sqlite: sql``,
  postgres: sql`and attempts.cell between (select min(id) from cells where run = runs.number)
    and (select max(id) from cells where run = runs.number)`,
}

/**
 * All of a run in one text: number of attempts, of known costs, and their sum in two parts, because a sum of 64-bit
 * integers may not fit into one. A subquery for each run: joined for all runs at once, PostgreSQL reads the whole table.
 */
const costsOfRun = (dialect: SqlDialect) => sql<string>`(
  select cast(count(*) as text) || ' ' || cast(count(
    case when attempts.cost is not null or (attempts.prompt_tokens = 0 and attempts.completion_tokens = 0) then 1 end
  ) as text) || coalesce(
    ' ' || cast(sum(attempts.cost / 1000000) as text) || ' ' || cast(sum(attempts.cost % 1000000) as text), '')
  from cells inner join attempts on attempts.cell = cells.id where cells.run = runs.number ${inRange[dialect]})`

async function sumCosts(db: TableReader, dialect: SqlDialect, numbers: number[]): Promise<Map<number, CostOfRun>> {
  const rows = await db
    .selectFrom('runs')
    .where('number', 'in', numbers)
    .select(['number', costsOfRun(dialect).as('costs')])
    .execute()
  return new Map(
    rows.map(({ number, costs }) => {
      const [count, known, ...sum] = costs.split(' ')
      return [number, { count: Number(count), known: Number(known), total: sum.length === 0 ? null : sum.join(' ') }]
    }),
  )
}

function* pagesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let first = 0; first < items.length; first += RUNS_PER_STATEMENT)
    yield items.slice(first, first + RUNS_PER_STATEMENT)
}

const countAll = (states: CountOfState[] = []) => states.reduce((sum, { count }) => sum + count, 0)
const countOf = (states: CountOfState[] = [], ...wanted: CellState[]) =>
  countAll(states.filter(({ state }) => wanted.includes(state)))

/** Not the latest time alone: a person may rate on a machine whose clock is behind, or take a rating back. */
export async function readRatingsToken(db: TableReader, runIds: readonly string[]): Promise<string> {
  const states: unknown[] = []
  for (const ids of pagesOf([...new Set(runIds)])) {
    const rows = await db
      .selectFrom('runs')
      .innerJoin('cells', 'cells.run', 'runs.number')
      .innerJoin('ratings', 'ratings.cell', 'cells.id')
      .where('runs.id', 'in', ids.map(encodeText))
      .groupBy('runs.number')
      .orderBy('runs.number')
      .select('runs.number')
      .select((eb) => [
        eb.fn.countAll().as('count'),
        eb.fn.max('ratings.rated_at').as('last'),
        eb.fn.sum('ratings.rating').as('sum'),
      ])
      .execute()
    states.push(...rows.map(({ number, count, last, sum }) => [number, count, last, sum].map(String)))
  }
  return JSON.stringify(states)
}
