import { OPTIONAL_PARAMETERS, WIRE_NAMES, type OptionalParameter } from './parameter-names.ts'
import type { Dialect } from './dialect.ts'
import { get } from '../http/json-values.ts'
import type { ServerError } from '../http/server-error.ts'

/** What one model does not support, learned from the provider's list or from its errors. */
export interface ModelQuirks {
  leftOut: Set<OptionalParameter>
  /** Values that it does not support, of parameters that it does: `reasoningEffort="minimal"`. */
  leftOutValues: Set<string>
  maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Old servers do not support `stream_options`; the usage is then missing. */
  supportsStreamOptions: boolean
  /** False once the server has refused to stream: from then on the whole answer is requested. */
  supportsStreaming: boolean
}

export function createQuirks({ lacks = [], supportsStreamOptions = true }: Dialect = {}): ModelQuirks {
  return {
    leftOut: new Set(lacks),
    leftOutValues: new Set(),
    maxTokensField: 'max_tokens',
    supportsStreamOptions,
    supportsStreaming: true,
  }
}

const nameValue = (name: OptionalParameter, value: unknown): string => `${name}=${JSON.stringify(value)}`

const isSchema = (value: unknown): boolean => get(value, 'type') === 'json_schema'

/** True if the model is known not to support the parameter, or this value of it. */
export function isLeftOut({ leftOut, leftOutValues }: ModelQuirks, name: OptionalParameter, value: unknown): boolean {
  if (name === 'responseFormat' && isSchema(value) && leftOut.has('responseSchema')) return true
  return leftOut.has(name) || leftOutValues.has(nameValue(name, value))
}

const REJECTED =
  /unsupported|not (?:be )?supported|n[o']t support|unrecogni[sz]ed|unknown (?:parameter|argument|field|name)|not (?:permitted|allowed)|unexpected (?:keyword|field|parameter|argument)|deprecated|extra inputs|cannot both be specified|incompatible|is unavailable/i

function rejectionText({ code = '', message }: ServerError): string {
  return `${code} ${message}`.replaceAll('unsupported_', 'unsupported ')
}

const STREAMING_STATUSES = new Set([400, 405, 422, 501])

/** True if the server says that it does not stream, as some models and accounts do not. */
export function isStreamingRejected(error: ServerError): boolean {
  if (!STREAMING_STATUSES.has(error.status ?? 0) || !REJECTED.test(rejectionText(error))) return false
  return error.param === 'stream' || /(?<![A-Za-z_])stream(?:s|ed|ing)?(?![A-Za-z_])/i.test(error.message)
}

/**
 * Returns the sent field that the server rejects: its `param`, or else the first field named in its message. Only if
 * the message says that the field itself is unsupported: `max_tokens is too large` is about the value.
 */
export function findUnsupported(error: ServerError, sent: readonly string[]): string | undefined {
  if (error.status !== 400 && error.status !== 422) return undefined
  const words = rejectionText(error)
  if (!REJECTED.test(words)) return undefined
  // Claude accepts only one of the two; benchmarks set the temperature.
  if (/cannot both be specified/i.test(words) && sent.includes('top_p')) return 'top_p'
  if (error.param !== undefined && sent.includes(error.param)) return error.param
  const named = sent
    // xAI calls `reasoning_effort` reasoningEffort.
    .map((field) => ({
      field,
      // Groq calls `response_format` "response format".
      words: `${field.replaceAll('_', '[_ ]')}|${field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    }))
    .map(({ field, words: names }) => ({
      field,
      at: error.message.search(new RegExp(`(?<![A-Za-z_])(?:${names})(?![A-Za-z_])`)),
    }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
  return named[0]?.field
}

/** Other levels may do: forgetting all of them would make variants that differ in the level the same. */
const VALUE_REJECTED =
  /unsupported.value|supported values|invalid value|(?:value|effort) (?:'|"|`)?\w+(?:'|"|`)? is not supported/i

/** Remembers that the model does not support the field, or this value of the reasoning effort. */
export function learnUnsupported(
  quirks: ModelQuirks,
  field: string,
  error: ServerError,
  { dialect, value }: { dialect?: Dialect; value?: unknown } = {},
): void {
  if (field === 'stream') quirks.supportsStreaming = false
  else if (field === 'stream_options') quirks.supportsStreamOptions = false
  else if (field === 'max_tokens' && error.message.includes('max_completion_tokens'))
    quirks.maxTokensField = 'max_completion_tokens'
  else if (field === 'max_tokens' || field === 'max_completion_tokens') quirks.leftOut.add('maxTokens')
  else
    for (const name of OPTIONAL_PARAMETERS) {
      if ((dialect?.names?.[name] ?? WIRE_NAMES[name]) !== field) continue
      if (name === 'reasoningEffort' && VALUE_REJECTED.test(rejectionText(error)))
        quirks.leftOutValues.add(nameValue(name, value))
      else quirks.leftOut.add(name)
    }
}

/** The quirks that follow from a provider's list of supported parameters, in wire names. */
export function quirksFromList(supported: readonly string[], dialect: Dialect = {}): ModelQuirks {
  const quirks = createQuirks(dialect)
  const has = new Set(supported)
  for (const name of OPTIONAL_PARAMETERS)
    if (!has.has(WIRE_NAMES[name]) && !has.has(dialect.names?.[name] ?? '')) quirks.leftOut.add(name)
  if (has.has('max_completion_tokens') && !has.has('max_tokens')) {
    quirks.leftOut.delete('maxTokens')
    quirks.maxTokensField = 'max_completion_tokens'
  }
  // `response_format` alone means arbitrary JSON.
  if (!has.has('structured_outputs')) quirks.leftOut.add('responseSchema')
  return quirks
}
