import { isJsonObject, asText } from '../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../scoring/tool-calls/index.ts'
import { field, listField, textField } from '../tool-results/formats/fields.ts'
import type { Recorder } from './recorder.ts'
import { firstField, readNumber, readParts, unwrapJson } from './values.ts'

/** A span of a trace, in whatever way its file writes spans. */
export interface Span {
  trace: string
  id: string
  parent: string | undefined
  name: string
  /** Milliseconds since 1970. */
  start: number | undefined
  end: number | undefined
  attributes: Readonly<Record<string, unknown>>
  events: readonly { name: string; attributes: Readonly<Record<string, unknown>> }[]
  isError: boolean
}

const modelOperations = new Set(['chat', 'generate_content', 'text_completion', 'call_llm', 'generate'])
const modelSpans =
  /^ai\.(generateText\.doGenerate|streamText\.doStream|generateObject\.doGenerate|streamObject\.doStream)$/

const text = (span: Span, ...names: readonly string[]): string | undefined => {
  const found = firstField(span.attributes, ...names)
  return typeof found === 'string' && found !== '' ? found : undefined
}

const operationOf = (span: Span): string | undefined => text(span, 'gen_ai.operation.name')
const kindOf = (span: Span): string | undefined =>
  text(span, 'openinference.span.kind', 'traceloop.span.kind')?.toUpperCase()

/** Spans of AI: others of a trace are HTTP requests, databases and the like. */
export function isAgentSpan({ attributes }: Span): boolean {
  return Object.keys(attributes).some((name) =>
    /^(gen_ai\.|openinference\.span\.kind$|traceloop\.span\.kind$|llm\.|ai\.(model|operationId|toolCall|prompt|response)|gcp\.vertex\.agent\.)/.test(
      name,
    ),
  )
}

function isModelSpan(span: Span): boolean {
  const operation = operationOf(span)
  if (operation !== undefined) return modelOperations.has(operation)
  const ai = text(span, 'ai.operationId')
  if (ai !== undefined) return modelSpans.test(ai)
  const kind = kindOf(span)
  if (kind !== undefined) return kind === 'LLM'
  const request = text(span, 'llm.request.type')
  if (request !== undefined) return request === 'chat' || request === 'completion'
  // Older Logfire says nothing but the model and what came of it.
  return (
    text(span, 'gen_ai.request.model') !== undefined &&
    Object.keys(span.attributes).some((name) =>
      /^(?:gen_ai\.(?:usage|completion|response)\.|response_data$)/.test(name),
    )
  )
}

/** What Logfire writes of a function of the OpenAI Agents SDK. */
const isLogfireFunction = (span: Span): boolean => text(span, 'logfire.msg_template') === 'Function: {name}'

function isToolSpan(span: Span): boolean {
  const operation = operationOf(span)
  if (operation !== undefined) return operation === 'execute_tool' && nameOfTool(span) !== '(merged tools)'
  if (text(span, 'ai.operationId') === 'ai.toolCall' || text(span, 'ai.toolCall.name') !== undefined) return true
  const kind = kindOf(span)
  if (kind !== undefined) return kind === 'TOOL'
  return text(span, 'gen_ai.tool.name') !== undefined || isLogfireFunction(span)
}

function nameOfTool(span: Span): string {
  const named = text(span, 'gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'tool_call.function.name')
  if (named !== undefined) return named
  const own = isLogfireFunction(span) ? text(span, 'name') : text(span, 'traceloop.entity.name')
  return own ?? span.name.replace(/^(?:execute_tool|running tool:?)\s+|\.tool$/g, '')
}

const INPUT_NAMES = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.args',
  'gen_ai.tool.arguments',
  'gen_ai.tool.input',
  'tool_arguments',
  'gcp.vertex.agent.tool_call_args',
  'ai.toolCall.args',
  'ai.toolCall.input',
  'input.value',
  'traceloop.entity.input',
  'tool.parameters',
]
const OUTPUT_NAMES = [
  'gen_ai.tool.call.result',
  'gen_ai.tool.result',
  'gen_ai.tool.output',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'ai.toolCall.result',
  'ai.toolCall.output',
  'gen_ai.output',
  'genai.output',
  'output.value',
  'traceloop.entity.output',
]

/** Some frameworks write the ids of the run and the call as a list. */
export function readCallId(value: unknown): string | undefined {
  const inside = unwrapJson(value)
  const id: unknown = Array.isArray(inside) ? inside.at(-1) : value
  return typeof id === 'string' && id !== '' ? id : undefined
}

export interface ToolFacts {
  name: string
  id: string | undefined
  input: unknown
  output: string
}

/** What a tool's span says of its call, by its attributes. */
export function readToolSpan(span: Span): ToolFacts {
  const logfire = isLogfireFunction(span) ? span.attributes : {}
  const said = (name: string, value: string) =>
    firstField(span.events.find((one) => one.name === name)?.attributes, value)
  return {
    name: nameOfTool(span),
    id: readCallId(
      firstField(span.attributes, 'gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.call.id'),
    ),
    // Strands writes both as events of the span.
    input: readKeywords(
      unwrapJson(
        firstField(span.attributes, ...INPUT_NAMES) ?? said('gen_ai.tool.message', 'content') ?? logfire['input'],
      ),
    ),
    output: asText(
      firstField(span.attributes, ...OUTPUT_NAMES) ?? said('gen_ai.choice', 'message') ?? logfire['output'],
    ),
  }
}

/** Traceloop writes how a function of Python was called: `{ args: [], kwargs: { path } }`. */
function readKeywords(input: unknown): unknown {
  const keywords = field(input, 'kwargs')
  return isJsonObject(keywords) && (listField(input, 'args') ?? []).length === 0 ? keywords : input
}

function readUsage(span: Span) {
  const count = (...names: readonly string[]) => readNumber(firstField(span.attributes, ...names))
  return {
    inputTokens: count(
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'llm.token_count.prompt',
      'ai.usage.promptTokens',
      'ai.usage.inputTokens',
      'llm.usage.prompt_tokens',
    ),
    outputTokens: count(
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.token_count.completion',
      'ai.usage.completionTokens',
      'ai.usage.outputTokens',
      'llm.usage.completion_tokens',
    ),
    cachedTokens: count(
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.input_tokens.cached',
      'gen_ai.usage.details.cache_read_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
    ),
    reasoningTokens: count(
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.reasoning_tokens',
      'gen_ai.usage.output_tokens.reasoning',
      'gen_ai.usage.details.reasoning_tokens',
      'llm.token_count.completion_details.reasoning',
      'ai.usage.reasoningTokens',
    ),
  }
}

function readCost(span: Span): number | undefined {
  const whole = readNumber(firstField(span.attributes, 'gen_ai.usage.cost', 'llm.cost.total', 'operation.cost'))
  if (whole !== undefined) return whole
  const parts = ['gen_ai.usage.input_cost', 'gen_ai.usage.output_cost'].map((name) => readNumber(span.attributes[name]))
  return parts.some((part) => part !== undefined)
    ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
    : undefined
}

/** Reads the agent's spans of one trace, in time order whatever their order in the file. */
export function addSpans(given: readonly Span[], recorder: Recorder): void {
  const spans = given.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  const byId = new Map(spans.map((span) => [span.id, span]))
  const ancestorsOf = (span: Span): Span[] => {
    const found: Span[] = []
    for (
      let at = byId.get(span.parent ?? '');
      at && found.length < 100 && !found.includes(at);
      at = byId.get(at.parent ?? '')
    )
      found.push(at)
    return found
  }
  for (const span of spans) {
    recorder.seeTime(span.start)
    recorder.seeTime(span.end)
  }

  const modelSpansOf = spans.filter(isModelSpan)
  const models = new Set(modelSpansOf)
  // Two instrumentations write one request as two spans, one inside the other.
  const outer = modelSpansOf.filter((span) => !ancestorsOf(span).some((above) => models.has(above)))
  const usageOf = (span: Span) => {
    const own = readUsage(span)
    if (own.inputTokens !== undefined || own.outputTokens !== undefined) return own
    const inside = modelSpansOf.find((other) => other !== span && ancestorsOf(other).includes(span))
    return inside ? readUsage(inside) : own
  }

  const tools = spans.filter(isToolSpan)
  const seen = new Set<string>()
  const toolSet = new Set(
    tools.filter((span) => {
      const above = byId.get(span.parent ?? '')
      if (above && isToolSpan(above) && nameOfTool(above) === nameOfTool(span)) return false
      const { id } = readToolSpan(span)
      if (id !== undefined && seen.has(id)) return false
      if (id !== undefined) seen.add(id)
      return true
    }),
  )

  let current: TrajectoryStep | undefined
  const outerSet = new Set(outer)
  const inputs = outer.map((span) => readMessages(span, 'input'))
  for (const message of inputs[0] ?? [])
    if (message.role === 'user' || message.role === 'system')
      recorder.addStep({ source: message.role, text: message.text })
  for (const span of spans) {
    if (outerSet.has(span)) {
      const model = text(span, 'gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id')
      recorder.addAssistantTurn(model)
      const usage = usageOf(span)
      const cost = readCost(span)
      recorder.addUsage(usage)
      recorder.addCost(cost)
      const output = readMessages(span, 'output')
      current = recorder.addStep({
        source: 'agent',
        text: output
          .map((message) => message.text)
          .filter((said) => said !== '')
          .join('\n'),
        ...(model !== undefined && { model }),
        ...(span.start !== undefined && { time: new Date(span.start).toISOString() }),
        ...(usage.outputTokens !== undefined && { outputTokens: usage.outputTokens }),
        ...(cost !== undefined && { cost }),
      })
      if (toolSet.size === 0) addMessageCalls(output, { recorder, step: current, seen })
    } else if (toolSet.has(span)) {
      const { name, id, input, output } = readToolSpan(span)
      const call = recorder.addCall((current ??= recorder.addStep({ source: 'agent', text: '' })), { id, name, input })
      recorder.answer({ id, name, text: output, isError: span.isError || text(span, 'error.type') !== undefined })
      if (call.result === undefined) call.result = output
    }
  }
  if (toolSet.size === 0) addMessageResults(inputs, recorder)
  readVerdict(spans, recorder.facts)
}

interface SpanMessage {
  role: string
  text: string
  calls: { id: string | undefined; name: string; input: unknown }[]
  replies: { id: string | undefined; output: string }[]
}

/** The messages that went into a model or came out of it, in the dialects seen. */
function readMessages(span: Span, side: 'input' | 'output'): SpanMessage[] {
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

/** Where tools have no spans, the model's own words have the calls: each id once. */
function addMessageCalls(
  messages: readonly SpanMessage[],
  { recorder, step, seen }: { recorder: Recorder; step: TrajectoryStep; seen: Set<string> },
): void {
  for (const { calls } of messages)
    for (const call of calls) {
      if (call.id !== undefined && seen.has(call.id)) continue
      if (call.id !== undefined) seen.add(call.id)
      recorder.addCall(step, call)
    }
}

function addMessageResults(inputs: readonly (readonly SpanMessage[])[], recorder: Recorder): void {
  const answered = new Set<string>()
  for (const { id, output } of inputs.flat().flatMap(({ replies }) => replies)) {
    if (id === undefined || answered.has(id)) continue
    answered.add(id)
    recorder.answer({ id, text: output })
  }
}

function readVerdict(spans: readonly Span[], facts: Partial<Trajectory>): void {
  const verdicts = spans.flatMap(({ events }) => events.filter(({ name }) => name === 'gen_ai.evaluation.result'))
  const scores = verdicts.map(({ attributes }) => readNumber(firstField(attributes, 'gen_ai.evaluation.score.value')))
  const [score] = scores
  // Several judgements are no verdict.
  if (scores.length === 1 && score !== undefined && score >= 0 && score <= 1) facts.reward = score
  const label = verdicts.length === 1 ? firstField(verdicts[0]!.attributes, 'gen_ai.evaluation.score.label') : undefined
  if (typeof label === 'string') facts.outcome = label
}

/** How many messages of the user the first request had. */
export function countUserMessages(spans: readonly Span[]): number {
  const [first] = spans.filter(isModelSpan).toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  return first ? readMessages(first, 'input').filter(({ role }) => role === 'user').length : 0
}
