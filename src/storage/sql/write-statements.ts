import { sql } from 'kysely'
import type { Outcome } from '../../contract/index.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import type {
  AnswersTable,
  ArtifactsTable,
  AttemptsTable,
  CellState,
  ClaimsTable,
  RatingsTable,
  RunsTable,
  ScoresTable,
  SuitesTable,
  TableReader,
} from './schema.ts'
import { compileTemplate } from './statement-template.ts'

type CellNames = { run_id: string; case_id: string; model_id: string }
type EndColumns = Omit<AttemptsTable, 'id' | 'cell' | 'purpose' | 'asked_model' | 'started_at'>
/** Interfaces have no index signature, which a template's values need. */
type Row<Table> = { [Column in keyof Table]: Table[Column] }

/** Thousands of cells in one statement: JSON `[[case, model], …]` in, rows out, in that order. */
const insertCells: Record<SqlDialect, string> = {
  sqlite: `INSERT INTO cells (run, case_id, model_id, state) SELECT ?, value ->> 0, value ->> 1, 'pending' FROM json_each(?)`,
  postgres: `INSERT INTO cells (run, case_id, model_id, state) SELECT $1, pair ->> 0, pair ->> 1, 'pending'
    FROM json_array_elements($2::json) WITH ORDINALITY AS pairs (pair, place) ORDER BY place`,
}

/** Every statement that writes. */
export function prepareWrites(db: TableReader, dialect: SqlDialect) {
  const cellNamed = (slot: (name: keyof CellNames) => ReturnType<typeof sql<string>>) =>
    db
      .selectFrom('cells')
      .innerJoin('runs', 'runs.number', 'cells.run')
      .where('runs.id', '=', slot('run_id'))
      .where('cells.case_id', '=', slot('case_id'))
      .where('cells.model_id', '=', slot('model_id'))

  const endColumns = (
    slot: <Name extends keyof EndColumns>(name: Name) => ReturnType<typeof sql<EndColumns[Name]>>,
  ) => ({
    ended_at: slot('ended_at'),
    outcome: slot('outcome'),
    prompt_tokens: slot('prompt_tokens'),
    completion_tokens: slot('completion_tokens'),
    cost: slot('cost'),
    latency_ms: slot('latency_ms'),
    first_token_ms: slot('first_token_ms'),
    http_status: slot('http_status'),
    error: slot('error'),
  })

  return {
    insertSuite: compileTemplate<Row<SuitesTable>>((slot) =>
      // Touches a suite that is there already, which keeps a deletion from taking it away before this run refers to it.
      db
        .insertInto('suites')
        .values({ hash: slot('hash'), name: slot('name'), content: slot('content') })
        .onConflict((conflict) => conflict.column('hash').doUpdateSet((eb) => ({ hash: eb.ref('excluded.hash') }))),
    ),
    insertRun: compileTemplate<Omit<Row<RunsTable>, 'number' | 'completed_at' | 'stop_reason'>>((slot) =>
      db
        .insertInto('runs')
        .values({
          id: slot('id'),
          series_id: slot('series_id'),
          suite: slot('suite'),
          suite_id: slot('suite_id'),
          suite_name: slot('suite_name'),
          models: slot('models'),
          parameters: slot('parameters'),
          judge_model: slot('judge_model'),
          versions: slot('versions'),
          request: slot('request'),
          status: slot('status'),
          started_at: slot('started_at'),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('number'),
    ),
    insertCells: (run: number, pairs: [caseId: string, modelId: string][]) => ({
      sql: insertCells[dialect],
      parameters: [run, JSON.stringify(pairs)],
    }),
    findCell: compileTemplate<CellNames>((slot) => cellNamed(slot).select(['cells.id', 'cells.state'])),
    findRun: compileTemplate<{ id: string }>((slot) =>
      db.selectFrom('runs').where('id', '=', slot('id')).select('number'),
    ),
    insertAttempt: compileTemplate<CellNames & Pick<AttemptsTable, 'purpose' | 'asked_model' | 'started_at'>>((slot) =>
      db
        .insertInto('attempts')
        .columns(['cell', 'purpose', 'asked_model', 'started_at'])
        .expression(
          cellNamed(slot).select([
            'cells.id',
            slot('purpose').as('purpose'),
            slot('asked_model').as('asked_model'),
            slot('started_at').as('started_at'),
          ]),
        )
        .returning('id'),
    ),
    readAttempt: compileTemplate<{ id: number }>((slot) =>
      db.selectFrom('attempts').where('id', '=', slot('id')).select(['cell', 'ended_at']),
    ),
    endAttempt: compileTemplate<EndColumns & { id: number }>((slot) =>
      db.updateTable('attempts').set(endColumns(slot)).where('id', '=', slot('id')).where('ended_at', 'is', null),
    ),
    endAttemptOfCell: compileTemplate<CellNames & EndColumns & { id: number }>((slot) =>
      db
        .updateTable('attempts')
        .set(endColumns(slot))
        .where('id', '=', slot('id'))
        .where('cell', 'in', cellNamed(slot).select('cells.id'))
        .where('ended_at', 'is', null)
        .returning('cell'),
    ),
    deleteAnswer: compileTemplate<{ cell: number }>((slot) =>
      db.deleteFrom('answers').where('cell', '=', slot('cell')),
    ),
    insertAnswer: compileTemplate<Row<AnswersTable>>((slot) =>
      db.insertInto('answers').values({
        cell: slot('cell'),
        attempt: slot('attempt'),
        outcome: slot('outcome'),
        prompt_tokens: slot('prompt_tokens'),
        completion_tokens: slot('completion_tokens'),
        cost: slot('cost'),
        latency_ms: slot('latency_ms'),
        first_token_ms: slot('first_token_ms'),
        finish_reason: slot('finish_reason'),
        left_out: slot('left_out'),
        tool_calls: slot('tool_calls'),
        response: slot('response'),
        reasoning: slot('reasoning'),
      }),
    ),
    reopenCell: compileTemplate<{ cell: number }>((slot) =>
      db.updateTable('cells').set({ state: 'pending' }).where('id', '=', slot('cell')),
    ),
    markAnswered: compileTemplate<{ cell: number; outcome: Outcome }>((slot) =>
      db
        .updateTable('cells')
        .set({ state: 'answered', outcome: slot('outcome'), error: null })
        .where('id', '=', slot('cell'))
        .where('state', 'in', ['pending', 'error']),
    ),
    markScored: compileTemplate<CellNames & { state: CellState }>((slot) =>
      db
        .updateTable('cells')
        .set({ state: slot('state') })
        .where('id', 'in', cellNamed(slot).select('cells.id'))
        .where('state', 'in', ['answered', 'scored', 'unscored'])
        .returning('id'),
    ),
    deleteScore: compileTemplate<{ cell: number }>((slot) => db.deleteFrom('scores').where('cell', '=', slot('cell'))),
    saveScore: compileTemplate<Row<ScoresTable>>((slot) =>
      db
        .insertInto('scores')
        .values({
          cell: slot('cell'),
          score: slot('score'),
          confidence: slot('confidence'),
          raw_score: slot('raw_score'),
          max_score: slot('max_score'),
          notes: slot('notes'),
          checks: slot('checks'),
          details: slot('details'),
          figures: slot('figures'),
          unscored_code: slot('unscored_code'),
          unscored_message: slot('unscored_message'),
        })
        .onConflict((conflict) =>
          conflict.column('cell').doUpdateSet((eb) => ({
            score: eb.ref('excluded.score'),
            confidence: eb.ref('excluded.confidence'),
            raw_score: eb.ref('excluded.raw_score'),
            max_score: eb.ref('excluded.max_score'),
            notes: eb.ref('excluded.notes'),
            checks: eb.ref('excluded.checks'),
            details: eb.ref('excluded.details'),
            figures: eb.ref('excluded.figures'),
            unscored_code: eb.ref('excluded.unscored_code'),
            unscored_message: eb.ref('excluded.unscored_message'),
          })),
        ),
    ),
    markError: compileTemplate<CellNames & { outcome: Outcome; error: string }>((slot) =>
      db
        .updateTable('cells')
        .set({ state: 'error', outcome: slot('outcome'), error: slot('error') })
        .where('id', 'in', cellNamed(slot).select('cells.id'))
        .where('state', 'in', ['pending', 'error'])
        .returning('id'),
    ),
    reopenErrors: compileTemplate<{ run: number }>((slot) =>
      db
        .updateTable('cells')
        .set({ state: 'pending', outcome: null, error: null })
        .where('run', '=', slot('run'))
        .where('state', '=', 'error'),
    ),
    setRunStatus: compileTemplate<{ id: string } & Row<Pick<RunsTable, 'status' | 'completed_at' | 'stop_reason'>>>(
      (slot) =>
        db
          .updateTable('runs')
          .set({ status: slot('status'), completed_at: slot('completed_at'), stop_reason: slot('stop_reason') })
          .where('id', '=', slot('id')),
    ),
    saveRequest: compileTemplate<{ id: string; request: string }>((slot) =>
      db
        .updateTable('runs')
        .set({ request: slot('request') })
        .where((eb) =>
          eb.or([
            eb('id', '=', slot('id')),
            eb('series_id', '=', eb.selectFrom('runs as one').where('one.id', '=', slot('id')).select('one.series_id')),
          ]),
        ),
    ),
    saveClaim: compileTemplate<Row<ClaimsTable> & { stale_before: number; replaced: string }>((slot) =>
      db
        .insertInto('claims')
        .values({
          id: slot('id'),
          host: slot('host'),
          pid: slot('pid'),
          token: slot('token'),
          since: slot('since'),
          renewed_at: slot('renewed_at'),
        })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({
              host: eb.ref('excluded.host'),
              pid: eb.ref('excluded.pid'),
              token: eb.ref('excluded.token'),
              since: eb.ref('excluded.since'),
              renewed_at: eb.ref('excluded.renewed_at'),
            }))
            .where((eb) =>
              eb.or([eb('claims.renewed_at', '<', slot('stale_before')), eb('claims.token', '=', slot('replaced'))]),
            ),
        )
        .returning('token'),
    ),
    readClaim: compileTemplate<{ id: string }>((slot) =>
      db.selectFrom('claims').selectAll().where('id', '=', slot('id')),
    ),
    renewClaim: compileTemplate<{ id: string; token: string; renewed_at: number }>((slot) =>
      db
        .updateTable('claims')
        .set({ renewed_at: slot('renewed_at') })
        .where('id', '=', slot('id'))
        .where('token', '=', slot('token')),
    ),
    releaseClaim: compileTemplate<{ id: string; token: string }>((slot) =>
      db.deleteFrom('claims').where('id', '=', slot('id')).where('token', '=', slot('token')),
    ),
    deleteRating: compileTemplate<{ cell: number }>((slot) =>
      db.deleteFrom('ratings').where('cell', '=', slot('cell')),
    ),
    saveRating: compileTemplate<Row<RatingsTable>>((slot) =>
      db
        .insertInto('ratings')
        .values({ cell: slot('cell'), rating: slot('rating'), note: slot('note'), rated_at: slot('rated_at') })
        .onConflict((conflict) =>
          conflict.column('cell').doUpdateSet((eb) => ({
            rating: eb.ref('excluded.rating'),
            note: eb.ref('excluded.note'),
            rated_at: eb.ref('excluded.rated_at'),
          })),
        ),
    ),
    deleteArtifacts: compileTemplate<{ cell: number }>((slot) =>
      db.deleteFrom('artifacts').where('cell', '=', slot('cell')),
    ),
    saveArtifact: compileTemplate<Row<ArtifactsTable>>((slot) =>
      db
        .insertInto('artifacts')
        .values({
          cell: slot('cell'),
          name: slot('name'),
          media_type: slot('media_type'),
          saved_at: slot('saved_at'),
          content: slot('content'),
        })
        .onConflict((conflict) =>
          conflict.columns(['cell', 'name']).doUpdateSet((eb) => ({
            media_type: eb.ref('excluded.media_type'),
            saved_at: eb.ref('excluded.saved_at'),
            content: eb.ref('excluded.content'),
          })),
        ),
    ),
    deleteRun: compileTemplate<{ id: string }>((slot) =>
      db.deleteFrom('runs').where('id', '=', slot('id')).returning('suite'),
    ),
    deleteUnusedSuite: compileTemplate<{ hash: string }>((slot) =>
      db
        .deleteFrom('suites')
        .where('hash', '=', slot('hash'))
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('runs').where('runs.suite', '=', slot('hash')).select('runs.number'))),
        ),
    ),
  }
}

export type WriteStatements = ReturnType<typeof prepareWrites>
