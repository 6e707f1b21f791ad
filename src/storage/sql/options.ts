export interface SqliteStorageOptions {
  /** Path of the file, or `:memory:`; made with its folder when it is not there. */
  file: string
  now?: () => number
  /** How long to wait for another program's lock before giving up. Default 10 s. */
  lockTimeoutMs?: number
}

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database` */
  connectionString: string
  now?: () => number
  /** How long to wait for another program's lock before giving up. Default 10 s. */
  lockTimeoutMs?: number
  /** Connections at once. Default 10. */
  connections?: number
}
