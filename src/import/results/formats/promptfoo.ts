import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { InputError } from '../../../contract/index.ts'
import { splitJson } from '../../text/split-json.ts'
import { field, isFields, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { listTopKeys } from '../top-keys.ts'

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

const FIRST_VERSION = 3
/** `ResultFailureReason.ERROR`: 1 is a failed assertion, whose text is in `error` too. */
const FAILED_BY_ERROR = 2

interface Output {
  version: unknown
  timestamp: string | undefined
  promptfoo: string | undefined
  description: string | undefined
  rows: Fields[]
}

/** Of each assertion's grading only the summary is used; the rest can be larger than the answer. */
function keepLight(key: string, value: unknown): [string, unknown] {
  return [key, key === 'gradingResult' && isFields(value) ? { reason: value['reason'] } : value]
}

const HEADER: ReadonlySet<string> = new Set([
  'results.version',
  'results.timestamp',
  'config.description',
  'metadata.promptfooVersion',
])

async function readOutput({ path, name }: ResultsFile): Promise<Output> {
  const header = new Map<string, unknown>()
  const rows: Fields[] = []
  let row: [string, unknown][] = []
  const parts = splitJson(createReadStream(path, { highWaterMark: 1 << 20 }), {
    name,
    decide(at) {
      const where = at.join('.')
      if (HEADER.has(where)) return 'take'
      if (at.length === 4) return where.startsWith('results.results.*.') && ROW_FIELDS.has(at[3]!) ? 'take' : 'skip'
      return ['', 'results', 'config', 'metadata', 'results.results', 'results.results.*'].includes(where)
        ? 'enter'
        : 'skip'
    },
  })
  for await (const part of parts) {
    if (part.kind === 'value' && part.path.length === 4) row.push(keepLight(part.path[3]!, part.value))
    else if (part.kind === 'value') header.set(part.path.join('.'), part.value)
    else if (part.path.length === 3) {
      rows.push(Object.fromEntries(row))
      row = []
    }
  }
  const text = (key: string) => {
    const value = header.get(key)
    return typeof value === 'string' ? value : undefined
  }
  return {
    version: header.get('results.version'),
    timestamp: text('results.timestamp'),
    promptfoo: text('metadata.promptfooVersion'),
    description: text('config.description'),
    rows,
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isFields(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)) ?? '')
    .digest('hex')
    .slice(0, 6)
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** What the case is about: its variables, which stay the same when the prompt changes. */
function describeVariables(vars: unknown): string | undefined {
  if (!isFields(vars)) return undefined
  const entries = Object.entries(vars)
  if (entries.length === 1) return showValue(entries[0]![1])
  return entries.length === 0 ? undefined : entries.map(([name, value]) => `${name}: ${showValue(value)}`).join('\n')
}

function describeAssertions(testCase: unknown): string | undefined {
  const asserts = listField(testCase, 'assert') ?? []
  const lines = asserts.flatMap((assertion) => {
    const type = textField(assertion, 'type')
    const value = field(assertion, 'value')
    if (type === undefined) return []
    return [type === 'equals' ? showValue(value) : `${type}${value === undefined ? '' : `: ${showValue(value)}`}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}

function makeSlug(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu)
  return (
    Array.from((words ?? []).join('-'))
      .slice(0, 40)
      .join('') || 'test'
  )
}

function nameTest(row: Fields): string {
  const testCase = field(row, 'testCase')
  const vars = field(row, 'vars')
  const [variable] = isFields(vars) ? Object.values(vars) : []
  return textField(testCase, 'id') ?? textField(testCase, 'description') ?? showValue(variable ?? '')
}

function nameProvider(provider: unknown): string {
  if (typeof provider === 'string') return provider
  return textField(provider, 'label') || textField(provider, 'id') || 'unknown model'
}

/** Case ids by content: two runs of one config pair even if tests were added or moved in between. */
function createCaseIds(): (row: Fields) => string {
  const assertions = new Map<string, string[]>()
  return (row) => {
    const base = `${makeSlug(nameTest(row))}-${hash(field(row, 'vars') ?? {})}`
    const signature = hash(field(field(row, 'testCase'), 'assert') ?? [])
    const known = assertions.get(base) ?? []
    if (!known.includes(signature)) known.push(signature)
    assertions.set(base, known)
    const place = known.indexOf(signature)
    return place === 0 ? base : `${base}-${place + 1}`
  }
}

/** Short names of the prompts: the file they are from, else their number. */
function namePrompts(rows: readonly Fields[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const row of rows) {
    const id = promptOf(row)
    if (names.has(id)) continue
    const label = textField(field(row, 'prompt'), 'label') ?? ''
    const file = /^(?:.*[\\/])?([^\\/:\n]+\.\w{1,5})(?=:|$)/.exec(label)?.[1]
    const short = label.length <= 40 && !label.includes('\n') && label !== '' ? label : undefined
    let name = file ?? short ?? `prompt ${names.size + 1}`
    if (taken.has(name)) name = `${name} (${names.size + 1})`
    taken.add(name)
    names.set(id, name)
  }
  return names
}

function promptOf(row: Fields): string {
  return textField(row, 'promptId') ?? textField(field(row, 'prompt'), 'raw') ?? ''
}

function readError(row: Fields): string | undefined {
  const reason = numberField(row, 'failureReason')
  const error = textField(row, 'error')
  const failed =
    reason === undefined ? error !== undefined && !isFields(field(row, 'gradingResult')) : reason === FAILED_BY_ERROR
  return failed ? (error ?? 'the request failed') : undefined
}

function readScores(row: Fields): Map<string, unknown> {
  const scores = new Map<string, unknown>()
  if (Object.hasOwn(row, 'score')) scores.set('score', row['score'])
  const named = field(row, 'namedScores')
  if (isFields(named)) for (const [name, value] of Object.entries(named)) scores.set(name, value)
  return scores
}

function readUsage(row: Fields): Pick<ForeignSample, 'promptTokens' | 'completionTokens'> {
  const usage = field(field(row, 'response'), 'tokenUsage')
  return { promptTokens: numberField(usage, 'prompt'), completionTokens: numberField(usage, 'completion') }
}

const orderOf = (row: Fields): [number, number] => [
  numberField(row, 'testIdx') ?? 0,
  numberField(row, 'promptIdx') ?? 0,
]

function compareRows(a: Fields, b: Fields): number {
  const [left, right] = [orderOf(a), orderOf(b)]
  return left[0] - right[0] || left[1] - right[1]
}

function refuseTwice(rows: readonly Fields[], name: string): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const [test, prompt] = orderOf(row)
    const key = JSON.stringify([test, prompt, nameProvider(field(row, 'provider')), promptOf(row)])
    if (seen.has(key) && row['testIdx'] !== undefined)
      throw new InputError(
        `${name}: test ${test} of ${nameProvider(field(row, 'provider'))} is there twice (testIdx ${test}, promptIdx ${prompt}); export the results again`,
      )
    seen.add(key)
  }
}

function readRows(rows: Fields[], { name, splitPrompts }: { name: string; splitPrompts: boolean }): ForeignSample[] {
  const caseOf = createCaseIds()
  const prompts = namePrompts(rows)
  const epochs = new Map<string, number>()
  return rows.map((row, index) => {
    const prompt = prompts.get(promptOf(row))!
    const provider = nameProvider(field(row, 'provider'))
    const isSplit = prompts.size > 1 && splitPrompts
    const modelId = isSplit ? `${provider}@${prompt}` : provider
    const id = prompts.size > 1 && !isSplit ? `${caseOf(row)}@${prompt}` : caseOf(row)
    const key = JSON.stringify([id, modelId])
    const epoch = (epochs.get(key) ?? 0) + 1
    epochs.set(key, epoch)
    const vars = field(row, 'vars')
    const output = field(field(row, 'response'), 'output')
    return {
      id,
      epoch,
      modelId,
      prompt: describeVariables(vars) ?? textField(field(row, 'prompt'), 'raw'),
      expected: describeAssertions(field(row, 'testCase')),
      category:
        prompts.size > 1 && !isSplit ? prompt : textField(field(field(row, 'testCase'), 'metadata'), 'category'),
      answer: output === undefined || output === null ? undefined : showValue(output),
      error: readError(row),
      scores: readScores(row),
      passed: typeof row['success'] === 'boolean' ? row['success'] : undefined,
      notes: textField(field(row, 'gradingResult'), 'reason'),
      latencyMs: numberField(row, 'latencyMs'),
      ...readUsage(row),
      // promptfoo writes 0 for models whose price it does not know.
      cost: numberField(row, 'cost') || undefined,
      place: `${name}: results.results[${index}]`,
    }
  })
}

function checkVersion(version: unknown, name: string): void {
  if (typeof version !== 'number' || version < FIRST_VERSION)
    throw new InputError(
      `${name}: is promptfoo output of version ${JSON.stringify(version) ?? 'unknown'}; version ${FIRST_VERSION} and later are read: export it again with a newer promptfoo`,
    )
}

/** What `promptfoo eval -o` writes. */
export const promptfooOutput: ResultsReader = {
  name: 'promptfoo',
  looksLike: 'promptfoo output: JSON with results.version and results.results',
  async recognises(file) {
    const keys = await listTopKeys(file)
    return keys.has('results') && (keys.has('results.version') || keys.has('results.results') || keys.has('evalId'))
  },
  async read(file, { splitPrompts = false }): Promise<ForeignResults> {
    const { version, timestamp, promptfoo, description, rows } = await readOutput(file)
    checkVersion(version, file.name)
    rows.sort(compareRows)
    refuseTwice(rows, file.name)
    const prompts = namePrompts(rows)
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    const warnings =
      prompts.size > 1 && !splitPrompts
        ? [
            `${file.name}: has ${prompts.size} prompts; each test counts once a prompt, and the prompts are its categories. --split-prompts compares them as contestants instead.`,
          ]
        : []
    return {
      format: 'promptfoo',
      tool: promptfoo === undefined ? 'promptfoo' : `promptfoo ${promptfoo}`,
      task: description ?? 'promptfoo',
      ...(Number.isNaN(time) ? {} : { startedAt: time }),
      samples: readRows(rows, { name: file.name, splitPrompts }),
      warnings,
    }
  },
}
