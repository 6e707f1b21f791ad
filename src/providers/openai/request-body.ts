import { InputError, isRecord, type ModelRequest, type RequestMessage } from '../../contract/index.ts'
import { mergeFields } from '../http/json-values.ts'
import { readOpaque } from './opaque.ts'
import { OPTIONAL_PARAMETERS, WIRE_NAMES, type OptionalParameter } from './parameter-names.ts'
import { plainDialect, type Dialect } from './dialect.ts'
import { readFormat, type AnswerFormat } from './response-format.ts'
import { isLeftOut, type ModelQuirks } from './unsupported-parameters.ts'

/** Images are sent unchanged, so the server must be able to read them. */
export function checkImage(image: string): string {
  if (/^(?:data:|https?:)/i.test(image)) return image
  throw new InputError(
    `The image "${image.slice(0, 80)}" is neither a data: URL nor a web URL: convert the file to a data: URL first.`,
  )
}

/** With what the vendor added to each call, such as a signature. */
function writeToolCalls(calls: NonNullable<RequestMessage['toolCalls']>, added: readonly unknown[]): unknown[] {
  return calls.map(({ id = '', name, arguments: given }, index) => ({
    ...(isRecord(added[index]) && added[index]),
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
  }))
}

export function writeMessage({ role, content, toolCalls = [], toolCallId, opaque }: RequestMessage): unknown {
  if (role === 'tool') return { role, tool_call_id: toolCallId, content }
  const { calls: added = [], ...fields } = readOpaque(opaque)
  if (toolCalls.length > 0)
    return { role, content: content === '' ? null : content, ...fields, tool_calls: writeToolCalls(toolCalls, added) }
  if (typeof content === 'string') return { role, content, ...fields }
  const parts = content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: checkImage(part.image) } },
  )
  return { role, content: parts }
}

/** `undefined` is not sent. */
type Wanted = Partial<Record<OptionalParameter, unknown>>

function writeFormat(format: AnswerFormat | undefined): unknown {
  if (format?.type !== 'schema') return format && { type: 'json_object' }
  const { name, schema, isStrict } = format
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrict } }
}

function wantedValues({ parameters, responseSchema }: ModelRequest, dialect: Dialect): Wanted {
  const { reasoningEffort: effort, thinkingBudget: budget, responseFormat: _format, ...plain } = parameters
  return {
    ...plain,
    reasoningEffort: effort && (dialect.writeEffort ? dialect.writeEffort(effort) : effort),
    thinkingBudget: budget === undefined ? undefined : (dialect.writeThinkingBudget?.(budget) ?? budget),
    responseFormat: writeFormat(readFormat(parameters)),
    responseSchema: responseSchema && writeFormat({ type: 'schema', isStrict: true, ...responseSchema }),
  }
}

export interface RequestBody {
  text: string
  /** Fields that the server may reject, by their names on the wire. */
  fields: Record<string, unknown>
  /** Our names of the requested parameters that were not sent. */
  leftOut: OptionalParameter[]
  /** All that was sent besides the model, the messages and the tools. */
  sent: Record<string, unknown>
  notes: string[]
}

/** The JSON of a chat completion request, without the parameters that this model is known not to support. */
export function buildRequestBody(
  request: ModelRequest,
  quirks: ModelQuirks,
  { dialect = plainDialect, extraBody = {} }: { dialect?: Dialect; extraBody?: Record<string, unknown> } = {},
): RequestBody {
  const stream = request.stream ?? true
  const wanted = wantedValues(request, dialect)
  const leftOut: OptionalParameter[] = []
  const nameOfField = new Map<string, OptionalParameter>()
  const fields: Record<string, unknown> = {}
  for (const name of OPTIONAL_PARAMETERS) {
    const value = wanted[name]
    if (value === undefined) continue
    if (isLeftOut(quirks, name, value)) {
      leftOut.push(name)
      continue
    }
    const field = name === 'maxTokens' ? quirks.maxTokensField : (dialect.names?.[name] ?? WIRE_NAMES[name])
    const replaced = nameOfField.get(field)
    if (replaced !== undefined) leftOut.push(replaced)
    nameOfField.set(field, name)
    fields[field] = value
  }
  if (stream && quirks.supportsStreamOptions) fields['stream_options'] = { include_usage: true }
  const { reasoningEffort: effort, extraBody: asked = {} } = request.parameters
  const pinned = request.host === undefined ? {} : (dialect.pinHost?.(request.host) ?? {})
  const { stream_options: _options, ...parameters } = fields
  const sent = mergeFields(mergeFields(parameters, asked), pinned)
  const text = JSON.stringify({
    model: request.modelId,
    messages: request.messages.map(writeMessage),
    ...(fields['stream_options'] !== undefined && { stream_options: fields['stream_options'] }),
    stream,
    ...(request.tools &&
      request.tools.length > 0 && { tools: request.tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...mergeFields(extraBody, sent),
  })
  const note = effort && !leftOut.includes('reasoningEffort') ? dialect.describeEffort?.(effort) : undefined
  return {
    text,
    fields,
    leftOut,
    sent,
    notes: note === undefined ? [] : [note],
  }
}
