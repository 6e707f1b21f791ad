import type { Message, Outcome } from '../../contract/index.ts'
import type { ImportLimits } from './import-budget.ts'
import type { BesideFile, ResultsChoices } from './results-choices.ts'

/** One answer in a results file of another tool: a sample, asked of one model in one epoch. */
export interface ForeignSample {
  id: string
  /** From 1; repeats of the same sample. */
  epoch: number
  modelId: string
  prompt?: string | undefined
  /** Instead of a prompt: a conversation. */
  messages?: Message[] | undefined
  /** What the model was told before its question. */
  system?: readonly string[] | undefined
  expected?: string | undefined
  category?: string | undefined
  difficulty?: string | undefined
  tags?: readonly string[] | undefined
  /** Samples of one cluster are variants of one question. */
  cluster?: string | undefined
  answer?: string | undefined
  /** What went wrong there. Such a sample has no score here, whatever the file says. */
  error?: string | undefined
  outcome?: Outcome | undefined
  /** Why its scores do not count there. */
  unscored?: string | undefined
  /** What the tool measured, by name, as the file has it. Parts of a list or object are metrics of their own. */
  scores: ReadonlyMap<string, unknown>
  /** Whether the tool itself counts it as passed. */
  passed?: boolean | undefined
  /** Where each metric has a record of its own: what that record says instead, if its metric counts. */
  byMetric?: ReadonlyMap<string, Pick<ForeignSample, 'answer' | 'passed' | 'notes'>> | undefined
  notes?: string | undefined
  latencyMs?: number | undefined
  promptTokens?: number | undefined
  completionTokens?: number | undefined
  cost?: number | undefined
  /** Where it is in the file, for messages. */
  place: string
}

/** What a results file says about itself. */
export interface ForeignResults {
  /** `inspect`: the beginning of the run's id. */
  format: string
  /** `Inspect AI 0.3.128`. */
  tool: string
  /** The name of the suite. */
  task: string
  description?: string | undefined
  startedAt?: number | undefined
  completedAt?: number | undefined
  samples: ForeignSample[]
  /** Ids in the order of the dataset, if the file has it. */
  order?: readonly string[] | undefined
  /** Metrics that say whether an answer is right, before others; without them, the first in the file. */
  preferred?: readonly string[] | undefined
  /** Metrics that say something else than how good an answer is: they count only if the user names them. */
  onlyIfNamed?: ReadonlySet<string> | undefined
  /** Metrics of which a small value is a good one, as the file says. */
  lowerIsBetter?: ReadonlySet<string> | undefined
  /** Metrics of which nothing says whether a small value is a good one: why, and what to do about it. */
  assumedDirections?: { metrics: ReadonlySet<string>; reason: string; remedy: string } | undefined
  /** The file itself does not say which model it is of. */
  isModelUnnamed?: boolean | undefined
  /** What to do about a sample that is there twice. */
  repeatHint?: string | undefined
  /** Of a table: what its columns hold, if that is not what their names say. */
  columns?: Readonly<Record<string, string>> | undefined
  /** What the user should know: what was left out, guessed or is missing. */
  warnings: string[]
}

/** A results file on disk. An uploaded one is in a temporary file; `name` is what its owner calls it. */
export interface ResultsFile {
  path: string
  name: string
  /** The name of the folder it is in, which some tools name after the model; unknown for an upload. */
  folder?: string | undefined
  /** That folder and those around it, the outermost first. */
  folders?: readonly string[] | undefined
  /** The first bytes, as `read` gives them. */
  start: Buffer
  isPacked: boolean
  limits: ImportLimits
  /** Counts what a reader keeps of the file until its end; throws if that is too much. */
  keep<Value>(value: Value): Value
  /** The bytes by which a file is known: unpacked if it is gzip. */
  readBytes(): AsyncIterable<Uint8Array>
  /** The content from its start: unpacked if it is gzip, and as UTF-8 if it is UTF-16. */
  read(): AsyncIterable<Uint8Array>
  /** Reads a small file beside it whose name passes the test; undefined if there is none. */
  findSibling(matches: (name: string) => boolean): Promise<BesideFile | undefined>
}

/** Reads the results files of one tool. */
export interface ResultsReader {
  name: string
  /** What such a file looks like, for the message about a file that nobody recognises. */
  looksLike: string
  recognises(file: ResultsFile, choices: ResultsChoices): Promise<boolean> | boolean
  read(file: ResultsFile, choices: ResultsChoices): Promise<ForeignResults>
}

/** A row of a table of results. */
export interface TableRow {
  place: string
  /** The value in a column; in JSON also inside objects, as in `doc.question`. */
  get(column: string): unknown
}

export interface ResultsTable {
  columns: string[]
  /** Reads all rows once; only these columns where the format allows it. */
  rows(columns: readonly string[]): AsyncIterable<TableRow>
}
