import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { migrations } from '../src/storage/migrations/migrate.ts'
import { startPostgres, type PostgresServer } from '../src/storage/testing/postgres-server.ts'
import { killServers, startProgram } from './fakes/server-process.ts'

const SERVERS = 4

let folder: string
let postgres: PostgresServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-team-'))
  postgres = await startPostgres()
})
afterEach(killServers)
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

let started = 0
function serve(connectionString: string, env: NodeJS.ProcessEnv = {}) {
  return startProgram(['serve', '--port', '0', '--no-open', '--data', join(folder, `server-${++started}`)], {
    BENCHMAKER_DATABASE_URL: connectionString,
    BENCHMAKER_DATABASE_RECONNECT_SECONDS: '1',
    // On a busy machine, four servers that close at once need longer than the program waits for itself.
    BENCHMAKER_STOP_GRACE_SECONDS: '120',
    ...env,
  })
}

async function readReadiness(origin: string): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${origin}/readyz`)
  return { status: reply.status, body: await reply.json() }
}

it('of several servers that start at once on an empty database, one creates the tables and the others wait', async () => {
  const connectionString = await postgres.createDatabase()
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  // All of them wait at the same place until the test lets go.
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock(8271946350)')
  const servers = Array.from({ length: SERVERS }, () => serve(connectionString))
  const countWaiting = async () =>
    (await client.query("SELECT * FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount
  await expect.poll(countWaiting, { timeout: 120_000 }).toBe(SERVERS)
  await client.query('COMMIT')
  const webs = await Promise.all(servers.map((server) => server.enter()))
  const { rows } = await client.query('SELECT version::int FROM benchmaker_migrations ORDER BY version')
  expect(rows.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
  for (const { origin } of webs)
    expect(await readReadiness(origin)).toEqual({
      status: 200,
      body: { status: 'ready', checks: { shutdown: 'none', database: 'ok', migrations: 'ok' } },
    })

  // A newer program upgrades the tables meanwhile: this one says that it no longer fits, and a new start is refused.
  await client.query("INSERT INTO benchmaker_migrations VALUES ($1, 'of a newer program', 1)", [migrations.length + 1])
  await expect
    .poll(() => readReadiness(webs[0]!.origin))
    .toMatchObject({ status: 503, body: { checks: { database: 'ok', migrations: 'newer' } } })
  const older = serve(connectionString, { BENCHMAKER_LOG: 'json' })
  expect(await older.ended).toBe(2)
  expect(older.err()).toMatch(
    /created by a newer Benchmaker \(its tables are version \d+, this program supports \d+\): update Benchmaker/,
  )
  expect(older.err()).not.toContain('not-a-secret')
  await client.query('DELETE FROM benchmaker_migrations WHERE version = $1', [migrations.length + 1])

  // Without its database a server is alive but not ready, and ready again when the database is back.
  await client.end()
  await postgres.pause()
  await expect
    .poll(() => readReadiness(webs[1]!.origin))
    .toMatchObject({ status: 503, body: { checks: { database: 'unreachable' } } })
  expect((await fetch(`${webs[1]!.origin}/healthz`)).status).toBe(200)
  await postgres.resume()
  for (const { origin } of webs) await expect.poll(() => readReadiness(origin)).toMatchObject({ status: 200 })

  for (const { child } of servers) child.kill('SIGTERM')
  for (const { ended, err } of servers) expect(await ended, err()).toBe(0)
})

it('a wrong password is in neither the message nor the log', async () => {
  const wrong = new URL(postgres.connectionString('postgres'))
  wrong.password = 'canary-password-4711'
  const server = serve(wrong.href, { BENCHMAKER_LOG: 'json', BENCHMAKER_LOG_LEVEL: 'debug' })
  expect(await server.ended).toBe(2)
  expect(server.err()).toContain('rejects the password: correct the user and password')
  const [line] = server.err().split('\n')
  expect(JSON.parse(line!)).toMatchObject({
    level: 'error',
    event: 'start failed',
    error: { name: 'StorageError', cause: { code: '28P01' } },
  })
  expect(server.err()).not.toContain('canary')
})
