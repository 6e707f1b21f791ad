import { isJsonObject, asText } from '../../contract/index.ts'
import { unwrapJson } from '../../scoring/tool-calls/index.ts'
import { field, listField } from '../tool-results/formats/fields.ts'
import { firstField } from './values.ts'

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

export const spanText = (span: Span, ...names: readonly string[]): string | undefined => {
  const found = firstField(span.attributes, ...names)
  return typeof found === 'string' && found !== '' ? found : undefined
}

const operationOf = (span: Span): string | undefined => spanText(span, 'gen_ai.operation.name')
const kindOf = (span: Span): string | undefined =>
  spanText(span, 'openinference.span.kind', 'traceloop.span.kind')?.toUpperCase()

/** Spans of AI: others of a trace are HTTP requests, databases and the like. */
export function isAgentSpan({ attributes }: Span): boolean {
  return Object.keys(attributes).some((name) =>
    /^(gen_ai\.|openinference\.span\.kind$|traceloop\.span\.kind$|llm\.|ai\.(model|operationId|toolCall|prompt|response)|gcp\.vertex\.agent\.)/.test(
      name,
    ),
  )
}

export function isModelSpan(span: Span): boolean {
  const operation = operationOf(span)
  if (operation !== undefined) return modelOperations.has(operation)
  const ai = spanText(span, 'ai.operationId')
  if (ai !== undefined) return modelSpans.test(ai)
  const kind = kindOf(span)
  if (kind !== undefined) return kind === 'LLM'
  const request = spanText(span, 'llm.request.type')
  if (request !== undefined) return request === 'chat' || request === 'completion'
  // Older Logfire says nothing but the model and what came of it.
  return (
    spanText(span, 'gen_ai.request.model') !== undefined &&
    Object.keys(span.attributes).some((name) =>
      /^(?:gen_ai\.(?:usage|completion|response)\.|response_data$)/.test(name),
    )
  )
}

/** What Logfire writes of a function of the OpenAI Agents SDK. */
const isLogfireFunction = (span: Span): boolean => spanText(span, 'logfire.msg_template') === 'Function: {name}'

export function isToolSpan(span: Span): boolean {
  const operation = operationOf(span)
  if (operation !== undefined) return operation === 'execute_tool' && nameOfTool(span) !== '(merged tools)'
  if (spanText(span, 'ai.operationId') === 'ai.toolCall' || spanText(span, 'ai.toolCall.name') !== undefined)
    return true
  const kind = kindOf(span)
  if (kind !== undefined) return kind === 'TOOL'
  return spanText(span, 'gen_ai.tool.name') !== undefined || isLogfireFunction(span)
}

export function nameOfTool(span: Span): string {
  const named = spanText(span, 'gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'tool_call.function.name')
  if (named !== undefined) return named
  const own = isLogfireFunction(span) ? spanText(span, 'name') : spanText(span, 'traceloop.entity.name')
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
