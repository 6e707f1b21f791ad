import {
  AcceptedValues,
  createBfclComparison,
  readArguments,
  type ActualCall,
  type BfclAnswer,
  type BfclFunction,
  type BfclLanguage,
  type ExpectedCall,
  type RecordProblem,
} from '../../../scoring/tool-calls/index.ts'
import { readCall } from './chat-calls.ts'
import { field, idField, listField, textField } from './fields.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { readTextCalls } from './text-calls.ts'
import { readPythonCalls, readTypedPythonCalls, parseTypedJson } from './python-calls.ts'
import { isJsonObject } from '../../../contract/index.ts'

/**
 * Reads a call in Java or JavaScript with named arguments, as prompted models answer BFCL: `[Geo.make(a=1, b="x")]`. A
 * value is the text of its expression; a string literal loses its quotes. Returns `undefined` for anything that is no
 * such call.
 */
function readExpressionCalls(answer: string, language: Exclude<BfclLanguage, 'python'>): ActualCall[] | undefined {
  const trimmed = answer.replace(/^[`\n ]+|[`\n ]+$/g, '')
  const text = trimmed.replace(/^\[/, '').replace(/\]$/, '').trim().replace(/;$/, '')
  const opening = /^([\p{L}_$][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_$][\p{L}\p{N}_$]*)*)\s*\(/u.exec(text)
  if (!opening) return undefined
  const parts = splitArguments(text.slice(opening[0].length), language)
  if (!parts) return undefined
  const given = new Map<string, string>()
  for (const part of parts) {
    const named = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?![=>])\s*([\s\S]*?)\s*$/u.exec(part)
    if (!named) {
      if (part.trim() === '') continue
      given.set(`#${given.size}`, part.trim())
      continue
    }
    const [, name, expression] = named
    if (given.has(name!) || !isExpression(expression!, language)) return undefined
    given.set(name!, readExpression(expression!, language))
  }
  return [{ name: opening[1]!.replace(/\s+/g, ''), arguments: Object.fromEntries(given) }]
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Splits at the commas outside brackets and strings, up to the bracket that closes the call, which must end the text. */
function splitArguments(text: string, language: BfclLanguage): string[] | undefined {
  const parts: string[] = []
  const open: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"' || character === "'" || (character === '`' && language === 'javascript')) {
      const end = findQuote(text, at)
      if (end === undefined) return undefined
      at = end
    } else if (character in closers) open.push(closers[character]!)
    else if (character === ',' && open.length === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    } else if (character === ')' && open.length === 0) {
      parts.push(text.slice(start, at))
      return text.slice(at + 1).trim() === '' ? parts : undefined
    } else if ((character === ')' || character === ']' || character === '}') && open.pop() !== character)
      return undefined
  }
  return undefined
}

function findQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[start]) return at
  }
  return undefined
}

/** Java has no lists or objects in brackets, and a single-quoted literal is one character. */
function isExpression(text: string, language: BfclLanguage): boolean {
  if (text === '') return false
  if (language !== 'java') return true
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  return (
    !/^[[{]/.test(bare) && !/'(?!(?:[^'\\]|\\.[^']{0,4})')[^']*'/.test(bare.replace(/'(?:[^'\\]|\\.[^']{0,4})'/g, ''))
  )
}

function readExpression(text: string, language: BfclLanguage): string {
  const [quote] = text
  const isLiteral = (quote === '"' || quote === "'") && findQuote(text, 0) === text.length - 1
  if (isLiteral) return text.slice(1, -1)
  // Quotes at both ends of a JavaScript expression are taken off whatever stands between them.
  if (language === 'javascript' && (quote === '"' || quote === "'") && text.endsWith(quote)) return text.slice(1, -1)
  // The official reader of Java leaves out the body of an anonymous class: `new HashMap<>() {{ put("a", 1); }}`.
  const created = language === 'java' ? /^new\s+[\w.]+\s*(?:<[^()]*>)?\s*\(/.exec(text) : null
  if (!created) return text
  const end = findClosing(text, created[0].length - 1)
  return end === undefined ||
    !text
      .slice(end + 1)
      .trim()
      .startsWith('{')
    ? text
    : text.slice(0, end + 1)
}

function findClosing(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"' || text[at] === "'") at = findQuote(text, at) ?? text.length
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return undefined
}

/** BFCL's model results: JSON lines of `{ id, result }`; the expected calls are in the possible-answer file. */
export const bfcl: ToolResultFormat = {
  name: 'bfcl',
  looksLike: 'BFCL lines with id and result (beside its possible answers)',

  recognises: (record) => isJsonObject(record) && Object.hasOwn(record, 'id') && Object.hasOwn(record, 'result'),

  read(record, { fields, index, readTyped }) {
    const taskId = idField(record, 'id') ?? String(index)
    const task = readTask(field(fields['answers'], taskId))
    const { reward, problems } = readReward(record, taskId)
    const identity = { taskId, ...(reward !== undefined && { reward }), everyToolCounts: true }
    const truth = field(record, 'ground_truth') ?? task.truth
    const result = field(record, 'result')
    const unchecked = findUnchecked(taskId, truth, result)
    if (unchecked)
      return { ...identity, expected: null, calls: [], problems: [...problems, unchecked], unscored: unchecked }

    const isIrrelevant = /^(live_)?irrelevance/.test(taskId)
    const expected = isIrrelevant ? [] : readPossibleAnswers(truth)
    const calls = readResult(result) ?? readTaggedCalls(result)
    if (!calls && !isIrrelevant && isUnreadCall(result))
      return {
        ...identity,
        expected: null,
        calls: [],
        problems: [...problems, 'calls that cannot be read'],
        unscored: UNREAD,
      }
    const language = readLanguage(taskId)
    const typed = readTyped()
    const typedCalls = readTypedResult(field(typed, 'result'), language) ?? readTaggedCalls(field(typed, 'result'))
    return {
      ...identity,
      expected,
      calls: renameLikeExpected(calls ?? [], expected ?? []),
      effectCalls: renameLikeExpected(typedCalls ?? [], expected ?? []),
      ...(expected && {
        comparison: createBfclComparison({
          language,
          answers: pairAnswers(expected, field(typed, 'ground_truth') ?? task.typedTruth ?? truth),
          ...(task.functions && { functions: task.functions }),
        }),
      }),
      problems: [
        ...problems,
        ...(calls || typedCalls || isIrrelevant ? [] : ['calls that cannot be read' as const]),
        ...(calls?.some(({ unreadableArguments }) => unreadableArguments !== undefined)
          ? ['arguments that are not JSON' as const]
          : []),
        ...(expected ? [] : ['no expected actions (not scored)' as const]),
      ],
    }
  },

  readTranscript(record) {
    const result = field(record, 'result')
    const calls =
      readResult(result)?.map((call, index) => ({ index, name: call.name, arguments: call.arguments })) ?? []
    const text = typeof result === 'string' ? result : calls.length > 0 ? '' : (JSON.stringify(result) ?? '')
    return [{ role: 'assistant', text, calls }]
  },
}

const UNREAD = 'its calls are written in a way that is not known here'

/** Calls in the tags of a chat template: `<tool_call>{…}</tool_call>`, `<function_call>{…}</function_call>`. */
function readTaggedCalls(result: unknown): ActualCall[] | undefined {
  const text = Array.isArray(result) && result.every((item) => typeof item === 'string') ? result.join('\n') : result
  const calls = typeof text === 'string' && /<\w*(?:call|use)\b|<function=/.test(text) ? readTextCalls(text).calls : []
  return calls.length > 0 ? calls : undefined
}

/** Marks of a call, in an answer in which none could be read: it says neither that there is one nor that there is none. */
function isUnreadCall(result: unknown): boolean {
  return (
    typeof result === 'string' && /<(?:tool|function)_?calls?\b|<function=|<\|(?:python_tag|tool_call)/i.test(result)
  )
}

/** What BFCL's other files say about a task. */
export interface BfclTask {
  truth?: unknown
  /** The same with Python's types. */
  typedTruth?: unknown
  functions?: ReadonlyMap<string, BfclFunction>
}

function readTask(found: unknown): BfclTask {
  if (!isJsonObject(found)) return {}
  const functions = field(found, 'functions')
  return { truth: found['truth'], typedTruth: found['typedTruth'], ...(functions instanceof Map && { functions }) }
}

const MULTI_TURN: RecordProblem = 'several turns, which only BFCL’s own simulation can check (not scored)'
const OWN_CHECKER: RecordProblem = 'an answer that only BFCL’s own checker can grade (not scored)'

/** Categories whose verdict does not follow from the calls: BFCL runs them in simulated systems, or reads the last answer. */
function findUnchecked(taskId: string, truth: unknown, result: unknown): RecordProblem | undefined {
  if (/^(memory|web_search|format_sensitivity|(live_)?relevance)/.test(taskId)) return OWN_CHECKER
  const isTurns = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((turn) => Array.isArray(turn))
  return taskId.startsWith('multi_turn') || isTurns(truth) || isTurns(result) ? MULTI_TURN : undefined
}

function readLanguage(taskId: string): BfclLanguage {
  const named = /(?:^|_)(javascript|java|js)(?:_|$)/.exec(taskId)?.[1]
  return named === 'java' ? 'java' : named === undefined ? 'python' : 'javascript'
}

/** The values each expected call accepts, with their types. */
function pairAnswers(expected: readonly ExpectedCall[], typed: unknown): Map<ExpectedCall, BfclAnswer> {
  const lists = (Array.isArray(typed) ? typed : []).flatMap((answer) =>
    isJsonObject(answer) ? Object.values(answer) : [],
  )
  return new Map(
    expected.map((action, index) => {
      const given = lists[index]
      const entries = isJsonObject(given) ? Object.entries(given) : []
      return [
        action,
        Object.fromEntries(entries.map(([key, values]) => [key, Array.isArray(values) ? values : [values]])),
      ]
    }),
  )
}

/** Reads a result as BFCL's own checker does; `undefined` if that cannot read it. */
function readTypedResult(result: unknown, language: BfclLanguage): ActualCall[] | undefined {
  if (typeof result === 'string')
    return language === 'python' ? readTypedPythonCalls(result) : readExpressionCalls(result, language)
  if (!Array.isArray(result)) return undefined
  const calls: ActualCall[] = []
  for (const item of result) {
    if (typeof item === 'string') {
      const read = readTypedResult(item, language)
      if (!read) return undefined
      calls.push(...read)
    } else if (textField(item, 'name') !== undefined || isJsonObject(field(item, 'function'))) {
      const call = readCall(item)
      if (call) calls.push(call)
    } else if (isJsonObject(item))
      for (const [name, given] of Object.entries(item)) {
        const read = readTypedArguments(given)
        if (read === undefined) return undefined
        calls.push({ name, arguments: read })
      }
  }
  return calls
}

function readTypedArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {}
  try {
    return parseTypedJson(given)
  } catch {
    return undefined
  }
}

/** Files that go with BFCL results: they have what is expected, and nothing to score. */
export type BfclCompanion = 'bfcl-answers' | 'bfcl-questions'

export function recogniseCompanion(record: unknown): BfclCompanion | undefined {
  if (!isJsonObject(record) || !Object.hasOwn(record, 'id') || Object.hasOwn(record, 'result')) return undefined
  if (Object.hasOwn(record, 'ground_truth')) return 'bfcl-answers'
  return Object.hasOwn(record, 'question') ? 'bfcl-questions' : undefined
}

/** Reads `[{ tool: { argument: [values] } }]`: any value of the list is accepted; `""` makes the argument optional. */
function readPossibleAnswers(truth: unknown): ExpectedCall[] | null {
  if (!Array.isArray(truth)) return null
  const calls: ExpectedCall[] = []
  for (const answer of truth) {
    if (!isJsonObject(answer)) return null
    for (const [name, given] of Object.entries(answer)) {
      if (!isJsonObject(given)) return null
      calls.push({ name, arguments: acceptValues(given) })
    }
  }
  return calls
}

function acceptValues(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([key, values]) => [
      key,
      Array.isArray(values)
        ? new AcceptedValues(values.map(deepen), { isOptional: values.includes(''), looseText: true })
        : values,
    ]),
  )
}

// Objects inside a value have lists of accepted values of their own; plain lists are values.
function deepen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepen)
  return isJsonObject(value) ? acceptValues(value) : value
}

/** Reads `[{ tool: arguments }]` from function calling, or Python calls as text from prompting. */
function readResult(result: unknown): ActualCall[] | undefined {
  if (typeof result === 'string') return readPythonCalls(result)
  if (!Array.isArray(result)) return undefined
  const calls: ActualCall[] = []
  for (const item of result) {
    if (typeof item === 'string') calls.push(...(readPythonCalls(item) ?? []))
    else if (textField(item, 'name') !== undefined || isJsonObject(field(item, 'function'))) {
      const call = readCall(item)
      if (call) calls.push(call)
    } else if (isJsonObject(item))
      for (const [name, given] of Object.entries(item)) calls.push({ name, ...readArguments(given) })
  }
  return calls
}

/** Restores dots in names: function-calling APIs do not allow them, so models answer `spotify_play` for `spotify.play`. */
function renameLikeExpected(calls: ActualCall[], expected: readonly ExpectedCall[]): ActualCall[] {
  const dotted = new Map(expected.map(({ name }) => [name.replaceAll('.', '_'), name]))
  for (const call of calls) call.name = dotted.get(call.name) ?? call.name
  return calls
}

/** Reads a line of a file with possible answers or questions. */
export function readTaskLine(record: unknown, bytes: Buffer): { id: string; task: BfclTask } | undefined {
  const id = idField(record, 'id')
  if (id === undefined) return undefined
  const truth = listField(record, 'ground_truth')
  const functions = listField(record, 'function')
  return {
    id,
    task: {
      ...(truth && { truth, typedTruth: field(parseTypedJson(bytes.toString('utf8')), 'ground_truth') }),
      ...(functions && { functions: readFunctions(functions) }),
    },
  }
}

function readFunctions(functions: readonly unknown[]): Map<string, BfclFunction> {
  return new Map(
    functions.flatMap((described): [string, BfclFunction][] => {
      const name = textField(described, 'name')
      const parameters = field(described, 'parameters')
      const properties = field(parameters, 'properties')
      if (name === undefined || !isJsonObject(properties)) return []
      const required = (listField(parameters, 'required') ?? []).filter((one) => typeof one === 'string')
      const read = Object.entries(properties).map(([key, value]) => {
        const itemType = textField(field(value, 'items'), 'type')
        return [key, { type: textField(value, 'type') ?? '', ...(itemType !== undefined && { itemType }) }]
      })
      return [[name, { parameters: Object.fromEntries(read), required }]]
    }),
  )
}
