import { StorageError } from '../contract/index.ts'

/** Another program has the database open: nothing was changed. */
export class DatabaseInUse extends StorageError {
  override name = 'DatabaseInUse'

  constructor(file: string, processes: readonly number[], options?: ErrorOptions) {
    const who =
      processes.length === 0
        ? 'another program'
        : `another program (${processes.map((pid) => `process ${pid}`).join(', ')})`
    super(
      `The database ${file} is in use by ${who}: end it or wait for it, and try again. Nothing was changed.`,
      options,
    )
  }
}
