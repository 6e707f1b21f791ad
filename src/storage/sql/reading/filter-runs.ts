import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { foldText, type RunFilter, type RunStatus } from '../../../contract/index.ts'
import type { SqlDialect } from '../../migrations/data-definition.ts'
import { tagWords } from '../label-columns.ts'
import type { Tables } from '../schema.ts'
import { encodeText } from '../text-codec.ts'

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
  return eb.or([
    ...(id === undefined ? [] : [eb('runs.suite_id', '=', encodeText(id))]),
    ...(name === undefined ? [] : [eb.and([eb('runs.suite_name', '=', encodeText(name)), eb.not(isStored)])]),
  ])
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
