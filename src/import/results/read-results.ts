import { createHash } from 'node:crypto'
import { InputError, type RunResult } from '../../contract/index.ts'
import type { ForeignResults, ResultsFile, ResultsReader } from './foreign-results.ts'
import type { BesideFile, MetricSummary, ResultsChoices } from './results-choices.ts'
import { TooLargeError } from './import-budget.ts'
import { makeRuns } from './make-runs.ts'
import { canBeTable, readColumns, table as tableReader, table } from './formats/table.ts'
import { openResultsFile, withSeekable } from './results-file.ts'
import { baseOf, mapScores, summariseMetrics, type ScoreMapping } from './score-mapping.ts'
import { everyEvalEver } from './formats/every-eval-ever.ts'
import { columnsTable } from './formats/columns-table.ts'
import { evaluationEvents } from './formats/evaluation-events.ts'
import { deepeval } from './formats/deepeval.ts'
import { evalscope } from './formats/evalscope.ts'
import { helm, leaveOutHelmTwins } from './formats/helm.ts'
import { inspectArchive } from './formats/inspect-archive.ts'
import { inspectJson } from './formats/inspect-log.ts'
import { lmEval } from './formats/lm-eval.ts'
import { openaiEvals } from './formats/openai-evals.ts'
import { promptfooOutput } from './formats/promptfoo.ts'
import { describeSummary } from './summaries.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The readers in the order they are tried. To add one, write its file and test and add a line here. */
const readers: readonly ResultsReader[] = [
  inspectArchive,
  inspectJson,
  promptfooOutput,
  lmEval,
  openaiEvals,
  everyEvalEver,
  deepeval,
  evalscope,
  helm,
  evaluationEvents,
  columnsTable,
  table,
]

/** The reader of a results file; undefined for a file of another kind, such as a suite. */
async function findResultsReader(file: ResultsFile, choices: ResultsChoices = {}): Promise<ResultsReader | undefined> {
  for (const reader of readers) if (await reader.recognises(file, choices)) return reader
  return undefined
}

/** Says that a file holds results, or belongs to some, and what to do with it; undefined for suites and anything unknown. */
export async function explainResults(path: string): Promise<string | undefined> {
  const file = await openResultsFile(path).catch(() => undefined)
  if (!file) return undefined
  for (const reader of readers) {
    // Any table with a score can also be a suite.
    if (reader === tableReader || !(await reader.recognises(file, {}))) continue
    return `${path}: looks like ${reader.looksLike}; it is no suite. Store it with: benchmaker import ${path}, or compare it with another file: benchmaker compare ${path} OTHER`
  }
  const summary = await describeSummary(file)
  return summary && `${path}: is ${summary}`
}

function refuseUnknown({ name }: ResultsFile): never {
  throw new InputError(
    `${name}: is not a results file that Benchmaker can read. Looked for:\n${readers.map(({ looksLike }) => `  ${looksLike}`).join('\n')}`,
  )
}

export type { MetricSummary, ResultsChoices } from './results-choices.ts'

/** A results file of another tool as runs of ours, with all that a user should know about how they came to be. */
export interface ReadResults {
  file: string
  /** `Inspect AI 0.3.128`. */
  tool: string
  task: string
  runs: RunResult[]
  /** If the file has several epochs: each is a run of this series. */
  seriesId?: string | undefined
  models: string[]
  samples: number
  epochs: number
  /** The metric that counts; undefined if the file has no scores. */
  metric?: string | undefined
  metrics: MetricSummary[]
  /** Whether the user named the metric. */
  isMetricChosen: boolean
  /** Whether the file itself does not say which model it is of. */
  isModelUnnamed: boolean
  /** Which values of the metric are taken for the better ones, if nothing says so. */
  assumedDirection?: 'higher' | 'lower' | undefined
  /** What became 100, what 0. */
  scores: string
  scored: number
  unscored: number
  errors: number
  warnings: string[]
}

export interface ReadResultsOptions extends ResultsChoices {
  now: number
  /** What the owner calls the file; an uploaded one has another path. Files beside it are not read then. */
  name?: string | undefined
  /** A small file that was uploaded with it. */
  beside?: BesideFile | undefined
}

async function hashContent({ readBytes }: ResultsFile): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readBytes()) hash.update(chunk)
  return hash.digest('hex')
}

/** True for a results file of another tool; false for suites, our own exports and anything unknown. */
export async function isResultsFile(path: string, choices: ResultsChoices = {}): Promise<boolean> {
  const file = await openResultsFile(path).catch(() => undefined)
  return file !== undefined && (await findResultsReader(file, choices)) !== undefined
}

/** A table with strange columns is a table all the same: its reader says which columns to name. */
async function chooseReader(file: ResultsFile, choices: ResultsChoices): Promise<ResultsReader> {
  const reader = await findResultsReader(file, choices)
  if (reader) return reader
  const summary = await describeSummary(file)
  if (summary !== undefined) throw new InputError(`${file.name}: is ${summary}`)
  return canBeTable(file) ? tableReader : refuseUnknown(file)
}

/** What a file is, to choose by: also one that cannot be imported without a choice. */
export interface ResultsPreview {
  tool?: string | undefined
  task?: string | undefined
  metrics: MetricSummary[]
  /** Of a table: its columns, and what they hold. */
  columns?: { names: string[]; map: Record<string, string> } | undefined
  /** What it would become as it is. */
  results?: ReadResults | undefined
  /** Why it cannot be imported as it is. */
  problem?: string | undefined
}

/** Looks at a results file without refusing one that only lacks a choice: a metric, a scale or columns. */
export async function previewResults(
  path: string,
  { now, name, beside, ...choices }: ReadResultsOptions,
): Promise<ResultsPreview> {
  return withSeekable(await openResultsFile(path, { name, beside }), (file) => previewFile(file, { now, choices }))
}

async function previewFile(
  file: ResultsFile,
  { now, choices }: { now: number; choices: ResultsChoices },
): Promise<ResultsPreview> {
  const reader = await chooseReader(file, choices)
  const columns = reader === tableReader ? await readColumns(file, choices.columns) : undefined
  const found: ResultsPreview = { metrics: [], ...(columns && { columns }) }
  try {
    const foreign = await reader.read(file, choices)
    Object.assign(found, { tool: foreign.tool, task: foreign.task, metrics: summariseMetrics(foreign.samples) })
    return { ...found, results: await finishResults(foreign, file, { now, choices }) }
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof TooLargeError) throw error
    if (found.metrics.length === 0 && !columns) throw error
    return { ...found, problem: error.message }
  }
}

/** Reads a results file of another tool. Throws `InputError`, with what and where, before anything is written. */
export async function readResults(
  path: string,
  { now, name, beside, ...choices }: ReadResultsOptions,
): Promise<ReadResults> {
  return withSeekable(await openResultsFile(path, { name, beside }), async (file) => {
    const reader = await chooseReader(file, choices)
    return finishResults(await reader.read(file, choices), file, { now, choices })
  })
}

function findAssumedDirection(
  { assumedDirections }: ForeignResults,
  { metric, lowerIsBetter }: ScoreMapping,
  choices: ResultsChoices,
): 'higher' | 'lower' | undefined {
  if (metric === undefined || choices.lowerIsBetter !== undefined) return undefined
  if (!assumedDirections?.metrics.has(baseOf(metric))) return undefined
  return lowerIsBetter ? 'lower' : 'higher'
}

function warnOfMapping(
  file: string,
  { metric, description }: ScoreMapping,
  {
    assumedDirections,
    assumed,
  }: Pick<ForeignResults, 'assumedDirections'> & { assumed: 'higher' | 'lower' | undefined },
): string[] {
  if (metric === undefined) return [`${file}: ${description}`]
  if (assumed === undefined || !assumedDirections) return []
  const { reason, remedy } = assumedDirections
  const option = assumed === 'higher' ? '; --lower-is-better turns them round' : ''
  return [`${file}: ${assumed} values of ${metric} are assumed to be better, because ${reason}; ${remedy}${option}`]
}

/** Maps the scores of what was read, and makes runs of it. */
async function finishResults(
  foreign: ForeignResults,
  file: ResultsFile,
  { now, choices }: { now: number; choices: ResultsChoices },
): Promise<ReadResults> {
  const mapping = mapScores(foreign.samples, choices, { ...foreign, file: file.name })
  const { runs, seriesId } = makeRuns(foreign, mapping, {
    name: file.name,
    contentHash: await hashContent(file),
    now,
  })
  const cells = runs.flatMap(({ results }) => results)
  const scored = cells.filter((cell) => cell.score).length
  const unscored = cells.filter((cell) => cell.unscored).length
  const assumed = findAssumedDirection(foreign, mapping, choices)
  return {
    file: file.name,
    tool: foreign.tool,
    task: runs[0]!.testSuiteName!,
    runs,
    ...(seriesId !== undefined && { seriesId }),
    models: [...new Set(runs.flatMap(({ models }) => models))],
    samples: cells.length,
    epochs: runs.length,
    ...(mapping.metric !== undefined && { metric: mapping.metric }),
    metrics: mapping.metrics,
    ...(assumed !== undefined && { assumedDirection: assumed }),
    scores: mapping.description,
    scored,
    unscored,
    errors: cells.length - scored - unscored,
    isMetricChosen: choices.metric !== undefined,
    isModelUnnamed: foreign.isModelUnnamed ?? false,
    warnings: [...foreign.warnings, ...warnOfMapping(file.name, mapping, { ...foreign, assumed })],
  }
}

/** Which metric counts, if the file has several and the user named none. */
export function describeMetricChoice({ file, metric, metrics, isMetricChosen }: ReadResults): string | undefined {
  const usable = metrics.filter(({ state }) => state !== 'unusable')
  if (metric === undefined || isMetricChosen || usable.length < 2) return undefined
  return `${file}: ${metric} counts, of ${usable.map(({ name }) => name).join(', ')}; --metric chooses another`
}

const MAX_FILES = 1000

/** True for a log without samples, such as that of an evaluation that failed at once. Large files are taken to have some. */
async function isWithoutSamples(path: string, choices: ResultsChoices): Promise<boolean> {
  try {
    return await withSeekable(await openResultsFile(path), async (file) => {
      const reader = file.start.length < SMALL_BYTES ? await findResultsReader(file, choices) : undefined
      return reader !== undefined && reader !== tableReader && (await reader.read(file, choices)).samples.length === 0
    })
  } catch (error) {
    // What is wrong with it is said when it is read.
    if (error instanceof InputError) return false
    throw error
  }
}

const SMALL_BYTES = 1 << 18

/** As deep as tools nest the results of a run: reviews/MODEL/DATASET of EvalScope, runs/SUITE/RUN of HELM. */
const MAX_DEPTH = 4

const isHidden = (name: string): boolean => name.startsWith('.') && name !== '.latest_test_run.json'

/** Folders in a folder are looked into only if it has no results itself. */
async function findResultsFiles(folder: string, choices: ResultsChoices, depth: number): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isHidden(name))
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  if (names.length > MAX_FILES)
    throw new InputError(`${folder}: has ${names.length} files; name those that you mean (at most ${MAX_FILES})`)
  const own: string[] = []
  for (const name of names.toSorted()) if (await isResultsFile(join(folder, name), choices)) own.push(name)
  if (own.length > 0 || depth === 0) return leaveOutHelmTwins(own).map((name) => join(folder, name))
  const inner: string[] = []
  for (const { name } of entries
    .filter((entry) => entry.isDirectory())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    inner.push(...(await findResultsFiles(join(folder, name), choices, depth - 1)))
    if (inner.length > MAX_FILES)
      throw new InputError(`${folder}: has more than ${MAX_FILES} results files; name a folder in it`)
  }
  return inner
}

/**
 * The results files in a folder, by name, or else those of the folders in it; hidden files and files of other kinds are
 * passed over, and so are logs without samples, which `onEmpty` gets, as long as others have some.
 */
export async function listResultsFiles(
  folder: string,
  choices: ResultsChoices = {},
  onEmpty: (path: string) => void = () => {},
): Promise<string[]> {
  const paths = await findResultsFiles(folder, choices, MAX_DEPTH)
  if (paths.length === 0) throw new InputError(`${folder}: is a folder without results files; name a file`)
  const empty: string[] = []
  for (const path of paths) if (await isWithoutSamples(path, choices)) empty.push(path)
  if (empty.length === paths.length) return paths
  for (const path of empty) onEmpty(path)
  return paths.filter((path) => !empty.includes(path))
}
