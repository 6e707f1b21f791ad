import { parseDocument } from 'yaml'
import { InputError } from '../../../contract/index.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { findTooDeep, TOO_DEEP } from '../../text/nesting.ts'
import { splitJson } from '../../text/split-json.ts'
import { field, isFields, listField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ResultsFile } from '../foreign-results.ts'
import { listTopKeys, readFirstLine } from '../top-keys.ts'
import { isPromptfooTable, readPromptfooTable } from './promptfoo-table.ts'

const ROW_FIELDS: ReadonlySet<string> = new Set([
  'cost',
  'error',
  'failureReason',
  'gradingResult',
  'latencyMs',
  'namedScores',
  'prompt',
  'promptId',
  'promptIdx',
  'provider',
  'response',
  'score',
  'success',
  'testCase',
  'testIdx',
  'vars',
])

/** What a file of promptfoo says, whatever its ending. */
export interface PromptfooOutput {
  /** Undefined for formats that do not say it. */
  version?: unknown
  timestamp?: string | undefined
  promptfoo?: string | undefined
  description?: string | undefined
  rows: Fields[]
}

/** Of each assertion's grading only the summary is used; the rest can be larger than the answer. */
function keepLight(key: string, value: unknown): [string, unknown] {
  return [key, key === 'gradingResult' && isFields(value) ? { reason: value['reason'] } : value]
}

function keepFields(row: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) => (ROW_FIELDS.has(key) ? [keepLight(key, value)] : [])),
  )
}

const HEADER: ReadonlySet<string> = new Set([
  'version',
  'timestamp',
  'results.version',
  'results.timestamp',
  'config.description',
  'metadata.promptfooVersion',
])

/** `{ results: { results: [row] } }` as promptfoo writes it, or `{ results: [row] }` as its library returns it. */
async function readJson(file: ResultsFile): Promise<PromptfooOutput> {
  const header = new Map<string, unknown>()
  const rows: Fields[] = []
  let row: [string, unknown][] = []
  const isRow = (where: string) => where === 'results.*' || where === 'results.results.*'
  const parts = splitJson(file.read(), {
    name: file.name,
    decide(at) {
      const where = at.join('.')
      if (HEADER.has(where)) return 'take'
      if (isRow(at.slice(0, -1).join('.'))) return ROW_FIELDS.has(at.at(-1)!) ? 'take' : 'skip'
      return isRow(where) || ['', 'results', 'config', 'metadata', 'results.results'].includes(where) ? 'enter' : 'skip'
    },
  })
  for await (const { path, ...part } of parts) {
    const where = path.join('.')
    if (part.kind === 'end') {
      if (!isRow(where)) continue
      rows.push(Object.fromEntries(row))
      row = []
    } else if (HEADER.has(where)) header.set(where, part.value)
    else if (isRow(path.slice(0, -1).join('.'))) row.push(keepLight(path.at(-1)!, part.value))
  }
  const text = (key: string) => {
    const value = header.get(key)
    return typeof value === 'string' ? value : undefined
  }
  return {
    version: header.get('results.version') ?? header.get('version') ?? null,
    timestamp: text('results.timestamp') ?? text('timestamp'),
    promptfoo: text('metadata.promptfooVersion'),
    description: text('config.description'),
    rows,
  }
}

/** A row a line, and nothing else. */
async function readLines(file: ResultsFile): Promise<PromptfooOutput> {
  const rows: Fields[] = []
  for await (const { value } of readRecordLines(file.read(), file.name)) rows.push(keepFields(value))
  return { rows }
}

const MAX_YAML_BYTES = 64 * 1024 * 1024
/** promptfoo refers to equal parts instead of writing them again; a file made to do harm does so far more often. */
const MAX_REFERENCES = 100_000

async function readYaml(file: ResultsFile): Promise<PromptfooOutput> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.read()) {
    size += chunk.length
    if (size > MAX_YAML_BYTES)
      throw new InputError(
        `${file.name}: is YAML of more than ${MAX_YAML_BYTES / 1024 ** 2} MB, which is not read; write JSON: promptfoo eval -o results.json`,
      )
    pieces.push(Buffer.from(chunk))
  }
  let value: unknown
  try {
    const document = parseDocument(Buffer.concat(pieces).toString('utf8'), { schema: 'core' })
    const [error] = document.errors
    if (error) throw error
    value = document.toJS({ maxAliasCount: MAX_REFERENCES })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new InputError(`${file.name}: is not YAML: ${reason}; is the file cut off?`, { cause: error })
  }
  if (findTooDeep(value)) throw new InputError(`${file.name}: ${TOO_DEEP}`)
  const results = field(value, 'results')
  return {
    version: field(results, 'version') ?? null,
    timestamp: textField(results, 'timestamp'),
    promptfoo: textField(field(value, 'metadata'), 'promptfooVersion'),
    description: textField(field(value, 'config'), 'description'),
    rows: (listField(results, 'results') ?? []).flatMap((row) => (isFields(row) ? [keepFields(row)] : [])),
  }
}

async function isJson(file: ResultsFile): Promise<boolean> {
  const keys = await listTopKeys(file)
  if (!keys.has('results')) return false
  return (
    ['results.version', 'results.results', 'evalId'].some((key) => keys.has(key)) ||
    (keys.has('version') && keys.has('results.*') && ['stats', 'prompts', 'table'].some((key) => keys.has(key)))
  )
}

function isLines(file: ResultsFile): boolean {
  const first = readFirstLine(file)
  return (
    first !== undefined && ['promptIdx', 'testIdx', 'provider', 'success'].every((key) => Object.hasOwn(first, key))
  )
}

function isYaml({ name, start }: ResultsFile): boolean {
  return /\.ya?ml$/i.test(name) && /^results:\s*\n(?: .*\n)*? {2}version: \d/m.test(start.toString('utf8', 0, 65_536))
}

/** How to read a file, if promptfoo wrote it. */
export async function findPromptfooForm(
  file: ResultsFile,
): Promise<((file: ResultsFile) => Promise<PromptfooOutput>) | undefined> {
  if (await isJson(file)) return readJson
  if (isLines(file)) return readLines
  if (isYaml(file)) return readYaml
  return isPromptfooTable(file) ? async (table) => ({ rows: await readPromptfooTable(table) }) : undefined
}
