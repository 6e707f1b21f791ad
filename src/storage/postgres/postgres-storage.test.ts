import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError, StorageError } from '../../contract/index.ts'
import { examineStorage } from '../index.ts'
import { openPostgresStorage } from './postgres-storage.ts'
import { findFreePort, startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { answerCell, cell, createSample, startAttempt } from '../testing/samples.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

async function refusalOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StorageError)
  expect(String(error)).not.toContain('not-a-secret')
  return String(error)
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('PostgreSQL storage', () => {
  it('says what to do when the server or database is missing or the password is wrong', async () => {
    const port = await findFreePort()
    expect(
      await refusalOf(openPostgresStorage({ connectionString: `postgres://u:not-a-secret@127.0.0.1:${port}/runs` })),
    ).toMatch(new RegExp(`database runs at 127.0.0.1:${port} does not respond: start the server`))
    expect(await refusalOf(openPostgresStorage({ connectionString: server.connectionString('nowhere') }))).toMatch(
      /nowhere .* does not exist: create it with createdb/,
    )
    const wrong = server.connectionString('postgres').replace('not-a-secret', 'wrong')
    expect(await refusalOf(openPostgresStorage({ connectionString: wrong }))).toMatch(/rejects the password/)
    await expect(openPostgresStorage({ connectionString: 'runs' })).rejects.toThrow(InputError)
  })

  it('has no index on what an answer or score changes in a cell, so that a change writes to no index', async () => {
    const connectionString = await server.createDatabase()
    await (await openPostgresStorage({ connectionString })).close()
    const client = await connect(connectionString)
    const { rows } = await client.query<{ column: string }>(
      `SELECT DISTINCT attname AS "column" FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indrelid = 'cells'::regclass ORDER BY 1`,
    )
    await client.end()
    expect(rows.map(({ column }) => column)).toEqual(['case_id', 'id', 'model_id', 'run'])
  })

  it('refuses a database of a newer Benchmaker, one with tables of the same names, and one that is not UTF-8', async () => {
    const newer = await server.createDatabase()
    await (await openPostgresStorage({ connectionString: newer })).close()
    const client = await connect(newer)
    await client.query("INSERT INTO benchmaker_migrations VALUES (9999, 'from the future', 0)")
    await client.end()
    expect(await refusalOf(openPostgresStorage({ connectionString: newer }))).toMatch(
      /created by a newer Benchmaker .*version 9999/,
    )

    const foreign = await server.createDatabase()
    const other = await connect(foreign)
    await other.query('CREATE TABLE runs (marathon text)')
    expect(await refusalOf(openPostgresStorage({ connectionString: foreign }))).toMatch(
      /tables of another program \(runs\): use another database/,
    )
    expect(
      (await other.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")).rows,
    ).toEqual([{ table_name: 'runs' }])
    await other.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    await other.end()
    expect(await refusalOf(openPostgresStorage({ connectionString: server.connectionString('latin') }))).toMatch(
      /encoded in LATIN1/,
    )
  })

  it('leaves backups to pg_dump, and says so', async () => {
    const storage = await openPostgresStorage({ connectionString: await server.createDatabase() })
    expect(await refusalOf(storage.backupTo('copy.db'))).toMatch(/run pg_dump/)
    await storage.close()
  })

  it('is examined without creating anything: reachable, complete, and not newer', async () => {
    const connectionString = await server.createDatabase()
    expect(await examineStorage({ connectionString })).toEqual({ problems: [], runs: 0 })
    const client = await connect(connectionString)
    const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    expect((await client.query(tables)).rows).toEqual([])
    const storage = await openPostgresStorage({ connectionString })
    await createSample(storage, 'run')
    expect(await examineStorage({ connectionString })).toEqual({ problems: [], runs: 1 })
    await client.query('DROP TABLE answers CASCADE')
    expect(await examineStorage({ connectionString })).toMatchObject({ problems: ['tables are missing: answers'] })
    await client.query("INSERT INTO benchmaker_migrations VALUES (9999, 'from the future', 0)")
    expect((await examineStorage({ connectionString })).problems[0]).toMatch(/tables are version 9999/)
    await client.end()
    await storage.close()
    const nowhere = server.connectionString('nowhere')
    expect((await examineStorage({ connectionString: nowhere })).problems[0]).toMatch(/nowhere .* does not exist/)
  })

  it('shares a database with tables of other names', async () => {
    const connectionString = await server.createDatabase()
    const client = await connect(connectionString)
    await client.query('CREATE TABLE bookmarks (url text)')
    const storage = await openPostgresStorage({ connectionString })
    await createSample(storage, 'run')
    expect((await client.query("SELECT col_description('cells'::regclass, 5) AS comment")).rows).toEqual([
      { comment: 'pending, answered (not scored yet), scored, unscored or error' },
    ])
    await client.end()
    await storage.close()
  })

  it('a lock held too long is reported as such; nothing is half written and writing continues', async () => {
    const connectionString = await server.createDatabase()
    const storage = await openPostgresStorage({ connectionString, lockTimeoutMs: 100 })
    await createSample(storage, 'run')
    const id = await startAttempt(storage, cell('run'))
    const holder = await connect(connectionString)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE answers')
    expect(
      await refusalOf(
        storage.saveAnswer(id, { endedAt: 1, outcome: 'ok' }, cell('run'), {
          outcome: 'ok',
          response: 'x',
          latencyMs: 1,
        }),
      ),
    ).toMatch(/is locked by another program/)
    await holder.query('ROLLBACK')
    await holder.end()
    expect((await storage.loadAttempts('run'))[0]).not.toHaveProperty('end')
    await storage.saveAnswer(id, { endedAt: 1, outcome: 'ok' }, cell('run'), {
      outcome: 'ok',
      response: 'x',
      latencyMs: 1,
    })
    await storage.close()
  })

  it('a lost connection repeats the calls in progress, and each is written once', async () => {
    const connectionString = await server.createDatabase()
    const storage = await openPostgresStorage({ connectionString })
    await createSample(storage, 'run')
    const admin = await connect(server.connectionString('postgres'))
    const holder = await connect(connectionString)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE attempts')
    const waiting = startAttempt(storage, cell('run'))
    const reading = storage.loadAttempts('run')
    while ((await admin.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rows.length < 2);
    await cutConnections(admin, connectionString)
    await holder.query('ROLLBACK')
    await holder.end()
    expect(await waiting).toEqual(expect.any(Number))
    expect((await reading).length).toBeLessThanOrEqual(1)
    expect(await storage.loadAttempts('run')).toHaveLength(1)
    // Idle connections, too.
    await cutConnections(admin, connectionString)
    await answerCell(storage, cell('run'))
    expect(await storage.loadAttempts('run')).toHaveLength(2)
    await admin.end()
    await storage.close()
  })

  it('asks the server to stop long statements and frozen transactions, and notices a server that falls silent', async () => {
    const connectionString = await server.createDatabase()
    const proxy = await startPostgresProxy(connectionString)
    const storage = await openPostgresStorage({ connectionString: proxy.connectionString, statementTimeoutMs: 700 })
    await createSample(storage, 'run')
    for (const limit of ['statement_timeout\x00700\x00', 'idle_in_transaction_session_timeout\x005000\x00'])
      expect(proxy.startOfConnections()).toContain(limit)
    proxy.silenceOpenConnections()
    expect(await storage.listRuns()).toHaveLength(1)
    proxy.silenceOpenConnections()
    await startAttempt(storage, cell('run'))
    expect(await storage.loadAttempts('run')).toHaveLength(1)
    const holder = await connect(connectionString)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE attempts')
    expect(await refusalOf(storage.loadAttempts('run'))).toMatch(/took too long and was stopped/)
    await holder.end()
    await storage.close()
    await proxy.close()
  })
})

describe('a server that goes away', () => {
  it('calls wait for it and then succeed; idle connections that break end nothing', async () => {
    const own = await startPostgres()
    const connectionString = await own.createDatabase()
    const storage = await openPostgresStorage({ connectionString })
    await createSample(storage, 'run')
    await Promise.all(Array.from({ length: 8 }, () => storage.listRuns()))
    await own.pause()
    const written = startAttempt(storage, cell('run'))
    const read = storage.listRuns()
    await own.resume()
    expect(await written).toEqual(expect.any(Number))
    expect(await read).toHaveLength(1)
    await storage.close()
    await own.stop()
  })

  it('one that stays away fails all calls once the stated time is over', async () => {
    const own = await startPostgres()
    const storage = await openPostgresStorage({ connectionString: await own.createDatabase(), reconnectMs: 1500 })
    await createSample(storage, 'run')
    await own.pause()
    const waiting = [refusalOf(startAttempt(storage, cell('run'))), refusalOf(storage.listRuns())]
    for (const message of await Promise.all(waiting))
      expect(message).toMatch(/database test_1 at 127.0.0.1:\d+ was away for 2 s \(.*\): start the server/)
    await own.resume()
    expect(await storage.listRuns()).toHaveLength(1)
    await storage.close()
    await own.stop()
  })
})

async function cutConnections(admin: pg.Client, connectionString: string): Promise<void> {
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'benchmaker'",
    [new URL(connectionString).pathname.slice(1)],
  )
}
