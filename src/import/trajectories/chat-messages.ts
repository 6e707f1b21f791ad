import { isJsonObject, asText } from '../../contract/index.ts'
import type { TrajectoryStep } from '../../scoring/tool-calls/index.ts'
import { listToolCalls, readCall, readExpectedCalls, readExpectedOutputs } from '../tool-results/formats/chat-calls.ts'
import { field, idField, listField, numberField, textField } from '../tool-results/formats/fields.ts'
import type { Recorder } from './recorder.ts'
import { firstText, readNumber, readOfferedTools, readParts, readTime } from './values.ts'

interface ChatRules {
  /** Whether a reply of a tool is marked as an error; without it the format has no mark. */
  isError?(message: unknown): boolean
  /** The model of all answers; otherwise each names its own. */
  model?: string | undefined
}

/** Reads messages with `tool_calls`, flat or with `function`, and replies of role `tool`. */
export function addChatMessages(messages: readonly unknown[], recorder: Recorder, rules: ChatRules = {}): void {
  for (const message of messages) {
    const nested = listField(message, 'tool_messages')
    if (nested) addChatMessages(nested, recorder, rules)
    else addChatMessage(message, recorder, rules)
  }
}

function addChatMessage(message: unknown, recorder: Recorder, { isError, model }: ChatRules): void {
  const role = textField(message, 'role')
  const text = readParts(field(message, 'content'))
  const time = firstText(message, 'timestamp')
  recorder.seeTime(readTime(time))
  const at = time === undefined ? {} : { time }
  if (role === 'tool' || role === 'function') {
    recorder.answer({
      id: idField(message, 'tool_call_id', 'id'),
      name: textField(message, 'name') ?? textField(message, 'function'),
      text: text === '' ? asText(field(field(message, 'error'), 'message')) : text,
      isError: isError?.(message) ?? false,
    })
    return
  }
  if (role === 'assistant' || role === 'model') {
    const own = model ?? textField(message, 'model')
    recorder.addAssistantTurn(own)
    const reasoning = firstText(message, 'reasoning_content', 'reasoning')
    const usage = field(message, 'usage')
    const tokens = readNumber(field(usage, 'completion_tokens') ?? field(usage, 'output_tokens'))
    const cost = readNumber(field(message, 'cost'))
    const step = recorder.addStep({
      source: 'agent',
      text: text === '' ? (textField(message, 'refusal') ?? '') : text,
      ...(reasoning !== undefined && { reasoning }),
      ...(own !== undefined && { model: own }),
      ...(tokens !== undefined && { outputTokens: tokens }),
      ...(cost !== undefined && { cost }),
      ...at,
    })
    addCalls(message, step, recorder)
    return
  }
  const step = recorder.addStep({ source: role === 'user' ? 'user' : 'system', text, ...at })
  if (role === 'user') {
    recorder.addUserTurn()
    addCalls(message, step, recorder, 'user')
  } else if (role !== 'system' && role !== 'developer') recorder.noteUnknown(`a message from ${role ?? 'nobody'}`)
}

function addCalls(message: unknown, step: TrajectoryStep, recorder: Recorder, requestor?: 'user'): void {
  for (const given of listToolCalls(message, { hasFunctionCalls: true })) {
    const call = readCall(renameFunction(given))
    if (!call) {
      recorder.noteUnknown('a call without name')
      continue
    }
    const by = requestor ?? (textField(given, 'requestor') === 'user' ? 'user' : undefined)
    recorder.addCall(step, {
      id: idField(given, 'id'),
      name: call.name,
      input: call.unreadableArguments ?? call.arguments,
      ...(by && { requestor: by }),
    })
  }
}

/** Inspect names the tool in `function`. */
function renameFunction(given: unknown): unknown {
  const name = textField(given, 'function')
  return name !== undefined && isJsonObject(given) ? { name, arguments: given['arguments'] } : given
}

/** What providers call the counts of one request. */
export function addUsageOf(usage: unknown, recorder: Recorder): void {
  if (!isJsonObject(usage)) return
  const inputDetails = field(usage, 'prompt_tokens_details') ?? field(usage, 'input_tokens_details')
  const outputDetails = field(usage, 'completion_tokens_details') ?? field(usage, 'output_tokens_details')
  recorder.addUsage({
    inputTokens: readNumber(field(usage, 'prompt_tokens') ?? field(usage, 'input_tokens')),
    outputTokens: readNumber(field(usage, 'completion_tokens') ?? field(usage, 'output_tokens')),
    cachedTokens: readNumber(field(inputDetails, 'cached_tokens')),
    reasoningTokens: readNumber(field(outputDetails, 'reasoning_tokens')),
  })
}

/** What people write beside the messages of a recorded conversation: which task it is, how it went, what was expected. */
export function addRecordFacts(record: unknown, offered: unknown, { facts }: Recorder): void {
  facts.id = idField(record, 'conversation_id', 'session_id', 'id') ?? null
  facts.task = idField(record, 'task_id', 'taskId', 'custom_id') ?? null
  facts.trial = numberField(record, 'trial') ?? null
  const reward = numberField(record, 'reward')
  facts.reward = reward !== undefined && reward >= 0 && reward <= 1 ? reward : null
  const tools = readOfferedTools(offered)
  if (tools) facts.tools = tools
  const expected = readExpectedCalls(record)
  if (expected) facts.expected = { calls: expected, said: readExpectedOutputs(record) ?? [] }
}
