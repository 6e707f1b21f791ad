import { isJsonObject, asText } from '../../contract/index.ts'
import { unwrapJson } from '../../scoring/tool-calls/index.ts'
import { field, listField, textField } from '../tool-results/formats/fields.ts'
import { readCallId, type Span } from './span.ts'
import { firstField, readParts } from './values.ts'

export interface SpanMessage {
  role: string
  text: string
  calls: { id: string | undefined; name: string; input: unknown }[]
  replies: { id: string | undefined; output: string }[]
}

/** The messages that went into a model or came out of it, in the dialects seen. */
export function readMessages(span: Span, side: 'input' | 'output'): SpanMessage[] {
  const { attributes } = span
  const names =
    side === 'input'
      ? ['gen_ai.input.messages', 'gen_ai.prompt', 'ai.prompt.messages']
      : ['gen_ai.output.messages', 'gen_ai.completion']
  const given = unwrapJson(firstField(attributes, ...names))
  if (Array.isArray(given)) return given.map(toMessage)
  const flat = readFlattened(attributes, side)
  if (flat.length > 0) return flat.map(toMessage)
  const told = listEvents(span).flatMap((event) => readEvent(event, side))
  if (told.length > 0) return told.map(toMessage)
  const said = firstField(
    attributes,
    ...(side === 'output' ? ['gen_ai.output', 'genai.output', 'ai.response.text', 'output.value'] : []),
  )
  const calls = unwrapJson(firstField(attributes, 'ai.response.toolCalls'))
  if (side === 'input' || (said === undefined && !Array.isArray(calls))) return []
  return [toMessage({ role: 'assistant', content: asText(said), tool_calls: calls })]
}

/** Events of the span; Logfire keeps them as JSON in an attribute. */
function listEvents({ events, attributes }: Span): Span['events'] {
  const kept = unwrapJson(attributes['events'])
  const inside = (Array.isArray(kept) ? kept : []).filter(isJsonObject)
  return [...events, ...inside.map((event) => ({ name: textField(event, 'event.name') ?? '', attributes: event }))]
}

/** What conventions before 1.37 write as events: `gen_ai.user.message`, `gen_ai.choice`; then one with all messages. */
function readEvent({ name, attributes }: Span['events'][number], side: 'input' | 'output'): unknown[] {
  const listed = (...names: string[]) => {
    const given = unwrapJson(firstField(attributes, ...names))
    return Array.isArray(given) ? given : []
  }
  if (name === 'gen_ai.client.inference.operation.details')
    return listed(side === 'input' ? 'gen_ai.input.messages' : 'gen_ai.output.messages')
  if (name === 'gen_ai.content.prompt') return side === 'input' ? listed('gen_ai.prompt') : []
  if (name === 'gen_ai.content.completion') return side === 'output' ? listed('gen_ai.completion') : []
  const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1]
  if (side === 'output' ? name !== 'gen_ai.choice' : role === undefined) return []
  const body = unwrapJson(firstField(attributes, 'gen_ai.event.content', 'body')) ?? attributes
  const message = unwrapJson(field(body, 'message')) ?? body
  const fields = isJsonObject(message) ? message : { content: message }
  return [
    {
      role: role ?? 'assistant',
      ...fields,
      content: unwrapJson(fields['content']),
      tool_calls: unwrapJson(fields['tool_calls']),
      ...(role === 'tool' && fields['tool_call_id'] === undefined && { tool_call_id: fields['id'] }),
    },
  ]
}

/** `llm.output_messages.0.message.tool_calls.0.tool_call.function.name`, `gen_ai.completion.0.content`. */
function readFlattened(attributes: Readonly<Record<string, unknown>>, side: 'input' | 'output'): unknown[] {
  const pattern =
    side === 'input'
      ? /^(?:llm\.input_messages|gen_ai\.prompt)\.(\d+)\.(?:message\.)?(.+)$/
      : /^(?:llm\.output_messages|gen_ai\.completion)\.(\d+)\.(?:message\.)?(.+)$/
  const messages: Record<string, unknown>[] = []
  const calls: Map<number, Record<string, unknown>>[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const [, place, rest] = pattern.exec(name) ?? []
    if (place === undefined || rest === undefined) continue
    const index = Number(place)
    if (index > 10_000) continue
    const message = (messages[index] ??= {})
    const call = /^tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(rest)
    if (call) {
      const own = (calls[index] ??= new Map())
      const made = own.get(Number(call[1])) ?? {}
      own.set(Number(call[1]), made)
      made[call[2]!] = value
    } else if (rest === 'role' || rest === 'content' || rest === 'tool_call_id') message[rest] = value
  }
  return messages.flatMap((message, index) => ({ ...message, tool_calls: [...(calls[index]?.values() ?? [])] }))
}

function toMessage(message: unknown): SpanMessage {
  const parts = [...(listField(message, 'parts') ?? []), ...(listField(message, 'content') ?? [])]
  const ofType = (...types: string[]) => parts.filter((part) => types.includes(textField(part, 'type') ?? ''))
  // Bedrock's parts have the kind as their only field.
  const ofField = (name: string) => parts.map((part) => field(part, name)).filter(isJsonObject)
  const calls = [
    ...(listField(message, 'tool_calls') ?? []),
    ...ofType('tool_call', 'tool_use', 'tool-call'),
    ...ofField('toolUse'),
  ]
  const role = textField(message, 'role') ?? 'assistant'
  const replies = [...ofType('tool_call_response', 'tool_result'), ...ofField('toolResult')].map((part) => ({
    id: readCallId(firstField(part, 'id', 'tool_use_id', 'toolUseId')),
    output: asText(firstField(part, 'response', 'result', 'content')),
  }))
  const own = readCallId(field(message, 'tool_call_id'))
  const content = field(message, 'content')
  const texts = parts.filter((part) => (textField(part, 'type') ?? 'text') === 'text')
  const said = typeof content === 'string' ? content : readParts(texts)
  if (role === 'tool' && own !== undefined) replies.push({ id: own, output: said })
  return {
    role,
    text: said,
    calls: calls.flatMap((given) => {
      const inside = field(given, 'function') ?? given
      const name = textField(inside, 'name') ?? textField(inside, 'toolName')
      if (name === undefined) return []
      const id = readCallId(firstField(given, 'id', 'toolCallId', 'toolUseId'))
      return [{ id, name, input: unwrapJson(firstField(inside, 'arguments', 'input', 'args')) }]
    }),
    replies,
  }
}
