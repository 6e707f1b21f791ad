import type {
  JSONSchema7,
  LanguageModelV2CallOptions,
  LanguageModelV3CallOptions,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import type { Message, ModelRequest } from '../../contract/index.ts'
import type { OptionalParameter } from '../openai/parameter-names.ts'
import { checkImage } from '../openai/request-body.ts'

interface TextPart {
  type: 'text'
  text: string
}

type PromptMessage<File> =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: (TextPart | File)[] }

/** An image as base64 with its media type, or its URL. */
type ImageSource = { mediaType: string; base64: string } | { mediaType: string; url: URL }

function readImage(image: string): ImageSource {
  const inline = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(checkImage(image))
  return inline
    ? { mediaType: inline[1] || 'image/png', base64: inline[2]! }
    : { mediaType: 'image/*', url: new URL(image) }
}

function plainFile(image: string): { type: 'file'; mediaType: string; data: string | URL } {
  const source = readImage(image)
  return { type: 'file', mediaType: source.mediaType, data: 'url' in source ? source.url : source.base64 }
}

function taggedFile(image: string): {
  type: 'file'
  mediaType: string
  data: { type: 'url'; url: URL } | { type: 'data'; data: string }
} {
  const source = readImage(image)
  return {
    type: 'file',
    mediaType: source.mediaType,
    data: 'url' in source ? { type: 'url', url: source.url } : { type: 'data', data: source.base64 },
  }
}

function writeMessage<File>({ role, content }: Message, writeFile: (image: string) => File): PromptMessage<File> {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  if (role === 'system') return { role, content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }
  return {
    role,
    content: parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : writeFile(part.image))),
  }
}

/** A suite's schema is any JSON object; the provider decides whether it is a valid JSON Schema. */
function isJsonSchema(value: unknown): value is JSONSchema7 {
  return typeof value === 'object' && value !== null
}

function schemaOf(value: Record<string, unknown>): JSONSchema7 {
  return isJsonSchema(value) ? value : {}
}

/** The settings that are the same in all versions of the specification. */
function writeSettings(request: ModelRequest, leftOut: ReadonlySet<OptionalParameter>) {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty } = request.parameters
  const schema = leftOut.has('responseSchema') ? undefined : request.responseSchema
  return {
    ...(temperature !== undefined && !leftOut.has('temperature') && { temperature }),
    ...(topP !== undefined && !leftOut.has('topP') && { topP }),
    ...(maxTokens !== undefined && !leftOut.has('maxTokens') && { maxOutputTokens: maxTokens }),
    ...(frequencyPenalty !== undefined && !leftOut.has('frequencyPenalty') && { frequencyPenalty }),
    ...(presencePenalty !== undefined && !leftOut.has('presencePenalty') && { presencePenalty }),
    ...(schema && { responseFormat: { type: 'json' as const, name: schema.name, schema: schemaOf(schema.schema) } }),
    ...(request.tools &&
      request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          inputSchema: schemaOf(parameters),
          ...(description !== undefined && { description }),
        })),
      }),
    // A vendor's pings arrive as raw chunks and count as activity.
    includeRawChunks: true,
  }
}

export interface CallSettings {
  leftOut: ReadonlySet<OptionalParameter>
  abortSignal: AbortSignal
}

/** The call options for versions 2 and 3 of the specification. */
export function writePlainCall(
  request: ModelRequest,
  { leftOut, abortSignal }: CallSettings,
): LanguageModelV2CallOptions & LanguageModelV3CallOptions {
  return {
    ...writeSettings(request, leftOut),
    abortSignal,
    prompt: request.messages.map((message) => writeMessage(message, plainFile)),
  }
}

/** The call options for version 4, where files are tagged as data or a URL. */
export function writeTaggedCall(
  request: ModelRequest,
  { leftOut, abortSignal }: CallSettings,
): LanguageModelV4CallOptions {
  return {
    ...writeSettings(request, leftOut),
    abortSignal,
    prompt: request.messages.map((message) => writeMessage(message, taggedFile)),
  }
}
