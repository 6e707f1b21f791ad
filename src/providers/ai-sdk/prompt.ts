import type {
  JSONSchema7,
  JSONValue,
  LanguageModelV2CallOptions,
  LanguageModelV3CallOptions,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { messageText, type ModelRequest, type RequestMessage } from '../../contract/index.ts'
import type { OptionalParameter } from '../openai/parameter-names.ts'
import { checkImage } from '../openai/request-body.ts'
import { readFormat } from '../openai/response-format.ts'
import { writeAssistantParts, type SdkPart } from './opaque.ts'

interface TextPart {
  type: 'text'
  text: string
}

interface ToolResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text' | 'error-text'; value: string }
}

type PromptMessage<File> =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | File)[] }
  | { role: 'assistant'; content: (SdkPart | File)[] }
  | { role: 'tool'; content: ToolResult[] }

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

function writeMessage<File>(message: RequestMessage, writeFile: (image: string) => File): PromptMessage<File> {
  const { role, content, toolCallId = '', name = '', isError = false } = message
  if (role === 'system') return { role, content: messageText(message) }
  if (role === 'tool') {
    const output = { type: isError ? ('error-text' as const) : ('text' as const), value: messageText(message) }
    return { role, content: [{ type: 'tool-result', toolCallId, toolName: name, output }] }
  }
  const isPlain = typeof content === 'string' || content.every(({ type }) => type === 'text')
  if (role === 'assistant' && isPlain) return { role, content: writeAssistantParts(message) }
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return {
    role,
    content: parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : writeFile(part.image))),
  }
}

/** Some vendors refuse a conversation that the assistant begins. */
const BEGINNING = '(The conversation begins.)'

/** The replies to calls of one message are one message here. */
function writeMessages<File>(
  messages: readonly RequestMessage[],
  writeFile: (image: string) => File,
): PromptMessage<File>[] {
  const written: PromptMessage<File>[] = []
  for (const message of messages) {
    const next = writeMessage(message, writeFile)
    const before = written.at(-1)
    if (next.role === 'assistant' && !written.some(({ role }) => role === 'user'))
      written.push({ role: 'user', content: [{ type: 'text', text: BEGINNING }] })
    if (next.role === 'tool' && before?.role === 'tool') before.content.push(...next.content)
    else written.push(next)
  }
  return written
}

/** A suite's schema is any JSON object; the provider decides whether it is a valid JSON Schema. */
function isJsonSchema(value: unknown): value is JSONSchema7 {
  return typeof value === 'object' && value !== null
}

function schemaOf(value: Record<string, unknown>): JSONSchema7 {
  return isJsonSchema(value) ? value : {}
}

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

function effortOf({ reasoningEffort: effort }: ModelRequest['parameters']): Effort | undefined {
  return effort === 'max' ? 'xhigh' : effort
}

function writeFormat({ parameters, responseSchema }: ModelRequest, leftOut: ReadonlySet<OptionalParameter>) {
  if (responseSchema && !leftOut.has('responseSchema'))
    return { type: 'json' as const, name: responseSchema.name, schema: schemaOf(responseSchema.schema) }
  const format = leftOut.has('responseFormat') ? undefined : readFormat(parameters)
  if (format?.type !== 'schema') return format && { type: 'json' as const }
  return { type: 'json' as const, name: format.name, schema: schemaOf(format.schema) }
}

/** The settings that are the same in all versions of the specification. */
function writeSettings(request: ModelRequest, { leftOut, writeThinkingBudget }: CallSettings) {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty } = request.parameters
  const { seed, topK, stop, thinkingBudget, headers } = request.parameters
  const responseFormat = writeFormat(request, leftOut)
  const providerOptions =
    thinkingBudget === undefined || leftOut.has('thinkingBudget') ? undefined : writeThinkingBudget?.(thinkingBudget)
  return {
    ...(temperature !== undefined && !leftOut.has('temperature') && { temperature }),
    ...(topP !== undefined && !leftOut.has('topP') && { topP }),
    ...(maxTokens !== undefined && !leftOut.has('maxTokens') && { maxOutputTokens: maxTokens }),
    ...(frequencyPenalty !== undefined && !leftOut.has('frequencyPenalty') && { frequencyPenalty }),
    ...(presencePenalty !== undefined && !leftOut.has('presencePenalty') && { presencePenalty }),
    ...(seed !== undefined && !leftOut.has('seed') && { seed }),
    ...(topK !== undefined && !leftOut.has('topK') && { topK }),
    ...(stop && !leftOut.has('stop') && { stopSequences: stop }),
    ...(headers && { headers }),
    ...(providerOptions && { providerOptions }),
    ...(responseFormat && { responseFormat }),
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
  /** The vendor's own options; absent if it has none for a thinking budget. */
  writeThinkingBudget?: ((tokens: number) => Record<string, Record<string, JSONValue>>) | undefined
  abortSignal: AbortSignal
}

/** The call options for versions 2 and 3 of the specification. */
export function writePlainCall(
  request: ModelRequest,
  settings: CallSettings,
): LanguageModelV2CallOptions & LanguageModelV3CallOptions {
  return {
    ...writeSettings(request, settings),
    abortSignal: settings.abortSignal,
    prompt: writeMessages(request.messages, plainFile),
  }
}

/** The call options for version 4, where files are tagged as data or a URL. */
export function writeTaggedCall(request: ModelRequest, settings: CallSettings): LanguageModelV4CallOptions {
  const { thinkingBudget } = request.parameters
  // A budget says more than a level, and packages refuse or ignore one of the two.
  const hasBudget =
    thinkingBudget !== undefined && settings.writeThinkingBudget && !settings.leftOut.has('thinkingBudget')
  const effort = hasBudget || settings.leftOut.has('reasoningEffort') ? undefined : effortOf(request.parameters)
  return {
    ...writeSettings(request, settings),
    ...(effort && { reasoning: effort }),
    abortSignal: settings.abortSignal,
    prompt: writeMessages(request.messages, taggedFile),
  }
}
