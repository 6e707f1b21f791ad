import { createHash } from 'node:crypto'
import { readCluster, isJsonObject, InputError, textOrJson } from '../../../contract/index.ts'
import { field, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignSample } from '../foreign-results.ts'
import { readLabels } from '../sample-labels.ts'

/** `ResultFailureReason.ERROR`: 1 is a failed assertion, whose text is in `error` too. */
const FAILED_BY_ERROR = 2

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}

function hashValue(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)) ?? '')
    .digest('hex')
    .slice(0, 6)
}

/** What the case is about: its variables, which stay the same when the prompt changes. */
function writeVariables(vars: Fields): string | undefined {
  const entries = Object.entries(vars)
  if (entries.length === 1) return textOrJson(entries[0]![1])
  return entries.length === 0 ? undefined : entries.map(([name, value]) => `${name}: ${textOrJson(value)}`).join('\n')
}

function writeAssertions(testCase: unknown): string | undefined {
  const asserts = listField(testCase, 'assert') ?? []
  const lines = asserts.flatMap((assertion) => {
    const type = textField(assertion, 'type')
    const value = field(assertion, 'value')
    if (type === undefined) return []
    return [type === 'equals' ? textOrJson(value) : `${type}${value === undefined ? '' : `: ${textOrJson(value)}`}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}

function makeCaseId(text: string): string {
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

/** The variables of the test itself: promptfoo adds others while it runs, such as the conversation so far. */
function variablesOf(row: Fields): Fields {
  const vars = field(row, 'vars')
  const own = field(field(row, 'testCase'), 'vars')
  if (!isJsonObject(vars)) return isJsonObject(own) ? own : {}
  const names = isJsonObject(own) && Object.keys(own).length > 0 ? Object.keys(own) : Object.keys(vars)
  const entries = names.flatMap((name): [string, unknown][] =>
    Object.hasOwn(vars, name) && name !== '_conversation' ? [[name, vars[name]]] : [],
  )
  return Object.fromEntries(entries)
}

function nameTest(row: Fields): string {
  const testCase = field(row, 'testCase')
  const vars = variablesOf(row)
  const [variable] = isJsonObject(vars) ? Object.values(vars) : []
  return textField(testCase, 'id') ?? textField(testCase, 'description') ?? textOrJson(variable ?? '')
}

/** Undefined if the row does not name it. */
function nameProvider(row: Fields): string | undefined {
  const provider = field(row, 'provider')
  if (typeof provider === 'string') return provider || undefined
  return textField(provider, 'label') || textField(provider, 'id') || undefined
}

export function namesNoProvider(rows: readonly Fields[]): boolean {
  return rows.some((row) => nameProvider(row) === undefined)
}

/** Case ids by content: two runs of one config pair even if tests were added or moved in between. */
function createCaseIds(): (row: Fields) => string {
  const assertions = new Map<string, string[]>()
  return (row) => {
    const base = `${makeCaseId(nameTest(row))}-${hashValue(variablesOf(row))}`
    const signature = hashValue(field(field(row, 'testCase'), 'assert') ?? [])
    const known = assertions.get(base) ?? []
    if (!known.includes(signature)) known.push(signature)
    assertions.set(base, known)
    const place = known.indexOf(signature)
    return place === 0 ? base : `${base}-${place + 1}`
  }
}

/** Short names of the prompts: the file they are from, else their number. */
export function namePrompts(rows: readonly Fields[]): Map<string, string> {
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
  // Not its text, which has the variables of the test filled in.
  return textField(row, 'promptId') ?? textField(field(row, 'prompt'), 'label') ?? ''
}

function readError(row: Fields): string | undefined {
  const reason = numberField(row, 'failureReason')
  const error = textField(row, 'error')
  const failed =
    reason === undefined
      ? error !== undefined && !isJsonObject(field(row, 'gradingResult'))
      : reason === FAILED_BY_ERROR
  return failed ? (error ?? 'the request failed') : undefined
}

/** The score of the whole test is `score`; a metric that someone called so, too, is `namedScores.score`. */
function nameMetric(name: string): string {
  return /^(?:namedScores\.)*score$/.test(name) ? `namedScores.${name}` : name
}

function readScores(row: Fields): Map<string, unknown> {
  const scores = new Map<string, unknown>()
  if (Object.hasOwn(row, 'score')) scores.set('score', row['score'])
  const named = field(row, 'namedScores')
  if (isJsonObject(named)) for (const [name, value] of Object.entries(named)) scores.set(nameMetric(name), value)
  return scores
}

function readTokenUsage(row: Fields): Pick<ForeignSample, 'promptTokens' | 'completionTokens'> {
  const usage = field(field(row, 'response'), 'tokenUsage')
  return { promptTokens: numberField(usage, 'prompt'), completionTokens: numberField(usage, 'completion') }
}

const orderOf = (row: Fields): [number, number] => [
  numberField(row, 'testIdx') ?? 0,
  numberField(row, 'promptIdx') ?? 0,
]

export function compareRows(a: Fields, b: Fields): number {
  const [left, right] = [orderOf(a), orderOf(b)]
  return left[0] - right[0] || left[1] - right[1]
}

export function refuseTwice(rows: readonly Fields[], name: string): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const [test, prompt] = orderOf(row)
    const key = JSON.stringify([test, prompt, nameProvider(row), promptOf(row)])
    if (seen.has(key) && row['testIdx'] !== undefined)
      throw new InputError(
        `${name}: test ${test} of ${nameProvider(row) ?? 'a model'} is there twice (testIdx ${test}, promptIdx ${prompt}); export the results again`,
      )
    seen.add(key)
  }
}

export function readRows(
  rows: Fields[],
  { name, splitPrompts, model = 'unknown model' }: { name: string; splitPrompts: boolean; model?: string | undefined },
): ForeignSample[] {
  const caseOf = createCaseIds()
  const prompts = namePrompts(rows)
  const epochs = new Map<string, number>()
  return rows.map((row, index) => {
    const prompt = prompts.get(promptOf(row))!
    const provider = nameProvider(row) ?? model
    const isSplit = prompts.size > 1 && splitPrompts
    const modelId = isSplit ? `${provider}@${prompt}` : provider
    const id = prompts.size > 1 && !isSplit ? `${caseOf(row)}@${prompt}` : caseOf(row)
    const key = JSON.stringify([id, modelId])
    const epoch = (epochs.get(key) ?? 0) + 1
    epochs.set(key, epoch)
    const output = field(field(row, 'response'), 'output')
    return {
      id,
      epoch,
      modelId,
      prompt: writeVariables(variablesOf(row)) ?? textField(field(row, 'prompt'), 'raw'),
      expected: writeAssertions(field(row, 'testCase')),
      ...readLabels((label) => field(field(field(row, 'testCase'), 'metadata'), label)),
      ...(prompts.size > 1 && !isSplit && { category: prompt }),
      cluster: readCluster({ metadata: field(field(row, 'testCase'), 'metadata'), vars: variablesOf(row) }, 'cluster'),
      answer: output === undefined || output === null ? undefined : textOrJson(output),
      error: readError(row),
      scores: readScores(row),
      passed: typeof row['success'] === 'boolean' ? row['success'] : undefined,
      notes: textField(field(row, 'gradingResult'), 'reason'),
      latencyMs: numberField(row, 'latencyMs'),
      ...readTokenUsage(row),
      // promptfoo writes 0 for models whose price it does not know.
      cost: numberField(row, 'cost') || undefined,
      place: `${name}: results.results[${index}]`,
    }
  })
}
