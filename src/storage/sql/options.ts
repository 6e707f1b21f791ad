import type { Note } from '../private-files.ts'

export type DatabaseLocation = { file: string } | { connectionString: string }

export interface SqliteStorageOptions {
  /** Path of the file, or `:memory:`. The file and its folder are created if missing. */
  file: string
  now?: () => number
  /** How long to wait for another program's lock before giving up. Default 10 s. */
  lockTimeoutMs?: number
  /** Opens a database that cannot be written here for reading only, instead of failing. */
  isReadOnlyAllowed?: boolean
  /** Gets a line for each file or folder that others could read until now. */
  note?: Note
}

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database` */
  connectionString: string
  now?: () => number
  /** How long to wait for another program's lock before giving up. Default 10 s. */
  lockTimeoutMs?: number
  /** Maximum number of connections. Default 10. */
  connections?: number
  /** How long calls wait for a server that does not respond, such as one that restarts. Default 60 s. */
  reconnectMs?: number
  /** How long the server may work on one statement. Default 2 minutes. */
  statementTimeoutMs?: number
}
