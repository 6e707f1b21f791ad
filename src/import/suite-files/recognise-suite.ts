import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { InputError, isRecord, nameSuite } from '../../contract/index.ts'
import { finishSuite, nameAfterFile, writePath, listScorers, type FinishedSuite } from './finish-suite.ts'
import { embedImages } from './images.ts'
import { quoteNames, type ColumnMap } from './column-map.ts'
import { parseJsonListSuite, parseJsonlSuite } from './read-jsonl.ts'
import { parseLocatedJson, type LocatedDocument } from '../text/located-json.ts'
import type { PromptfooOptions } from '../promptfoo/config/convert-config.ts'
import { allowGivenFiles, allowNoFiles, type GivenFile } from '../text/allowed-files.ts'
import { readSource } from '../text/source-text.ts'
import type { Scorer } from '../../scoring/index.ts'
import { escapeSuiteVariables } from './variables.ts'
import { isHubAddress } from '../datasets/hub-address.ts'
import { isParquetFile } from '../datasets/rows/parquet-table.ts'
import type { DatasetReading } from '../datasets/read-dataset.ts'

type SuiteFormat = 'suite' | 'csv' | 'jsonl' | 'json' | 'promptfoo' | 'dataset'

export interface ReadingOptions extends PromptfooOptions {
  /** Which columns of a table hold which fields of a test case. */
  map?: ColumnMap | undefined
  /** The recipe that reads a dataset, instead of the first that knows its fields; `none` reads no file as a dataset. */
  recipe?: string | undefined
  /** Scoring methods of one's own that the suite may use. */
  scorers?: readonly Scorer[] | undefined
  /** Read at most so many rows of a dataset. */
  mostRows?: number | undefined
  /** Where datasets from the hub are kept. */
  dataFolder?: string | undefined
}

export interface ImportedSuite extends FinishedSuite {
  format: SuiteFormat
  /** Models that the file names, suggested for a first run. */
  suggestedModels?: string[]
  /** The address that the file asks them at. */
  suggestedEndpoint?: string
  suggestedJudges?: string[]
  /** What came over from another tool, by count; how a dataset was read. */
  summary?: string
  dataset?: DatasetReading
  /** What a person must know to run it, although nothing was changed or lost. */
  notes?: string[]
}

const LOOKED_FOR = `Looked for:
  a suite: YAML or JSON with testCases
  a promptfoo config: YAML or JSON with prompts and tests, scenarios or providers
  CSV or TSV with a header row that has prompt and scoringMethod
  JSON lines, one test case { id, prompt, scoringMethod, … } a line
  a dataset: JSON lines, JSON, CSV, TSV or Parquet with questions and answers under their usual names`

const REFUSED = new Map([
  ['.xlsx', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.xls', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.ods', 'spreadsheets are not read; save the sheet as CSV (UTF-8)'],
  ['.py', 'code is not run; write the config as YAML or JSON'],
])

const PROMPTFOO_NAMES = ['yaml', 'yml', 'json', 'js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map(
  (extension) => `promptfooconfig.${extension}`,
)

const CODE = /\.[cm]?[jt]s$/i

/** Tells what a parsed document is by its fields. */
function recogniseDocument(value: unknown): 'suite' | 'promptfoo' | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (Object.hasOwn(value, 'testCases')) return 'suite'
  const has = (field: string) => Object.hasOwn(value, field)
  return has('prompts') && ['tests', 'scenarios', 'providers', 'targets', 'defaultTest'].some(has)
    ? 'promptfoo'
    : undefined
}

function describeDocument(value: unknown): string {
  if (Array.isArray(value))
    return `it is a list of ${value.length}; put the cases under testCases:, or name its fields with --map prompt=question,expectedOutput=answer`
  if (value === null || value === undefined || value === '') return 'it is empty'
  if (typeof value !== 'object') return 'it is plain text'
  if (Object.hasOwn(value, 'runs')) return 'it contains runs, not a suite: it is read as a run export'
  const fields = Object.keys(value)
  if (fields.length === 0) return 'it is empty'
  return quoteNames('its fields are', fields, 12) || 'its fields are not those of a suite'
}

export function looksLikeJsonLines(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line))
}

function looksLikeCsv(text: string): boolean {
  const header = /^\uFEFF?([^\r\n]*)/.exec(text)![1]!
  const columns = new Set(header.split(/[,;\t]/).map((name) => name.trim().replaceAll('"', '')))
  return columns.has('prompt') && columns.has('scoringMethod')
}

/** Returns the config inside a folder; any other path as it is. */
async function findFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  const names = await readdir(path)
  const config = PROMPTFOO_NAMES.find((name) => names.includes(name))
  if (config !== undefined) return join(path, config)
  throw new InputError(
    `${path}: is a folder without a ${PROMPTFOO_NAMES.slice(0, 3).join(' or ')}; name the suite's file`,
  )
}

/** The YAML parser is large, so it is loaded only for files that are not JSON. */
export async function parseLocated(text: string, file: string): Promise<LocatedDocument> {
  return parseLocatedJson(text, file) ?? (await import('../text/located-document.ts')).parseLocated(text, file)
}

async function importCsv(text: string, file: string, map: ColumnMap | undefined): Promise<ImportedSuite> {
  const { parseCsvSuite } = await import('./read-csv.ts')
  return { format: 'csv', ...parseCsvSuite(text, file, map) }
}

async function importPromptfoo(
  file: string,
  options: ReadingOptions,
  evaluated?: LocatedDocument,
): Promise<ImportedSuite> {
  const { loadPromptfooConfig } = await import('../promptfoo/config/convert-config.ts')
  const readHub = async (address: string, mostRows?: number) => {
    const { readHubDataset } = await import('../datasets/hub.ts')
    const { table } = await readHubDataset(address, { ...options, ...(mostRows !== undefined && { mostRows }) })
    return (table?.rows ?? []).map(({ values }) => values)
  }
  return { format: 'promptfoo', ...(await loadPromptfooConfig(file, { ...options, readHub }, evaluated)) }
}

/** Rows in YAML: a list of questions, or one below a key. */
async function importYamlRows(
  value: unknown,
  file: string,
  options: DatasetOptions,
): Promise<ImportedSuite | undefined> {
  if (!/\.ya?ml$/i.test(file) || options.recipe === 'none') return undefined
  return importDataset(JSON.stringify(value ?? null), file, options)
}

async function importDocument(text: string, file: string, options: ReadingOptions): Promise<ImportedSuite> {
  const document = await parseLocated(text, file)
  const format = recogniseDocument(document.value)
  if (format === 'suite') {
    const known = options.scorers ?? listScorers(options)
    const { suite, warnings } = finishSuite(document.value, document.locate, known, nameAfterFile(file))
    const describe = (path: readonly PropertyKey[]) => `${document.locate(path)}: ${writePath(path)}`
    return { format, suite: await embedImages(suite, { file, describe, allowed: options.allowFiles }), warnings }
  }
  if (format === 'promptfoo') return importPromptfoo(file, options)
  if (isRecord(document.value) && 'evaluation_framework' in document.value) {
    const { readLocalTask } = await import('../datasets/local-task.ts')
    const task = await readLocalTask(text, file, options)
    if (task) return { format: 'dataset', ...task }
  }
  const rows = await importYamlRows(document.value, file, options)
  if (rows) return rows
  throw new InputError(
    `${file}: is not a suite Benchmaker can read: ${describeDocument(document.value)}\n${LOOKED_FOR}`,
  )
}

/** A config in code is evaluated only where that is allowed. */
async function importCode(file: string, options: ReadingOptions): Promise<ImportedSuite> {
  const { allowCode, evaluateConfig } = options
  if (allowCode !== true || !evaluateConfig)
    throw new InputError(
      `${file}: code is not run; write the config as YAML or JSON: node -e "import('./${basename(file)}').then((config) => console.log(JSON.stringify(config.default)))" > promptfooconfig.json. Or allow it with --allow-code, which evaluates the file alone, without Node`,
    )
  const value = await evaluateConfig(await readSource(file), file)
  if (recogniseDocument(value) !== 'promptfoo')
    throw new InputError(`${file}: does not export a promptfoo config, which has prompts and tests or providers`)
  return importPromptfoo(file, options, { value, locate: () => file })
}

function refuseUnreadable(file: string): void {
  const refused = REFUSED.get(extname(file).toLowerCase())
  if (refused !== undefined) throw new InputError(`${file}: ${refused}`)
}

/** Rows of test cases of ours, which say how they are scored. */
function isOwnRows(text: string, isLines: boolean): boolean {
  if (isLines)
    return /"(?:scoringMethod|checks|ui_instruct)"\s*:|^\s*\{"id"\s*:\s*"init"/.test(text) || isPromptfooTests(text)
  return looksLikeCsv(text)
}

/** Lines of promptfoo tests have variables and no question of their own. */
function isPromptfooTests(text: string): boolean {
  return /^\s*\{(?:(?!"(?:prompt|messages|question|input)"\s*:).)*"vars"\s*:\s*\{/.test(text)
}

type DatasetOptions = Pick<ReadingOptions, 'recipe' | 'mostRows'>

async function importDataset(text: string, file: string, options: DatasetOptions): Promise<ImportedSuite | undefined> {
  const [{ readDatasetRows }, { readDataset }] = await Promise.all([
    import('../datasets/rows/read-rows.ts'),
    import('../datasets/read-dataset.ts'),
  ])
  const table = readDatasetRows(text, file, options.mostRows)
  const read = table && readDataset(table, file, options)
  return read && { format: 'dataset', ...read }
}

/** Parquet, or a dataset on the hub: rows that are no text. */
async function importTable(file: string, options: ReadingOptions, bytes?: Buffer): Promise<ImportedSuite> {
  const [{ readDataset }, { decodeParquetRows, loadParquetRows, makeParquetTable }, { readHubDataset }] =
    await Promise.all([
      import('../datasets/read-dataset.ts'),
      import('../datasets/rows/parquet-table.ts'),
      import('../datasets/hub.ts'),
    ])
  const { table, warnings, ...about } = isHubAddress(file)
    ? await readHubDataset(file, options)
    : {
        table: makeParquetTable(
          bytes ? await decodeParquetRows(bytes, file) : await loadParquetRows(file, options.mostRows),
        ),
        warnings: [],
      }
  if (!table) throw new InputError(`${file}: is empty`)
  if (options.map) {
    const rows = table.rows.map(({ values }) => values)
    return { format: 'json', ...parseJsonListSuite(rows, file, options.map) }
  }
  const read = readDataset(table, file, { ...options, ...about })
  if (read) return { format: 'dataset', ...read, warnings: [...warnings, ...read.warnings] }
  throw new InputError(
    `${file}: no recipe knows its columns${quoteNames('; they are', table.names)}. Name them with --map prompt=question,expectedOutput=answer`,
  )
}

/** Fields of results files: the readers of those are loaded only for a file that has one. */
const RESULTS_MARKS =
  /"(?:adapter_spec|dataset_name|doc_id|eval|evalId|evaluation_name|higher_is_better|instance_id|n-shot|request_states|review|sample_score|sum_squared|testRunData|testRunLink|test_cases|run_id)"\s*:/

/** Results of another tool can look like a list of test cases. */
async function refuseResults(file: string): Promise<void> {
  const { explainResults } = await import('../results/read-results.ts')
  const found = await explainResults(file)
  if (found !== undefined) throw new InputError(found)
}

/** Imports a dataset, test cases in CSV or JSON lines or, with a map, any rows; returns undefined for anything else. */
async function importRows(
  text: string,
  file: string,
  { map, recipe, mostRows }: Pick<ReadingOptions, 'map' | 'recipe' | 'mostRows'>,
): Promise<ImportedSuite | undefined> {
  const extension = extname(file).toLowerCase()
  const isKnown = ['.yaml', '.yml', '.json'].includes(extension)
  const isCsv = extension === '.csv' || extension === '.tsv'
  const isLines = extension === '.jsonl' || extension === '.ndjson' || (!isKnown && !isCsv && looksLikeJsonLines(text))
  if (text.startsWith('version https://git-lfs.github.com/'))
    throw new InputError(
      `${file}: only points at a file that Git LFS keeps; fetch it with git lfs pull, or download it`,
    )
  if (isCsv && !map && /^\uFEFF?[^\r\n]*(?<![^,;\t"])__expected\d*(?![^,;\t"\r\n])/.test(text))
    throw new InputError(
      `${file}: holds tests of promptfoo (__expected) without the prompts that they are for; import the promptfooconfig.yaml that names it, or name the columns with --map`,
    )
  if (recipe !== undefined && recipe !== 'none' && map)
    throw new InputError(`${file}: --recipe and --map are two readings of one file; give one of them`)
  const isSuite = !isLines && !isCsv && recogniseDocument(parseLocatedJson(text, file)?.value) !== undefined
  const isBenchmark = /\.ya?ml$/i.test(file) && /["']?evaluation_framework["']?\s*:/.test(text)
  if (!map && recipe !== 'none' && !isSuite && !isBenchmark && (recipe !== undefined || !isOwnRows(text, isLines))) {
    const dataset = await importDataset(text, file, { recipe, mostRows })
    if (dataset) return dataset
    if (recipe !== undefined && !/\.ya?ml$/i.test(file))
      throw new InputError(`${file}: has no rows that a recipe could read`)
  }
  if (isCsv) return importCsv(text, file, map)
  if (isLines) return { format: 'jsonl', ...parseJsonlSuite(text, file, map) }
  if (map) {
    const { value } = /^\s*\[/.test(text) ? await parseLocated(text, file) : {}
    if (Array.isArray(value)) return { format: 'json', ...parseJsonListSuite(value, file, map) }
    if (!isKnown) return importCsv(text, file, map)
    throw new InputError(`${file}: columns are named (--map) only for CSV, JSON lines and lists of JSON objects`)
  }
  return !isKnown && looksLikeCsv(text) ? importCsv(text, file, map) : undefined
}

/** Reads a suite from a file of any known format, recognised by its extension or else by its content. */
export async function importSuite(path: string, options: ReadingOptions = {}): Promise<ImportedSuite> {
  if (isHubAddress(path)) return importTable(path, options)
  const file = await findFile(path)
  if (CODE.test(file)) return importCode(file, options)
  refuseUnreadable(file)
  if (await isParquetFile(file)) return importTable(file, options)
  const text = await readSource(file)
  if (RESULTS_MARKS.test(text.slice(0, 65_536))) await refuseResults(file)
  // Datasets are often packed; what is in the file tells by the ending before `.gz` how to read it.
  const unpacked = file.replace(/\.gz$/i, '')
  return (await importRows(text, unpacked, options)) ?? importDocument(text, unpacked, options)
}

export interface ImportedText {
  /** For editing: {{variables}} are not filled, and literal braces are escaped. */
  suite: Record<string, unknown>
  format: SuiteFormat
  warnings: string[]
  suggestedModels: string[]
  suggestedJudges?: string[]
  suggestedEndpoint?: string
  summary?: string
  dataset?: DatasetReading
  notes?: string[]
}

/** Fields in which promptfoo reads plain text as the path of a file. */
const PATH_FIELDS = new Set(['prompts', 'tests', 'scenarios', 'config', 'vars', 'defaultTest'])
const LOOKS_LIKE_PATH = /^[^\s{}][^\n{}]*\.\w{1,5}$/

/** Finds the first file that a config names, and where. `field` is the nearest enclosing name that can hold paths. */
function findNamedFile(
  value: unknown,
  path: PropertyKey[] = [],
  field = '',
): { name: string; path: PropertyKey[] } | undefined {
  if (typeof value === 'string') {
    // Text in place of tests or variables is always a file; a prompt is one only if it looks like a path.
    const isPath = field === 'prompts' ? LOOKS_LIKE_PATH.test(value) : field !== ''
    return value.startsWith('file://') || isPath ? { name: value, path } : undefined
  }
  if (Array.isArray(value))
    return findFirst(
      value.map((item: unknown, index) => [index, item] as const),
      ([index, item]) => findNamedFile(item, [...path, index], field),
    )
  if (!isRecord(value)) return undefined
  return findFirst(Object.entries(value), ([key, item]) => {
    if (key === 'path' && ['tests', 'config'].includes(field) && typeof item === 'string')
      return { name: item, path: [...path, key] }
    // The older syntax has the path as the key: { prompt.txt: label }.
    if (field === 'prompts' && LOOKS_LIKE_PATH.test(key)) return { name: key, path: [...path, key] }
    const inner = PATH_FIELDS.has(key)
      ? key
      : field === 'prompts' && ['raw', 'content', 'id', 'file'].includes(key)
        ? 'prompts'
        : ''
    return findNamedFile(item, [...path, key], inner)
  })
}

function findFirst<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Reads only the text itself and the files sent with it: a path in it would name a file on the server, not one of the
 * person who sent the text. Code is never taken over.
 */
async function importPromptfooText(
  text: string,
  file: string,
  given: readonly GivenFile[] = [],
): Promise<ImportedText> {
  const [{ parseDocument }, { convertConfig }] = await Promise.all([
    import('../promptfoo/config/referenced-files.ts'),
    import('../promptfoo/config/convert-config.ts'),
  ])
  const document = parseDocument(text, file)
  const named = given.length === 0 ? findNamedFile(document.value) : undefined
  const explain = (name: string) =>
    given.length > 0
      ? `the file ${name} was not among the ${given.length} files that were sent; drop the whole folder`
      : `names the file ${name}, and only the text itself is read here; drop its whole folder, or import it with: benchmaker import ${file} --out suite.yaml, and then import that suite`
  if (named) throw new InputError(`${document.locate(named.path)}: ${explain(named.name)}`)
  // Whatever was not found above is refused when it is read.
  const { raw, locate, warnings, ...suggested } = await convertConfig(document, file, {
    files: given.length > 0 ? allowGivenFiles(given, explain) : allowNoFiles(explain),
  })
  const finished = finishSuite(raw, locate)
  return { suite: asFields(raw), format: 'promptfoo', warnings: [...warnings, ...finished.warnings], ...suggested }
}

function asFields(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new InputError('is not a suite')
}

interface TextOptions extends Pick<ReadingOptions, 'map' | 'recipe'> {
  /** A Parquet file, which is no text. */
  base64?: string | undefined
  files?: readonly GivenFile[] | undefined
}

function showRows({ suite, format, warnings, summary, dataset }: ImportedSuite): ImportedText {
  return {
    suite: asFields(escapeSuiteVariables(suite)),
    format,
    warnings,
    suggestedModels: [],
    ...(summary !== undefined && { summary }),
    ...(dataset && { dataset }),
  }
}

/** Reads a suite from untrusted text and opens no files. The name tells the format and appears in messages. */
export async function importSuiteText(
  text: string,
  fileName: string,
  { map, recipe, base64, files }: TextOptions = {},
): Promise<ImportedText> {
  const file = basename(fileName.replaceAll('\\', '/')) || 'suite'
  if (CODE.test(file)) await importCode(file, {})
  refuseUnreadable(file)
  const rows =
    base64 === undefined
      ? await importRows(text, file, { map, recipe })
      : await importTable(file, { map, recipe }, Buffer.from(base64, 'base64'))
  if (rows) return showRows(rows)
  const document = await parseLocated(text, file)
  const format = recogniseDocument(document.value)
  if (format === 'promptfoo') return importPromptfooText(text, file, files)
  const inYaml = format === undefined ? await importYamlRows(document.value, file, { recipe }) : undefined
  if (inYaml) return showRows(inYaml)
  if (format === undefined)
    throw new InputError(
      `${file}: is not a suite Benchmaker can read: ${describeDocument(document.value)}\n${LOOKED_FOR}`,
    )
  const named = nameSuite(document.value, nameAfterFile(file))
  const { warnings } = finishSuite(named, document.locate)
  return { suite: asFields(named), format, warnings, suggestedModels: [] }
}
