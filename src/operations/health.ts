import type { TableVersions } from '../contract/index.ts'

/** What `/healthz` and `/readyz` reply. Anyone may read it: it names no host, path, person or error message. */
export interface HealthReply {
  status: 200 | 503
  body: HealthBody
}

export type HealthBody =
  | { status: 'alive' }
  | {
      status: 'ready' | 'not ready'
      /** The first thing that is wrong decides; what was not checked is `unknown`. */
      checks: { shutdown: 'none' | 'in progress'; database: CheckedDatabase; migrations: CheckedMigrations }
    }

type CheckedDatabase = 'ok' | 'unreachable' | 'unknown'
type CheckedMigrations = 'ok' | 'missing' | 'newer' | 'unknown'

export interface Health {
  /** The process responds. */
  alive(): HealthReply
  /** The database can be reached, its tables fit this program, and the process is not stopping. */
  ready(): Promise<HealthReply>
  /** From now on the process is not ready. */
  stop(): void
  isStopping(): boolean
}

export interface HealthOptions {
  /** Rejects if the database cannot be reached. */
  readVersions(): Promise<TableVersions>
  now(): number
  /** How long to wait for the database. */
  timeoutMs?: number
}

/** Anyone may ask, so the database is asked at most this often. */
const KEEP_MS = 1_000
const TIMEOUT_MS = 3_000

function compareVersions({ stored, supported }: TableVersions): CheckedMigrations {
  return stored === supported ? 'ok' : stored < supported ? 'missing' : 'newer'
}

interface CheckedStorage {
  database: CheckedDatabase
  migrations: CheckedMigrations
}

const unreachable: CheckedStorage = { database: 'unreachable', migrations: 'unknown' }

/** The health of one process; server and workers reply with the same. */
export function createHealth({ readVersions, now, timeoutMs = TIMEOUT_MS }: HealthOptions): Health {
  let isStopping = false
  let last: { startedAt: number; checked: Promise<CheckedStorage> } | undefined

  const check = async (): Promise<CheckedStorage> => {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs)
    })
    try {
      const versions = await Promise.race([readVersions(), timeout])
      return versions ? { database: 'ok', migrations: compareVersions(versions) } : unreachable
    } catch {
      return unreachable
    } finally {
      clearTimeout(timer)
    }
  }

  const checkOnce = (): Promise<CheckedStorage> => {
    if (!last || now() - last.startedAt >= KEEP_MS) last = { startedAt: now(), checked: check() }
    return last.checked
  }

  return {
    alive: () => ({ status: 200, body: { status: 'alive' } }),
    async ready() {
      const stored: CheckedStorage = isStopping ? { database: 'unknown', migrations: 'unknown' } : await checkOnce()
      const isReady = !isStopping && stored.database === 'ok' && stored.migrations === 'ok'
      return {
        status: isReady ? 200 : 503,
        body: {
          status: isReady ? 'ready' : 'not ready',
          checks: { shutdown: isStopping ? 'in progress' : 'none', ...stored },
        },
      }
    },
    stop() {
      isStopping = true
    },
    isStopping: () => isStopping,
  }
}
