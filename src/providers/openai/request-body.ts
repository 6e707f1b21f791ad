import { InputError, type Message, type ModelRequest } from '../../contract/index.ts'
import { OPTIONAL_PARAMETERS, WIRE_NAMES, type OptionalParameter } from './parameter-names.ts'
import type { ModelQuirks } from './unsupported-parameters.ts'

/** Images are sent unchanged, so the server must be able to read them. */
export function checkImage(image: string): string {
  if (/^(?:data:|https?:)/i.test(image)) return image
  throw new InputError(
    `The image "${image.slice(0, 80)}" is neither a data: URL nor a web URL: convert the file to a data: URL first.`,
  )
}

function writeMessage({ role, content }: Message): unknown {
  if (typeof content === 'string') return { role, content }
  const parts = content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: checkImage(part.image) } },
  )
  return { role, content: parts }
}

function wantedValues(request: ModelRequest): Partial<Record<OptionalParameter, unknown>> {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty } = request.parameters
  const schema = request.responseSchema
  return {
    temperature,
    topP,
    maxTokens,
    frequencyPenalty,
    presencePenalty,
    responseSchema: schema && {
      type: 'json_schema',
      json_schema: { name: schema.name, schema: schema.schema, strict: true },
    },
  }
}

export interface RequestBody {
  text: string
  /** Names on the wire of the fields that the server may reject. */
  sent: string[]
  /** Our names of the requested parameters that were not sent. */
  leftOut: OptionalParameter[]
}

/** The JSON of a chat completion request, without the parameters that this model is known not to support. */
export function buildRequestBody(
  request: ModelRequest,
  quirks: ModelQuirks,
  extra: Record<string, unknown> = {},
): RequestBody {
  const stream = request.stream ?? true
  const wanted = wantedValues(request)
  const leftOut: OptionalParameter[] = []
  const fields: Record<string, unknown> = {}
  for (const name of OPTIONAL_PARAMETERS) {
    if (wanted[name] === undefined) continue
    if (quirks.leftOut.has(name)) leftOut.push(name)
    else fields[name === 'maxTokens' ? quirks.maxTokensField : WIRE_NAMES[name]] = wanted[name]
  }
  if (stream && quirks.supportsStreamOptions) fields['stream_options'] = { include_usage: true }
  const text = JSON.stringify({
    model: request.modelId,
    messages: request.messages.map(writeMessage),
    ...fields,
    stream,
    ...(request.tools &&
      request.tools.length > 0 && { tools: request.tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...extra,
  })
  return { text, sent: Object.keys(fields), leftOut }
}
