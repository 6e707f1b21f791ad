import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError, StorageError } from '../../contract/index.ts'
import { openPostgresStorage } from './postgres-storage.ts'
import { findFreePort, startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
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

  it('refuses a database of a newer Benchmaker, one with tables of the same names, and one that is not UTF-8', async () => {
    const newer = await server.createDatabase()
    await (await openPostgresStorage({ connectionString: newer })).close()
    const client = await connect(newer)
    await client.query("INSERT INTO benchmaker_migrations VALUES (7, 'from the future', 0)")
    await client.end()
    expect(await refusalOf(openPostgresStorage({ connectionString: newer }))).toMatch(
      /created by a newer Benchmaker .*version 7/,
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

  it('a lost connection fails the calls in progress but not later ones', async () => {
    const connectionString = await server.createDatabase()
    const storage = await openPostgresStorage({ connectionString })
    await createSample(storage, 'run')
    const admin = await connect(server.connectionString('postgres'))
    const holder = await connect(connectionString)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE attempts')
    const waiting = refusalOf(startAttempt(storage, cell('run')))
    while ((await admin.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount === 0);
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'benchmaker'",
      [new URL(connectionString).pathname.slice(1)],
    )
    expect(await waiting).toMatch(/is shutting down|closed the connection/)
    await holder.query('ROLLBACK')
    await holder.end()
    await admin.end()
    await answerCell(storage, cell('run'))
    expect(await storage.loadAttempts('run')).toHaveLength(1)
    await storage.close()
  })
})
