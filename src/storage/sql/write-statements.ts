import { sql, type Compilable, type Insertable, type Updateable } from 'kysely'
import type { Outcome } from '../../contract/index.ts'
import { addCostOfAttempt } from './access/spending.ts'
import type { SqlDialect } from '../migrations/migration.ts'
import type {
  AnswersTable,
  ArtifactsTable,
  AttemptsTable,
  CellState,
  ClaimsTable,
  EventsTable,
  RatingsTable,
  RunsTable,
  ScoresTable,
  SuitesTable,
  TableReader,
} from './schema.ts'

/** The key of a cell, with the column names of the tables. */
export interface CellNames {
  run_id: string
  case_id: string
  model_id: string
}

type AttemptColumns = Pick<AttemptsTable, 'purpose' | 'asked_model' | 'started_at'>
type EndColumns = Omit<AttemptsTable, 'id' | 'cell' | keyof AttemptColumns>

const labelColumns = ['name', 'tags', 'note', 'label_words'] as const

/** Every statement that writes, and those that find out why a write was refused. */
export function writeStatements(db: TableReader, dialect: SqlDialect) {
  const claimWith = (token: string) => db.selectFrom('claims').where('token', '=', token).select('token')
  const cellNamed = ({ run_id, case_id, model_id }: CellNames) =>
    db
      .selectFrom('cells')
      .innerJoin('runs', 'runs.number', 'cells.run')
      .where('runs.id', '=', run_id)
      .where('cells.case_id', '=', case_id)
      .where('cells.model_id', '=', model_id)

  return {
    insertSuite: (suite: SuitesTable) =>
      // Updates an existing suite, so that no concurrent deletion removes it before this run refers to it.
      db
        .insertInto('suites')
        .values(suite)
        .onConflict((conflict) => conflict.column('hash').doUpdateSet((eb) => ({ hash: eb.ref('excluded.hash') }))),
    insertRun: (run: Insertable<RunsTable>) =>
      db
        .insertInto('runs')
        .values(run)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('number'),
    /** Inserts thousands of cells in one statement, in order. */
    insertCells: (run: number, pairs: [caseId: string, modelId: string][]): Compilable => {
      const json = JSON.stringify(pairs)
      const insert = sql`INSERT INTO cells (run, case_id, model_id, state)`
      const statement =
        dialect === 'sqlite'
          ? sql`${insert} SELECT ${run}, value ->> 0, value ->> 1, 'pending' FROM json_each(${json})`
          : sql`${insert} SELECT ${run}, pair ->> 0, pair ->> 1, 'pending'
              FROM json_array_elements(${json}::json) WITH ORDINALITY AS pairs (pair, place) ORDER BY place`
      return { compile: () => statement.compile(db) }
    },
    findCell: (cell: CellNames) => cellNamed(cell).select(['cells.id', 'cells.state']),
    findRun: (id: string) => db.selectFrom('runs').where('id', '=', id).select('number'),
    insertAttempt: (cell: CellNames, { purpose, asked_model, started_at }: AttemptColumns, claim?: string) =>
      db
        .insertInto('attempts')
        .columns(['cell', 'purpose', 'asked_model', 'started_at'])
        .expression(
          (claim === undefined ? cellNamed(cell) : cellNamed(cell).where((eb) => eb.exists(claimWith(claim)))).select([
            'cells.id',
            sql<string>`${purpose}`.as('purpose'),
            sql<string>`${asked_model}`.as('asked_model'),
            sql<number>`${started_at}`.as('started_at'),
          ]),
        )
        .returning(['id', 'cell']),
    readAttempt: (id: number) => db.selectFrom('attempts').where('id', '=', id).select(['cell', 'ended_at']),
    endAttempt: (id: number, end: EndColumns) =>
      db.updateTable('attempts').set(end).where('id', '=', id).where('ended_at', 'is', null),
    endAttemptOfCell: (id: number, end: EndColumns, cell: CellNames) =>
      db
        .updateTable('attempts')
        .set(end)
        .where('id', '=', id)
        .where('cell', 'in', cellNamed(cell).select('cells.id'))
        .where('ended_at', 'is', null)
        .returning('cell'),
    insertEvent: (event: EventsTable) => db.insertInto('events').values(event),
    readLastAttempt: (cell: number) =>
      db.selectFrom('attempts').where('cell', '=', cell).select('id').orderBy('id', 'desc').limit(1),
    addSpending: (attempt: number) => addCostOfAttempt(db, attempt),
    deleteAnswer: (cell: number) => db.deleteFrom('answers').where('cell', '=', cell),
    insertAnswer: (answer: AnswersTable) => db.insertInto('answers').values(answer),
    reopenCell: (cell: number) => db.updateTable('cells').set({ state: 'pending' }).where('id', '=', cell),
    markAnswered: (cell: number, outcome: Outcome) =>
      db
        .updateTable('cells')
        .set({ state: 'answered', outcome, error: null })
        .where('id', '=', cell)
        .where('state', 'in', ['pending', 'error']),
    markScored: (cell: CellNames, state: CellState) =>
      db
        .updateTable('cells')
        .set({ state })
        .where('id', 'in', cellNamed(cell).select('cells.id'))
        .where('state', 'in', ['answered', 'scored', 'unscored'])
        .returning('id'),
    deleteScore: (cell: number) => db.deleteFrom('scores').where('cell', '=', cell),
    saveScore: ({ cell, ...score }: ScoresTable) =>
      db
        .insertInto('scores')
        .values({ cell, ...score })
        .onConflict((conflict) => conflict.column('cell').doUpdateSet(score)),
    markError: (cell: CellNames, outcome: Outcome, error: string) =>
      db
        .updateTable('cells')
        .set({ state: 'error', outcome, error })
        .where('id', 'in', cellNamed(cell).select('cells.id'))
        .where('state', 'in', ['pending', 'error'])
        .returning('id'),
    reopenErrors: (run: number) =>
      db
        .updateTable('cells')
        .set({ state: 'pending', outcome: null, error: null })
        .where('run', '=', run)
        .where('state', '=', 'error'),
    setRunStatus: (id: string, columns: Pick<RunsTable, 'status' | 'completed_at' | 'stop_reason'>) =>
      db.updateTable('runs').set(columns).where('id', '=', id),
    saveRequest: (id: string, columns: Pick<RunsTable, 'request' | 'started_by' | 'project'>) =>
      db
        .updateTable('runs')
        .set(columns)
        .where((eb) =>
          eb.or([
            eb('id', '=', id),
            eb('series_id', '=', eb.selectFrom('runs as named').where('named.id', '=', id).select('named.series_id')),
          ]),
        )
        .returning(['number', 'id', 'series_id', 'suite_id', 'suite_name', 'models', 'run_words']),
    saveWords: (number: number, words: string) =>
      db.updateTable('runs').set({ run_words: words }).where('number', '=', number),
    savePayers: (id: string, columns: Pick<RunsTable, 'started_by' | 'project'>) =>
      db.updateTable('runs').set(columns).where('id', '=', id),
    /** Writers of one label wait for each other here; SQLite allows one writer at a time anyway. */
    lockLabel: (seriesOrRun: string): Compilable[] => {
      const statement = sql`SELECT pg_advisory_xact_lock(hashtextextended(${seriesOrRun}, 1))`
      return dialect === 'sqlite' ? [] : [{ compile: () => statement.compile(db) }]
    },
    readSeries: (id: string) => db.selectFrom('runs').where('id', '=', id).select('series_id'),
    readLabel: (id: string) => db.selectFrom('runs').where('id', '=', id).select(labelColumns),
    readLabelOfSeries: (seriesId: string) =>
      db.selectFrom('runs').where('series_id', '=', seriesId).select(labelColumns).limit(1),
    saveLabel: ({ id, seriesId }: { id: string; seriesId: string | null }, columns: Updateable<RunsTable>) => {
      const update = db.updateTable('runs').set(columns)
      return seriesId === null ? update.where('id', '=', id) : update.where('series_id', '=', seriesId)
    },
    saveClaim: ({ id, ...claim }: ClaimsTable, replace: string) =>
      db
        .insertInto('claims')
        .values({ id, ...claim })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(claim).where('claims.token', '=', replace))
        .returning('token'),
    findClaim: claimWith,
    readClaim: (id: string) => db.selectFrom('claims').selectAll().where('id', '=', id),
    renewClaim: (id: string, token: string, renewedAt: number) =>
      db.updateTable('claims').set({ renewed_at: renewedAt }).where('id', '=', id).where('token', '=', token),
    releaseClaim: (id: string, token: string) =>
      db.deleteFrom('claims').where('id', '=', id).where('token', '=', token),
    deleteRatings: (cell: number) => db.deleteFrom('ratings').where('cell', '=', cell),
    deleteRating: ({ cell, rater }: Pick<RatingsTable, 'cell' | 'rater'>) =>
      db.deleteFrom('ratings').where('cell', '=', cell).where('rater', '=', rater),
    /** `changes` are the columns to replace if there is a rating already. */
    saveRating: ({ cell, rater, ...rating }: RatingsTable, changes: Partial<RatingsTable> = rating) =>
      db
        .insertInto('ratings')
        .values({ cell, rater, ...rating })
        .onConflict((conflict) => conflict.columns(['cell', 'rater']).doUpdateSet(changes)),
    deleteEmptyRating: ({ cell, rater }: Pick<RatingsTable, 'cell' | 'rater'>) =>
      db
        .deleteFrom('ratings')
        .where('cell', '=', cell)
        .where('rater', '=', rater)
        .where('rating', 'is', null)
        .where('note', 'is', null)
        .where('queue', 'is', null),
    deleteArtifacts: (cell: number) => db.deleteFrom('artifacts').where('cell', '=', cell),
    saveArtifact: ({ cell, name, ...artifact }: ArtifactsTable) =>
      db
        .insertInto('artifacts')
        .values({ cell, name, ...artifact })
        .onConflict((conflict) => conflict.columns(['cell', 'name']).doUpdateSet(artifact)),
    deleteRun: (id: string) => db.deleteFrom('runs').where('id', '=', id).returning('suite'),
    deleteUnusedSuite: (hash: string) =>
      db
        .deleteFrom('suites')
        .where('hash', '=', hash)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('runs').where('runs.suite', '=', hash).select('runs.number')))),
  }
}

export type WriteStatements = ReturnType<typeof writeStatements>
