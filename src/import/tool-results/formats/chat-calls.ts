import { isJsonObject, LongInteger } from '../../../contract/index.ts'
import {
  readArguments,
  type ActualCall,
  type ExpectedCall,
  type RecordProblem,
} from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, textField } from './fields.ts'
import { readTextCalls, readTextReply } from './text-calls.ts'

interface ReadCalls {
  calls: ActualCall[]
  problems: RecordProblem[]
  /** The calls the agent wrote as text, if it made none in any other way. */
  effectCalls?: ActualCall[]
  /** What the agent said to the user, message by message. */
  said: string[]
  /** In which message each call is, from 0; of the calls written as text if there are no others. */
  places: number[]
}

interface OpenCall {
  id: string | undefined
  call: ActualCall
  place: number
  isAnswered: boolean
  /** The calls of the same message, this one included. */
  siblings: readonly OpenCall[]
}

export interface ChatOptions {
  /** The user does not see the text beside a tool call: tau-bench sends the call and drops the text. */
  hidesTextBesideCalls?: boolean
  /** `function_call` is a call too, as OpenAI wrote it before `tool_calls`. */
  hasFunctionCalls?: boolean
}

/**
 * Reads the tool calls of a conversation in order, each with its reply: OpenAI's `tool_calls` with `function`, and
 * tau2-bench's flat ones. Ids are not unique in real files, so a reply goes to the nearest unanswered call with its id.
 */
export function readChatCalls(messages: readonly unknown[], options: ChatOptions = {}): ReadCalls {
  const made: OpenCall[] = []
  const problems = new Set<RecordProblem>()
  const said: string[] = []
  let unanswered: OpenCall[] = []

  const readMessage = (message: unknown, place: number): void => {
    const nested = listField(message, 'tool_messages')
    if (nested) {
      for (const inside of nested) readMessage(inside, place)
      return
    }
    const toolCalls = listToolCalls(message, options)
    if (toolCalls.length > 0) {
      unanswered = []
      for (const given of toolCalls) {
        const call = readCall(given)
        if (!call) {
          problems.add('calls that cannot be read')
          continue
        }
        if (call.unreadableArguments !== undefined) problems.add('arguments that are not JSON')
        if ((textField(given, 'requestor') ?? textField(message, 'role')) === 'user') call.requestor = 'user'
        const opened = { id: idField(given, 'id'), call, place, isAnswered: false, siblings: unanswered }
        made.push(opened)
        unanswered.push(opened)
      }
    }
    const role = textField(message, 'role')
    if (role === 'tool' || (role === 'function' && options.hasFunctionCalls)) answerCall({ message, unanswered, made })
    if (role === 'assistant' && !(options.hidesTextBesideCalls && toolCalls.length > 0)) {
      const content = readContent(field(message, 'content'))
      if (content !== '') said.push(content)
    }
  }

  messages.forEach(readMessage)
  for (const { call, isAnswered, siblings } of made)
    if (!isAnswered && siblings.some((sibling) => sibling.isAnswered)) call.isIgnored = true
  const calls = made.map(({ call }) => call)
  if (calls.length > 0) return { calls, problems: [...problems], said, places: made.map(({ place }) => place) }
  const written = readWrittenCalls(messages)
  if (written.calls.length > 0) problems.add('calls written as text, which calls credit does not read')
  return {
    calls,
    ...(written.calls.length > 0 && { effectCalls: written.calls }),
    problems: [...problems],
    said: written.said,
    places: written.places,
  }
}

/** The calls of a message as the file has them. */
export function listToolCalls(message: unknown, { hasFunctionCalls = false }: ChatOptions = {}): readonly unknown[] {
  const toolCalls = listField(message, 'tool_calls') ?? []
  const functionCall = hasFunctionCalls ? field(message, 'function_call') : undefined
  return toolCalls.length === 0 && isJsonObject(functionCall) ? [functionCall] : toolCalls
}

/** Reads the conversation of an agent that writes its calls as text. */
function readWrittenCalls(messages: readonly unknown[]): Pick<ReadCalls, 'calls' | 'said' | 'places'> {
  const made: { call: ActualCall; place: number; isAnswered: boolean }[] = []
  const said: string[] = []
  messages.forEach((message, index) => {
    if (textField(message, 'role') !== 'assistant') return
    const found = readTextCalls(readContent(field(message, 'content')))
    if (found.said !== '') said.push(found.said)
    const next = messages[index + 1]
    const reply =
      next === undefined ? undefined : readTextReply(textField(next, 'role'), readContent(field(next, 'content')))
    for (const call of found.calls)
      made.push({
        call: { ...call, ...(reply && found.calls.length === 1 && { result: reply.text }) },
        place: index,
        isAnswered: reply?.isReply ?? true,
      })
  })
  // Where replies can be told from the user's words, a call without one was taken for words too.
  const isTold = made.some(({ isAnswered }) => isAnswered)
  const calls = made.map(({ call, isAnswered }) => (isTold && !isAnswered ? { ...call, isIgnored: true } : call))
  return { calls, said, places: made.map(({ place }) => place) }
}

function answerCall({
  message,
  unanswered,
  made,
}: {
  message: unknown
  unanswered: OpenCall[]
  made: OpenCall[]
}): void {
  const id = idField(message, 'tool_call_id', 'id')
  const waits = (opened: OpenCall) => !opened.isAnswered && (id === undefined || opened.id === id)
  const opened = unanswered.find(waits) ?? made.findLast(waits)
  if (!opened) return
  opened.isAnswered = true
  opened.call.result = readContent(field(message, 'content'))
  if (field(message, 'error') === true || field(message, 'is_error') === true) opened.call.isError = true
}

/** Reads a call as vendors write it: `{ name, arguments }`, `{ name, kwargs }`, `{ name, input }` or inside `function`. */
export function readCall(given: unknown): ActualCall | undefined {
  const inside = isJsonObject(field(given, 'function')) ? field(given, 'function') : given
  const name = textField(inside, 'name')
  if (name === undefined) return undefined
  const named = ['arguments', 'kwargs', 'input', 'args', 'parameters'].find((key) => field(inside, key) !== undefined)
  return { name, ...readArguments(named === undefined ? {} : field(inside, named)) }
}

/** Returns the text of a message: its content, or the text of all parts. */
export function readContent(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part === 'string' ? part : (textField(part, 'text') ?? ''))).join('')
}

const expectedNames = [
  'expectedCalls',
  'expected_calls',
  'expectedActions',
  'expected_actions',
  'expected_tool_calls',
  'expected',
  'actions',
  'ground_truth',
]

/** Reads the expected calls of a chat record under the usual names; `null` if it has none. */
export function readExpectedCalls(record: unknown): ExpectedCall[] | null {
  for (const name of expectedNames) {
    const list = listField(record, name)
    if (!list) continue
    const calls = list.map(readCall)
    if (calls.every((call) => call !== undefined))
      return calls.map((call) => ({ name: call.name, arguments: call.arguments }))
  }
  return null
}

/** Reads what the agent must tell the user; `undefined` if the record does not say. */
export function readExpectedOutputs(record: unknown): string[] | undefined {
  const outputs = ['expectedOutputs', 'expected_outputs', 'outputs']
    .map((name) => listField(record, name))
    .find(Boolean)
  const texts = outputs
    ?.filter((output) => typeof output === 'string' || typeof output === 'number' || output instanceof LongInteger)
    .map(String)
  return texts && texts.length > 0 ? texts : undefined
}

/** One message of what happened, with the calls made in it. */
export interface TranscriptEntry {
  role: string
  text: string
  calls: TranscriptCall[]
}

interface TranscriptCall {
  /** Position among the record's calls, from 0, as in the reasons for its score. */
  index: number
  name: string
  arguments: unknown
}

/** tau2-bench puts several replies into one message. */
function messageText(message: unknown): string {
  const nested = listField(message, 'tool_messages')
  return nested ? nested.map(messageText).join('\n') : readContent(field(message, 'content'))
}

/** Reads a conversation with the calls where they were made. */
export function readChatTranscript(messages: readonly unknown[], options: ChatOptions = {}): TranscriptEntry[] {
  const { calls, effectCalls, places } = readChatCalls(messages, options)
  const entries = messages.map((message): TranscriptEntry => {
    const role = textField(message, 'role') ?? (listField(message, 'tool_messages') ? 'tool' : 'unknown')
    return { role, text: messageText(message), calls: [] }
  })
  for (const [index, call] of (effectCalls ?? calls).entries())
    entries[places[index]!]?.calls.push({ index, name: call.name, arguments: call.arguments })
  return entries
}
