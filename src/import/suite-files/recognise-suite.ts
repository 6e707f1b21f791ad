import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { InputError, isRecord } from '../../contract/index.ts'
import { finishSuite, writePath, listScorers, type FinishedSuite } from './finish-suite.ts'
import { embedImages } from './images.ts'
import { guessColumns, listFields, lookUpField, quoteNames, type ColumnMap } from './column-map.ts'
import { parseJsonListSuite, parseJsonlSuite } from './read-jsonl.ts'
import { parseLocatedJson, type LocatedDocument } from '../text/located-json.ts'
import type { PromptfooOptions } from '../promptfoo/config/convert-config.ts'
import { allowGivenFiles, allowNoFiles, type GivenFile } from '../text/allowed-files.ts'
import { readSource } from '../text/source-text.ts'
import { escapeSuiteVariables } from './variables.ts'

type SuiteFormat = 'suite' | 'csv' | 'jsonl' | 'json' | 'promptfoo'

export interface ReadingOptions extends PromptfooOptions {
  /** Which columns of a table hold which fields of a test case. */
  map?: ColumnMap | undefined
}

export interface ImportedSuite extends FinishedSuite {
  format: SuiteFormat
  /** Models that the file names, suggested for a first run. */
  suggestedModels?: string[]
  /** The address that the file asks them at. */
  suggestedEndpoint?: string
  suggestedJudges?: string[]
  /** What came over from another tool, by count. */
  summary?: string
}

const LOOKED_FOR = `Looked for:
  a suite: YAML or JSON with name and testCases
  a promptfoo config: YAML or JSON with prompts and tests, scenarios or providers
  CSV or TSV with a header row that has prompt and scoringMethod
  JSON lines, one test case { id, prompt, scoringMethod, … } a line`

const REFUSED = new Map([
  ['.xlsx', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.xls', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.ods', 'spreadsheets are not read; save the sheet as CSV (UTF-8)'],
  ['.js', 'code is not run; write the config as YAML or JSON'],
  ['.mjs', 'code is not run; write the config as YAML or JSON'],
  ['.cjs', 'code is not run; write the config as YAML or JSON'],
  ['.ts', 'code is not run; write the config as YAML or JSON'],
  ['.py', 'code is not run; write the config as YAML or JSON'],
])

const PROMPTFOO_NAMES = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json']

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
    return `it is a list of ${value.length}; put the cases under testCases: and give the suite a name:, or name its fields with --map prompt=question,expectedOutput=answer`
  if (typeof value !== 'object' || value === null) return 'it is plain text'
  if (Object.hasOwn(value, 'runs')) return 'it contains runs, not a suite: it is read as a run export'
  const fields = Object.keys(value)
  if (fields.length === 0) return 'it is empty'
  return quoteNames('its fields are', fields, 12) || 'its fields are not those of a suite'
}

function looksLikeJsonLines(text: string): boolean {
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
  throw new InputError(`${path}: is a folder without a ${PROMPTFOO_NAMES.join(' or ')}; name the suite's file`)
}

/** The YAML parser is large, so it is loaded only for files that are not JSON. */
async function parseLocated(text: string, file: string): Promise<LocatedDocument> {
  return parseLocatedJson(text, file) ?? (await import('../text/located-document.ts')).parseLocated(text, file)
}

async function importCsv(text: string, file: string, map: ColumnMap | undefined): Promise<ImportedSuite> {
  const { parseCsvSuite } = await import('./read-csv.ts')
  return { format: 'csv', ...parseCsvSuite(text, file, map) }
}

async function importPromptfoo(file: string, options: PromptfooOptions): Promise<ImportedSuite> {
  const { loadPromptfooConfig } = await import('../promptfoo/config/convert-config.ts')
  return { format: 'promptfoo', ...(await loadPromptfooConfig(file, options)) }
}

async function importDocument(text: string, file: string, options: PromptfooOptions): Promise<ImportedSuite> {
  const document = await parseLocated(text, file)
  const format = recogniseDocument(document.value)
  if (format === 'suite') {
    const { suite, warnings } = finishSuite(document.value, document.locate, listScorers(options))
    const describe = (path: readonly PropertyKey[]) => `${document.locate(path)}: ${writePath(path)}`
    return { format, suite: await embedImages(suite, { file, describe, allowed: options.allowFiles }), warnings }
  }
  if (format === 'promptfoo') return importPromptfoo(file, options)
  throw new InputError(
    `${file}: is not a suite Benchmaker can read: ${describeDocument(document.value)}\n${LOOKED_FOR}`,
  )
}

function refuseUnreadable(file: string): void {
  const refused = REFUSED.get(extname(file).toLowerCase())
  if (refused !== undefined) throw new InputError(`${file}: ${refused}`)
}

/** Imports CSV, JSON lines or, with a map, a list of JSON objects; returns undefined for anything else. */
async function importRows(text: string, file: string, map?: ColumnMap): Promise<ImportedSuite | undefined> {
  const extension = extname(file).toLowerCase()
  const isKnown = ['.yaml', '.yml', '.json'].includes(extension)
  if (extension === '.csv' || extension === '.tsv') return importCsv(text, file, map)
  if (extension === '.jsonl' || extension === '.ndjson' || (!isKnown && looksLikeJsonLines(text)))
    return { format: 'jsonl', ...parseJsonlSuite(text, file, map) }
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
  const file = await findFile(path)
  refuseUnreadable(file)
  const text = await readSource(file)
  return (await importRows(text, file, options.map)) ?? importDocument(text, file, options)
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

/** Reads a suite from untrusted text and opens no files. The name tells the format and appears in messages. */
export async function importSuiteText(
  text: string,
  fileName: string,
  { map, files }: Pick<ReadingOptions, 'map'> & { files?: readonly GivenFile[] | undefined } = {},
): Promise<ImportedText> {
  const file = basename(fileName.replaceAll('\\', '/')) || 'suite'
  refuseUnreadable(file)
  const rows = await importRows(text, file, map)
  if (rows)
    return {
      suite: asFields(escapeSuiteVariables(rows.suite)),
      format: rows.format,
      warnings: rows.warnings,
      suggestedModels: [],
    }
  const document = await parseLocated(text, file)
  const format = recogniseDocument(document.value)
  if (format === 'promptfoo') return importPromptfooText(text, file, files)
  if (format === undefined)
    throw new InputError(
      `${file}: is not a suite Benchmaker can read: ${describeDocument(document.value)}\n${LOOKED_FOR}`,
    )
  const { warnings } = finishSuite(document.value, document.locate)
  return { suite: asFields(document.value), format, warnings, suggestedModels: [] }
}

/** The first rows of a table, to choose columns by. */
export interface TablePreview {
  columns: string[]
  rows: Record<string, string>[]
  /** What the columns most likely hold. */
  guess: Record<string, string>
}

const ROWS_SHOWN = 5

/** Reads the columns and first rows of CSV, JSON lines or a list of JSON objects; undefined for any other text. */
export async function previewTable(text: string, fileName: string): Promise<TablePreview | undefined> {
  const file = basename(fileName.replaceAll('\\', '/')) || 'suite'
  const extension = extname(file).toLowerCase()
  const show = (columns: string[], rows: Record<string, unknown>[]): TablePreview => ({
    columns,
    rows: rows
      .slice(0, ROWS_SHOWN)
      .map((row) => Object.fromEntries(columns.map((name) => [name, shortenValue(lookUpField(row, name))]))),
    guess: guessColumns(columns),
  })
  const isLines = extension === '.jsonl' || extension === '.ndjson' || looksLikeJsonLines(text)
  if (isLines || /^\s*\[\s*\{/.test(text)) {
    const { readJsonLines } = await import('../text/json-lines.ts')
    const value: unknown = isLines
      ? readJsonLines(text, file).map((line) => line.value)
      : (await parseLocated(text, file)).value
    const rows = (Array.isArray(value) ? value : []).filter(isRecord)
    return rows.length === 0 ? undefined : show(listFields(rows.map((row) => ({ value: row }))), rows)
  }
  if (['.yaml', '.yml', '.json'].includes(extension)) return undefined
  const { readCsv } = await import('../text/csv-rows.ts')
  const { columns, rows } = readCsv(text, file)
  return columns.length < 2
    ? undefined
    : show(
        columns,
        rows.map(({ fields }) => Object.fromEntries(fields)),
      )
}

function shortenValue(value: unknown): string {
  const shown = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown
}
