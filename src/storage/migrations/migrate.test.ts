import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runRequestSchema, StorageError, type Storage } from '../../contract/index.ts'
import { createTable } from './migration.ts'
import { migrations } from './migrate.ts'
import { openPostgresStorage } from '../postgres/postgres-storage.ts'
import { openSqliteStorage, createSqliteStorage } from '../sqlite/sqlite-storage.ts'
import { startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
import { answerCell, cell, createSample, ended, fullAnswer, withoutTexts } from '../testing/samples.ts'

/** A database written by version 1, as SQLite stored it. */
const version1 = readFileSync(join(import.meta.dirname, '../testing/version-1.sql'), 'utf8')
  .split(/;\n\n?/)
  .map((statement) => statement.replace(/^-- .*\n\n/, ''))
const isRow = (statement: string) => statement.startsWith('INSERT')
const firstMigration = migrations.slice(0, 1)

let folder: string
let server: PostgresServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-migrations-'))
  server = await startPostgres()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Everything from version 1 is there, and everything of today works. */
async function checkUpgraded(storage: Storage): Promise<void> {
  const run = await storage.loadRun('old run')
  expect(run).toMatchObject({
    id: 'old run',
    seriesId: 'series',
    testSuiteName: 'Capitals',
    status: 'completed',
    completedAt: 1_700_000_200_000,
    versions: { benchmaker: '0.1.0' },
  })
  expect(run?.results).toHaveLength(4)
  expect(run?.results[0]).toMatchObject({
    response: fullAnswer.response,
    cost: 0.3,
    rating: { rating: 0.75, note: 'fair' },
    score: {
      score: 0.85,
      judges: [
        { judgeModelId: 'a', score: 0.9, reasoning: "It's right \0 indeed." },
        { judgeModelId: 'b', score: 0.8, reasoning: 'Half \uD800 right' },
      ],
      criteria: { clear: 3 },
    },
  })
  const numbers = (await storage.loadRun('old run', { texts: false }))?.results
  expect(numbers).toEqual(run?.results.map(withoutTexts))
  expect(numbers?.[0]?.score?.judges).toEqual([
    { judgeModelId: 'a', score: 0.9, reasoning: '' },
    { judgeModelId: 'b', score: 0.8, reasoning: '' },
  ])
  expect(numbers?.[1]?.score?.checks?.[0]).toEqual({
    scoringMethod: 'llm-judge',
    weight: 1,
    score: 0.5,
    judges: [{ judgeModelId: 'a', score: 0.5, reasoning: '' }],
  })
  expect(await storage.listRuns()).toMatchObject([
    { cells: { total: 4, scored: 2, unscored: 1, errors: 1, pending: 0 }, cost: 0.3, unknownCosts: 3 },
  ])
  expect(await storage.searchAnswers('old run', 'paris')).toHaveLength(2)
  expect((await storage.loadCell(cell('old run')))?.attempts).toHaveLength(2)
  await storage.saveDocument({ kind: 'suite', id: 'a', content: {} }, { after: 0 })
  await storage.saveArtifact(cell('old run'), { name: 'a', mediaType: 'b', content: new Uint8Array(3) })
  await storage.saveRating(cell('old run'), { rating: 1 }, { rater: 'ann', queueId: 'q' })
  expect((await storage.loadCell(cell('old run')))?.result).toMatchObject({
    rating: { rating: 0.75, note: 'fair' },
    ratings: [{ rater: 'ann', rating: 1, queueId: 'q' }],
  })
  await createSample(storage, 'new run')
  await answerCell(storage, cell('new run'), { end: ended({ cost: 1 }) })
  await storage.saveScore(cell('new run'), { score: 1, judges: [{ judgeModelId: 'a', score: 1, reasoning: 'x' }] })
  expect((await storage.loadRun('new run', { texts: false }))?.results[0]?.score).toEqual({
    score: 1,
    judges: [{ judgeModelId: 'a', score: 1, reasoning: '' }],
  })
}

function writeVersion1(name: string): string {
  const file = join(folder, name)
  const database = new DatabaseSync(file)
  for (const statement of version1) database.exec(statement)
  database.close()
  return file
}

async function writePostgresVersion1(): Promise<{ connectionString: string; client: pg.Client }> {
  const connectionString = await server.createDatabase()
  await (await openPostgresStorage({ connectionString, migrations: firstMigration })).close()
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (const statement of version1)
    if (isRow(statement) && !statement.includes('benchmaker_migrations')) await client.query(statement)
  for (const [table, key] of [
    ['runs', 'number'],
    ['cells', 'id'],
    ['attempts', 'id'],
  ])
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${key}'), (SELECT max(${key}) FROM ${table}))`,
    )
  return { connectionString, client }
}

describe('databases created by version 1', () => {
  it('migration 1 is still word for word the same', () => {
    const [first] = firstMigration
    const statements = [
      ...(first?.tables ?? []).flatMap((table) => createTable(table, 'sqlite')),
      ...(first?.statements('sqlite') ?? []),
    ]
    const original = version1.filter(
      (statement) => statement.startsWith('CREATE') && !statement.includes('benchmaker_migrations'),
    )
    expect(statements).toEqual(original)
    expect(statements.filter((statement) => statement.startsWith('CREATE TABLE'))).toHaveLength(7)
  })

  it('an SQLite file is upgraded with all its data', async () => {
    const storage = await openSqliteStorage({ file: writeVersion1('one.db') })
    await checkUpgraded(storage)
    await storage.close()
  })

  it('a PostgreSQL database is upgraded with all its data', async () => {
    const { connectionString, client } = await writePostgresVersion1()
    await client.end()
    const storage = await openPostgresStorage({ connectionString })
    await checkUpgraded(storage)
    await storage.close()
  })

  it('several programs that open it at once upgrade it once', async () => {
    const file = writeVersion1('several.db')
    const opened = await Promise.all(Array.from({ length: 3 }, () => openSqliteStorage({ file })))
    expect(await opened[2]?.listDocuments('suite')).toEqual([])
    await Promise.all(opened.map((storage) => storage.close()))
  })

  it('whoever starts during an upgrade waits for it, longer than for any other lock', async () => {
    const { connectionString, client } = await writePostgresVersion1()
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(8271946350)')
    let open = 0
    const opening = Array.from({ length: 3 }, async () => {
      const storage = await openPostgresStorage({ connectionString, lockTimeoutMs: 100 })
      open++
      return storage
    })
    const longWaits = `SELECT * FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND waitstart < clock_timestamp() - interval '300 ms'`
    await expect.poll(async () => (await client.query(longWaits)).rowCount).toBe(3)
    expect(open).toBe(0)
    await client.query('COMMIT')
    const opened = await Promise.all(opening)
    const { rows } = await client.query('SELECT version FROM benchmaker_migrations ORDER BY version')
    expect(rows).toHaveLength(migrations.length)
    await Promise.all([client.end(), ...opened.map((storage) => storage.close())])
  })

  it('a score edited by hand does not stop the database from opening', async () => {
    const file = writeVersion1('changed.db')
    const database = new DatabaseSync(file)
    database.exec("UPDATE scores SET details = '{' WHERE cell = 1; UPDATE scores SET checks = '[null]' WHERE cell = 2")
    database.close()
    const storage = await openSqliteStorage({ file })
    expect((await storage.loadRun('old run', { texts: false }))?.results.map(({ score }) => score?.score)).toEqual([
      0.85,
      0.5,
      undefined,
      undefined,
    ])
    await expect(storage.loadRun('old run')).rejects.toThrow(/not readable JSON/)
    await storage.close()
  })

  it("another program's table with one of our new names is refused, and nothing is changed", async () => {
    const { connectionString, client } = await writePostgresVersion1()
    await client.query('CREATE TABLE documents (page text)')
    await expect(openPostgresStorage({ connectionString })).rejects.toThrow(StorageError)
    await expect(openPostgresStorage({ connectionString })).rejects.toThrow(/tables of another program \(documents\)/)
    expect((await client.query('SELECT max(version)::int AS version FROM benchmaker_migrations')).rows).toEqual([
      { version: 1 },
    ])
    await client.end()
  })
})

describe('databases created by version 10', () => {
  const suiteOf = (metadata: object) => JSON.stringify({ name: 'S', testCases: [{ id: 'page', metadata }] })
  const rows = [
    `INSERT INTO suites (hash, name, content) VALUES ('pages', 'S', '${suiteOf({ codeArena: { isQuickJudge: true } })}'),
      ('texts', 'S', '${suiteOf({ note: 'about "codeArena":{}' })}')`,
    `INSERT INTO runs (id, suite, suite_id, suite_name, models, versions, status, started_at) VALUES
      ('a page', 'pages', 'code-arena', 'Code Arena: a pricing page', '[]', NULL, 'completed', 1),
      ('a suite', 'texts', 'code-arena', 'Code Arena: regression suite', '[]', '{"benchmaker":"0.1.0"}', 'completed', 2),
      ('a playground', 'texts', 'playground:id', 'Playground: S', '[]', NULL, 'completed', 3),
      ('imported', 'texts', NULL, 'S', '[]', '{"importedFrom":"Inspect AI"}', 'completed', 4),
      ('bare', NULL, NULL, NULL, '[]', NULL, 'completed', 5)`,
  ]
  const kindsOf = async (storage: Storage) =>
    Object.fromEntries((await storage.describeRuns()).map(({ id, kind }) => [id, kind]))
  const expected = {
    'a page': 'page',
    'a suite': 'suite',
    'a playground': 'playground',
    imported: 'imported',
    bare: 'suite',
  }

  it('their runs get the kind that they were taken for, in SQLite', async () => {
    const file = join(folder, 'ten.db')
    await (await createSqliteStorage(new DatabaseSync(file), { file, migrations: migrations.slice(0, 10) })).close()
    const database = new DatabaseSync(file)
    for (const statement of rows) database.exec(statement)
    database.close()
    const storage = await openSqliteStorage({ file })
    expect(await kindsOf(storage)).toEqual(expected)
    await storage.close()
  })

  it('and in PostgreSQL', async () => {
    const connectionString = await server.createDatabase()
    await (await openPostgresStorage({ connectionString, migrations: migrations.slice(0, 10) })).close()
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const statement of rows) await client.query(statement)
    await client.end()
    const storage = await openPostgresStorage({ connectionString })
    expect(await kindsOf(storage)).toEqual(expected)
    await storage.close()
  })
})

describe('databases created by version 2', () => {
  const suite = JSON.stringify({ name: 'S', variants: [{ name: 'terse' }], testCases: [{ id: 'a', weight: 1 }] })
  const planned = {
    suiteVersion: 4,
    owner: { host: 'h', pid: 1 },
    isBudgetUsedUp: true,
    request: {
      suiteId: 'stored-suite',
      models: ['m'],
      parameters: { temperature: 0 },
      judgeModelIds: ['j'],
      combineJudges: 'median',
      repeat: 3,
      concurrency: 2,
      maxCost: 0.5,
    },
  }
  const rows = [
    `INSERT INTO suites (hash, name, content) VALUES ('h', 'S', '${suite}')`,
    `INSERT INTO runs (number, id, series_id, suite, suite_id, suite_name, models, judge_model, status, started_at) VALUES
      (1, 'web', 'series', 'h', 'stored-suite', 'S', '["m@terse"]', 'j', 'cancelled', 1),
      (2, 'terminal', NULL, 'h', 'S', 'S', '["m@terse","n@terse"]', 'j,k', 'completed', 2),
      (3, 'bare', NULL, NULL, NULL, NULL, '["x"]', NULL, 'completed', 3)`,
    `INSERT INTO documents (kind, id, version, saved_at, content) VALUES
      ('settings', 'series:series', 1, 1, '${JSON.stringify(planned)}'),
      ('settings', 'endpoint:terminal', 1, 1, '{"baseUrl":"http://127.0.0.1:1/v1"}'),
      ('settings', 'series:damaged', 1, 1, '{'),
      ('settings', 'endpoints', 1, 1, '{"endpoints":[]}')`,
  ]

  async function checkRequests(storage: Storage): Promise<void> {
    expect((await storage.loadRun('web'))?.request).toEqual({ cache: false, ...planned.request })
    expect(await storage.loadRun('web')).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    expect((await storage.loadRun('terminal'))?.request).toMatchObject({
      suiteId: 'S',
      models: ['m', 'n'],
      judgeModelIds: ['j', 'k'],
      combineJudges: 'mean',
      endpoint: 'http://127.0.0.1:1/v1',
    })
    expect((await storage.loadRun('bare'))?.request).toMatchObject({ models: ['x'], judgeModelIds: [], repeat: 1 })
    for (const id of ['web', 'terminal', 'bare'])
      expect(runRequestSchema.safeParse((await storage.loadRun(id))?.request).error).toBeUndefined()
    expect((await storage.listDocuments('settings')).map(({ id }) => id)).toEqual(['endpoints'])
  }

  it('their runs get the requests that created them, in SQLite', async () => {
    const file = join(folder, 'two.db')
    await (await createSqliteStorage(new DatabaseSync(file), { file, migrations: migrations.slice(0, 2) })).close()
    const database = new DatabaseSync(file)
    for (const statement of rows) database.exec(statement)
    database.close()
    const storage = await openSqliteStorage({ file })
    await checkRequests(storage)
    await storage.close()
  })

  it('and in PostgreSQL', async () => {
    const connectionString = await server.createDatabase()
    await (await openPostgresStorage({ connectionString, migrations: migrations.slice(0, 2) })).close()
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const statement of rows) await client.query(statement)
    await client.end()
    const storage = await openPostgresStorage({ connectionString })
    await checkRequests(storage)
    await storage.close()
  })
})

describe('databases created by version 3', () => {
  const row = `INSERT INTO runs (number, id, series_id, suite_id, suite_name, models, status, started_at) VALUES
    (1, 'old', 's-1', 'cap', 'Été', '["m@terse"]', 'completed', 1), (2, 'edited', NULL, NULL, NULL, '{', 'completed', 2)`

  async function checkSearch(storage: Storage): Promise<void> {
    for (const word of ['OLD', 's-1', 'CAP', 'éTÉ', 'terse'])
      expect(await storage.countRuns({ words: [word] }), word).toBe(1)
    expect(await storage.countRuns({ words: ['edited'] })).toBe(1)
    expect(await storage.saveLabel('old', { name: 'Kept', tags: ['a'] })).toEqual({ name: 'Kept', tags: ['a'] })
    expect(await storage.loadRun('old')).toMatchObject({ id: 'old', label: { name: 'Kept', tags: ['a'] } })
  }

  it('their runs can be searched and labelled, in SQLite', async () => {
    const file = join(folder, 'three.db')
    await (await createSqliteStorage(new DatabaseSync(file), { file, migrations: migrations.slice(0, 3) })).close()
    const database = new DatabaseSync(file)
    database.exec(row)
    database.close()
    const storage = await openSqliteStorage({ file })
    await checkSearch(storage)
    await storage.close()
  })

  it('and in PostgreSQL', async () => {
    const connectionString = await server.createDatabase()
    await (await openPostgresStorage({ connectionString, migrations: migrations.slice(0, 3) })).close()
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(row)
    await client.end()
    const storage = await openPostgresStorage({ connectionString })
    await checkSearch(storage)
    await storage.close()
  })
})

describe('databases created by version 8', () => {
  const day = Date.UTC(2026, 9, 31)
  const rows = [
    `INSERT INTO runs (number, id, models, status, started_at, started_by, project) VALUES
      (1, 'adas', '["m"]', 'completed', 1, 'ada', 'x'), (2, 'nobodys', '["m"]', 'completed', 1, NULL, NULL)`,
    `INSERT INTO cells (id, run, case_id, model_id, state) VALUES (1, 1, 'a', 'm', 'pending'), (2, 2, 'a', 'm', 'pending')`,
    `INSERT INTO attempts (cell, purpose, asked_model, started_at, cost) VALUES
      (1, 'answer', 'm', ${day}, 1000000000000), (1, 'answer', 'm', ${day + 1}, 2000000000000),
      (1, 'answer', 'm', ${day + 86_400_000}, 500000000000), (1, 'answer', 'm', ${day}, NULL),
      (2, 'answer', 'm', ${day}, 7000000000000)`,
    ...Array.from(
      { length: 12 },
      () =>
        `INSERT INTO attempts (cell, purpose, asked_model, started_at, cost) VALUES (1, 'judge', 'm', 1, 1000000000000000000)`,
    ),
    `INSERT INTO kept_spending (run, person, project, at, cost) VALUES
      ('gone', 'ada', NULL, ${day}, 250000000000), ('-', 'ada', NULL, ${day}, 250000000000), ('adas', 'ada', 'x', ${day}, 9)`,
  ]

  async function checkSpending({ access }: Storage): Promise<void> {
    const sum = (kind: 'person' | 'project', id: string, from: number) => access.sumSpending({ kind, id }, from)
    expect(await sum('person', 'ada', day)).toBe(4)
    expect(await sum('project', 'x', day)).toBe(3.5)
    expect(await sum('project', 'x', day + 86_400_000)).toBe(0.5)
    // More than fits into 64 bits.
    expect(await sum('project', 'x', 0)).toBe(12_000_003.5)
    expect(await access.listSpending(day)).toHaveLength(2)
  }

  it('what their runs cost is counted, in SQLite', async () => {
    const file = join(folder, 'eight.db')
    await (await createSqliteStorage(new DatabaseSync(file), { file, migrations: migrations.slice(0, 8) })).close()
    const database = new DatabaseSync(file)
    for (const statement of rows) database.exec(statement)
    database.close()
    const storage = await openSqliteStorage({ file })
    await checkSpending(storage)
    await storage.close()
  })

  it('and in PostgreSQL', async () => {
    const connectionString = await server.createDatabase()
    await (await openPostgresStorage({ connectionString, migrations: migrations.slice(0, 8) })).close()
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const statement of rows) await client.query(statement)
    await client.end()
    const storage = await openPostgresStorage({ connectionString })
    await checkSpending(storage)
    await storage.close()
  })
})
