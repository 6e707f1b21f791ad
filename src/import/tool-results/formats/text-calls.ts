import { isJsonObject, parseExactJson } from '../../../contract/index.ts'
import { readArguments, type ActualCall } from '../../../scoring/tool-calls/index.ts'
import { field, textField, type Fields } from './fields.ts'

/** Calls found in the text of a message, and the rest of the text, which is what the user read. */
interface TextCalls {
  calls: ActualCall[]
  said: string
  /** It had calls, and all of them talk to the user. */
  isTalk?: boolean
}

/** The pseudo-tools with which an agent that only writes calls talks to the user. */
const talking = new Set(['respond', 'respond_to_user', 'reply', 'final_answer', 'message_user', 'send_message_to_user'])

/**
 * Reads calls that an agent writes as text: after `Action:`, as tau-bench's `act` and `react` strategies do, in
 * `<tool_call>` tags, in a fenced block, or as the whole message.
 */
export function readTextCalls(content: string): TextCalls {
  const parts = content.split(/(?:^|\s)(?:\*\*)?Action(?:\*\*)?:(?:\*\*)?/)
  const action = parts.length > 1 ? readAction(parts.at(-1)!) : undefined
  if (action && (action.calls.length > 0 || action.isTalk || /^\W*(?:thought|action)\b/i.test(content))) return action
  const tagged = readTagged(content)
  if (tagged) return tagged
  const fenced = readFenced(content)
  if (fenced) return fenced
  const whole = content.trim()
  const calls = /^[{[]/.test(whole) ? toCalls(parseJson(whole)) : undefined
  return calls ? separate(calls, '') : { calls: [], said: content }
}

/** Reads what follows the last `Action:`. Text that is no call goes to the user, as it does in tau-bench. */
function readAction(text: string): TextCalls {
  const named = /^\s*([\w.-]+)\s*\n\s*action input\s*:\s*/i.exec(text)
  if (named) {
    const given = findJson(text.slice(named[0].length))
    return separate([{ name: named[1]!, ...readArguments(given?.value) }], '')
  }
  const found = findJson(text)
  const calls = found && toCalls(found.value)
  return calls ? separate(calls, '') : { calls: [], said: text.trim() }
}

const tag = /<(tool_call|toolcall|function_call|tool_use)>([\s\S]*?)(?:<\/\1>|$)/gi
const namedTag = /<function=([\w.-]+)>([\s\S]*?)<\/function>/gi

function readTagged(content: string): TextCalls | undefined {
  const calls: ActualCall[] = []
  let rest = content.replace(namedTag, (text, name: string, inside: string) => {
    const given = parseJson(inside.trim())
    if (!isJsonObject(given)) return text
    calls.push({ name, arguments: given })
    return ''
  })
  rest = rest.replace(tag, (text, _name: string, inside: string) => {
    const found = toCalls(findJson(inside)?.value)
    if (!found) return text
    calls.push(...found)
    return ''
  })
  return calls.length > 0 ? separate(calls, rest) : undefined
}

const fence = /```[\w-]*[ \t]*\n([\s\S]*?)```/g

function readFenced(content: string): TextCalls | undefined {
  const calls: ActualCall[] = []
  const rest = content.replace(fence, (text, inside: string) => {
    const found = toCalls(parseJson(inside.trim()))
    if (!found) return text
    calls.push(...found)
    return ''
  })
  return calls.length > 0 ? separate(calls, rest) : undefined
}

/** Takes the calls that only talk to the user out of the calls and into what was said. */
function separate(found: readonly ActualCall[], rest: string): TextCalls {
  const said = [rest.trim()]
  const calls = found.filter(({ name, arguments: given }) => {
    if (!talking.has(name)) return true
    if (isJsonObject(given)) for (const value of Object.values(given)) if (typeof value === 'string') said.push(value)
    return false
  })
  return { calls, said: said.filter((text) => text !== '').join('\n'), isTalk: calls.length === 0 }
}

/** Reads one call or a list of them: objects with a name and arguments. Anything else in JSON is no call. */
function toCalls(value: unknown): ActualCall[] | undefined {
  const list = Array.isArray(value) ? value : [value]
  const calls = list.map(toCall)
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined
}

function toCall(value: unknown): ActualCall | undefined {
  const inside = isJsonObject(field(value, 'function')) ? field(value, 'function') : value
  const name = ['name', 'tool', 'tool_name', 'action', 'function'].map((key) => textField(inside, key)).find(Boolean)
  const given = ['arguments', 'args', 'kwargs', 'parameters', 'input', 'action_input', 'tool_input']
    .map((key) => field(inside, key))
    .find((found) => found !== undefined)
  if (name === undefined || given === undefined || given === null) return undefined
  const read = readArguments(given)
  return isJsonObject(read.arguments) ? { name, ...read } : undefined
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Finds the first JSON object or list in a text, with whatever stands before and after it. */
function findJson(text: string): { value: Fields | unknown[] } | undefined {
  const start = text.search(/[{[]/)
  if (start < 0) return undefined
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth > 0) continue
      const value = parseJson(text.slice(start, at + 1))
      return isJsonObject(value) || Array.isArray(value) ? { value } : undefined
    }
  }
  return undefined
}

const replyOpening =
  /^\s*(?:api output\s*:|observation\s*:|tool (?:output|result|response)\s*:|function (?:output|result)\s*:|<tool_response>|<function_response>|<tool_result>)\s*/i

/** Reads the message after a call as the tool's reply. Tells whether it looks like one, rather than like the user. */
export function readTextReply(role: string | undefined, content: string): { text: string; isReply: boolean } {
  const text = content
    .replace(replyOpening, '')
    .replace(/\s*<\/(?:tool_response|function_response|tool_result)>\s*$/i, '')
  const isReply = role === 'tool' || role === 'function' || text !== content || /^\s*(?:[{[]|error\b)/i.test(content)
  return { text, isReply }
}
