import { isJsonObject, InputError } from '../../../contract/index.ts'
import type { ForeignResults, ResultsReader, ResultsFile } from '../foreign-results.ts'
import { compareRows, namePrompts, namesNoProvider, readRows, refuseTwice } from './promptfoo-rows.ts'
import { parseDocument } from 'yaml'
import { readRecordLines } from '../../text/line-stream.ts'
import { findTooDeep, TOO_DEEP } from '../../text/nesting.ts'
import { splitJson } from '../../text/split-json.ts'
import { field, listField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import { listTopKeys, readFirstLine } from '../top-keys.ts'
import { readCsvLines, splitHeader } from './table-rows.ts'

/** `[provider] prompt`: the answers of one provider to one prompt. */
const OUTPUT_COLUMN = /^\[([^\]]+)\] ?(.*)$/s
/** Older versions write the outcome before the answer; a reason ends with three dashes. */
const OUTCOME = /^\[(PASS|FAIL|ERROR)\](?: \(([\d.]+)\))? ?/

interface OutputColumn {
  index: number
  provider: string
  label: string
  /** Columns that belong to it, by name: Status, Score, Grader Reason. */
  about: Map<string, number>
}

function findOutputs(header: readonly string[]): OutputColumn[] {
  const found: OutputColumn[] = []
  for (const [index, name] of header.entries()) {
    const [, provider, label = ''] = OUTPUT_COLUMN.exec(name) ?? []
    if (provider !== undefined) found.push({ index, provider, label, about: new Map() })
    else found.at(-1)?.about.set(name, index)
  }
  return found
}

/** True for the table that `promptfoo eval -o results.csv` writes. */
function isPromptfooTable({ start, name }: ResultsFile): boolean {
  if (!/\.csv(\.gz)?$/i.test(name)) return false
  const text = start.toString('utf8', 0, 65_536)
  const outputs = findOutputs(splitHeader(text))
  return outputs.length > 0 && outputs.every(({ about }) => about.has('Status') || /\[(?:PASS|FAIL|ERROR)\]/.test(text))
}

function readOutput(fields: readonly string[], { index, about }: OutputColumn): Fields | undefined {
  const cell = fields[index] ?? ''
  const get = (name: string) => (about.has(name) ? fields[about.get(name)!] : undefined)
  const [written, marked, points] = OUTCOME.exec(cell) ?? ['']
  const status = get('Status') ?? marked
  // A test that was not asked of this provider.
  if (status === undefined || status === '') return undefined
  const rest = cell.slice(written.length)
  const dashes = marked === undefined || status === 'PASS' ? -1 : rest.indexOf('\n---\n')
  const output = dashes < 0 ? rest : rest.slice(dashes + 5)
  const reason = get('Grader Reason') ?? (dashes < 0 ? '' : rest.slice(0, dashes))
  return {
    response: { output },
    score: get('Score') ?? points ?? (status === 'PASS' ? 1 : 0),
    success: status === 'PASS',
    failureReason: status === 'ERROR' ? 2 : status === 'PASS' ? 0 : 1,
    ...(status === 'ERROR' && { error: reason || output || 'the request failed' }),
    gradingResult: { reason },
  }
}

/** The rows that the JSON of the same evaluation has: one a test, provider and prompt. */
async function readPromptfooTable(file: ResultsFile): Promise<Fields[]> {
  const rows: Fields[] = []
  let header: string[] | undefined
  let outputs: OutputColumn[] = []
  let testIdx = 0
  for await (const { fields } of readCsvLines(file)) {
    if (!header) {
      header = fields
      outputs = findOutputs(header)
      continue
    }
    const names = header.slice(0, outputs[0]?.index ?? 0)
    const entries = names.map((name, index): [string, string] => [name, fields[index] ?? ''])
    const description = entries.find(([name], index) => index === 0 && name === 'Description')?.[1]
    const vars = Object.fromEntries(entries.slice(description === undefined ? 0 : 1))
    for (const [promptIdx, column] of outputs.entries()) {
      const found = readOutput(fields, column)
      if (!found) continue
      const { provider, label } = column
      rows.push(
        file.keep({ testIdx, promptIdx, provider, prompt: { label }, vars, testCase: { description }, ...found }),
      )
    }
    testIdx += 1
  }
  return rows
}

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
interface PromptfooOutput {
  /** Undefined for formats that do not say it. */
  version?: unknown
  timestamp?: string | undefined
  promptfoo?: string | undefined
  description?: string | undefined
  rows: Fields[]
}

/** Of each assertion's grading only the summary is used; the rest can be larger than the answer. */
function keepLight(key: string, value: unknown): [string, unknown] {
  return [key, key === 'gradingResult' && isJsonObject(value) ? { reason: value['reason'] } : value]
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
async function readJsonOutput(file: ResultsFile): Promise<PromptfooOutput> {
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
      rows.push(file.keep(Object.fromEntries(row)))
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
async function readLinesOutput(file: ResultsFile): Promise<PromptfooOutput> {
  const rows: Fields[] = []
  for await (const { value } of readRecordLines(file.read(), file.name)) rows.push(file.keep(keepFields(value)))
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
    rows: (listField(results, 'results') ?? []).flatMap((row) => (isJsonObject(row) ? [keepFields(row)] : [])),
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
async function findPromptfooForm(
  file: ResultsFile,
): Promise<((file: ResultsFile) => Promise<PromptfooOutput>) | undefined> {
  if (await isJson(file)) return readJsonOutput
  if (isLines(file)) return readLinesOutput
  if (isYaml(file)) return readYaml
  return isPromptfooTable(file) ? async (table) => ({ rows: await readPromptfooTable(table) }) : undefined
}

const FIRST_VERSION = 3

function refuseOldVersion(version: unknown, name: string): void {
  if (version !== undefined && (typeof version !== 'number' || version < FIRST_VERSION))
    throw new InputError(
      `${name}: is promptfoo output of version ${version === null ? 'unknown' : JSON.stringify(version)}; version ${FIRST_VERSION} and later are read: export it again with a newer promptfoo`,
    )
}

/** What `promptfoo eval -o` writes. */
export const promptfooOutput: ResultsReader = {
  name: 'promptfoo',
  looksLike: 'promptfoo output: JSON with results.version and results.results, or its JSON lines, YAML or CSV',
  recognises: async (file) => (await findPromptfooForm(file)) !== undefined,
  async read(file, { splitPrompts = false, model }): Promise<ForeignResults> {
    const readForm = await findPromptfooForm(file)
    if (!readForm) throw new InputError(`${file.name}: is not output of promptfoo`)
    const { version, timestamp, promptfoo, description, rows } = await readForm(file)
    refuseOldVersion(version, file.name)
    rows.sort(compareRows)
    refuseTwice(rows, file.name)
    const prompts = namePrompts(rows)
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    const isModelUnnamed = namesNoProvider(rows)
    const warnings = [
      ...(prompts.size > 1 && !splitPrompts
        ? [
            `${file.name}: has ${prompts.size} prompts; each test counts once a prompt, and the prompts are its categories. --split-prompts compares them as contestants instead.`,
          ]
        : []),
      ...(isModelUnnamed && model === undefined
        ? [`${file.name}: has rows that do not name their provider; --model names it`]
        : []),
    ]
    return {
      format: 'promptfoo',
      tool: promptfoo === undefined ? 'promptfoo' : `promptfoo ${promptfoo}`,
      task: description ?? 'promptfoo',
      ...(Number.isNaN(time) ? {} : { startedAt: time }),
      samples: readRows(rows, { name: file.name, splitPrompts, model }),
      isModelUnnamed,
      warnings,
    }
  },
}
