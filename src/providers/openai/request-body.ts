import { InputError, type Message, type ModelRequest } from '../../contract/index.ts'
import { LEAVABLE_NAMES, WIRE_NAMES, type LeavableName } from './parameter-names.ts'
import type { ModelQuirks } from './unsupported-parameters.ts'

/** Images go over the wire as they are, so they must be something that the server can reach. */
export function checkImage(image: string): string {
  if (/^(?:data:|https?:)/i.test(image)) return image
  throw new InputError(
    `The image "${image.slice(0, 80)}" is neither a data: URL nor a web address: read the file into a data: URL first.`,
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

function wantedValues(request: ModelRequest): Partial<Record<LeavableName, unknown>> {
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
  /** Names on the wire that the server may yet turn down. */
  sent: string[]
  /** Our names of what was asked for and not sent. */
  leftOut: LeavableName[]
}

/** The JSON of a chat completion request, without what is known that this model does not take. */
export function buildRequestBody(
  request: ModelRequest,
  quirks: ModelQuirks,
  extra: Record<string, unknown> = {},
): RequestBody {
  const stream = request.stream ?? true
  const wanted = wantedValues(request)
  const leftOut: LeavableName[] = []
  const fields: Record<string, unknown> = {}
  for (const name of LEAVABLE_NAMES) {
    if (wanted[name] === undefined) continue
    if (quirks.leftOut.has(name)) leftOut.push(name)
    else fields[name === 'maxTokens' ? quirks.maxTokensField : WIRE_NAMES[name]] = wanted[name]
  }
  if (stream && quirks.takesStreamOptions) fields['stream_options'] = { include_usage: true }
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
