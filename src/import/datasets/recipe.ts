import type { Row } from './rows/row.ts'

/** A test case as a recipe makes it: texts are literal, and id, cluster and metadata are added from the row. */
export type DatasetCase = Readonly<Record<string, unknown>>

/** How the rows of one kind of dataset become test cases. */
export interface Recipe {
  /** For `--recipe`. */
  readonly name: string
  /** What it reads, with the best-known datasets of the kind. */
  readonly reads: string
  /** Tells models in which form to answer; most suites have it, those with instructions of their own have not. */
  readonly systemPrompt?: string
  /** `fields` are the loose names of all columns that hold something. */
  recognises(fields: ReadonlySet<string>, rows: readonly Row[]): boolean
  /** Throws an `InputError` that says what is wrong with a row that cannot be used. */
  toCase(row: Row): DatasetCase
}
