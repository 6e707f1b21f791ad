import {
  readArguments,
  type ActualCall,
  type ExpectedCall,
  type RecordProblem,
} from '../../../scoring/tool-calls/index.ts'
import { field, idField, isFields, listField, textField } from './fields.ts'

interface ReadCalls {
  calls: ActualCall[]
  problems: RecordProblem[]
}

interface OpenCall {
  id: string | undefined
  call: ActualCall
  isAnswered: boolean
}

/**
 * Reads the tool calls of a conversation in order, each with its reply: OpenAI's `tool_calls` with `function`, and
 * tau2-bench's flat ones. Ids are not unique in real files, so a reply goes to the nearest unanswered call with its id.
 */
export function readChatCalls(messages: readonly unknown[]): ReadCalls {
  const made: OpenCall[] = []
  const problems = new Set<RecordProblem>()
  let unanswered: OpenCall[] = []

  const readMessage = (message: unknown): void => {
    const nested = listField(message, 'tool_messages')
    if (nested) {
      nested.forEach(readMessage)
      return
    }
    const toolCalls = listField(message, 'tool_calls')
    if (toolCalls && toolCalls.length > 0) {
      unanswered = []
      for (const given of toolCalls) {
        const call = readCall(given)
        if (!call) {
          problems.add('calls that cannot be read')
          continue
        }
        if (call.unreadableArguments !== undefined) problems.add('arguments that are not JSON')
        if ((textField(given, 'requestor') ?? textField(message, 'role')) === 'user') call.requestor = 'user'
        const opened = { id: idField(given, 'id'), call, isAnswered: false }
        made.push(opened)
        unanswered.push(opened)
      }
    }
    if (textField(message, 'role') === 'tool') answer({ message, unanswered, made })
  }

  messages.forEach(readMessage)
  return { calls: made.map(({ call }) => call), problems: [...problems] }
}

function answer({ message, unanswered, made }: { message: unknown; unanswered: OpenCall[]; made: OpenCall[] }): void {
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
  const inside = isFields(field(given, 'function')) ? field(given, 'function') : given
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
