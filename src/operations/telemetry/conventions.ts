import type { Attributes } from '@opentelemetry/api'
import type { Message } from '../../contract/index.ts'
import type { AttemptEnd, ModelAnswer } from '../../contract/index.ts'
import type { ModelCall } from '../../services/index.ts'

/**
 * The names of OpenTelemetry's semantic conventions for generative AI (gen-ai-spans, gen-ai-metrics). Written out
 * here: their package marks all of them as experimental and may drop any.
 */
export const TOKEN_USAGE = 'gen_ai.client.token.usage'
export const OPERATION_DURATION = 'gen_ai.client.operation.duration'
export const TOKEN_BUCKETS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
]
export const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Our name for a provider, where the conventions have another. */
const providerNames: Record<string, string> = { google: 'gcp.gemini' }

function operationOf({ request }: ModelCall): 'chat' | 'embeddings' {
  return request.embed ? 'embeddings' : 'chat'
}

/** The provider's own name for the model. */
function modelOf({ provider, request: { modelId } }: ModelCall): string {
  const prefix = `${provider}/`
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : modelId
}

export function nameCall(call: ModelCall): string {
  return `${operationOf(call)} ${modelOf(call)}`
}

/** `error.type`: the HTTP status if there is one; undefined if the call returned an answer. */
export function errorTypeOf({ outcome, httpStatus }: AttemptEnd): string | undefined {
  if (httpStatus !== undefined) return String(httpStatus)
  return outcome === 'error' || outcome === 'timeout' || outcome === 'cancelled' ? outcome : undefined
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

function serverAttributes({ address }: ModelCall): Attributes {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return {}
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
  return { 'server.address': url.hostname, 'server.port': port }
}

/** What spans and metrics of a call have in common. Few values each: a metric keeps a series for every combination. */
export function operationAttributes(call: ModelCall, end: AttemptEnd): Attributes {
  const provider = providerNames[call.provider] ?? call.provider
  return withoutUndefined({
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': modelOf(call),
    'gen_ai.response.model': call.answer?.servedModel,
    ...serverAttributes(call),
    'error.type': errorTypeOf(end),
  })
}

export function callAttributes(call: ModelCall, end: AttemptEnd): Attributes {
  const { parameters } = call.request
  const { answer } = call
  const operation = operationAttributes(call, end)
  return withoutUndefined({
    ...operation,
    // Its name until version 1.37 of the conventions, which many tools still read.
    'gen_ai.system': operation['gen_ai.provider.name'],
    'gen_ai.request.temperature': parameters.temperature,
    'gen_ai.request.top_p': parameters.topP,
    'gen_ai.request.max_tokens': parameters.maxTokens,
    'gen_ai.request.frequency_penalty': parameters.frequencyPenalty,
    'gen_ai.request.presence_penalty': parameters.presencePenalty,
    'gen_ai.response.finish_reasons': answer?.finishReason === undefined ? undefined : [answer.finishReason],
    'gen_ai.usage.input_tokens': end.promptTokens,
    'gen_ai.usage.output_tokens': end.completionTokens,
    'benchmaker.call.purpose': call.purpose,
    'benchmaker.call.outcome': end.outcome,
    'benchmaker.call.cost': end.cost,
    'benchmaker.call.first_token_ms': end.firstTokenMs,
  })
}

/** A part that is not text, such as a picture, is named and left out. */
function partsOf({ content }: Message): { type: string; content: string }[] {
  if (typeof content === 'string') return [{ type: 'text', content }]
  return content.map((part) =>
    'text' in part ? { type: 'text', content: part.text } : { type: part.type, content: '' },
  )
}

function answerMessage({ response, toolCalls = [], finishReason }: ModelAnswer): object {
  const calls = toolCalls.map(({ name, arguments: given }) => ({ type: 'tool_call', name, arguments: given }))
  const text = response === '' ? [] : [{ type: 'text', content: response }]
  return { role: 'assistant', parts: [...text, ...calls], finish_reason: finishReason ?? 'stop' }
}

/** Prompt and answer, only for those who ask for them. */
export function contentAttributes({ request, answer }: ModelCall): Attributes {
  const messages = request.messages.map((message) => ({ role: message.role, parts: partsOf(message) }))
  return {
    'gen_ai.input.messages': JSON.stringify(messages),
    ...(answer && { 'gen_ai.output.messages': JSON.stringify([answerMessage(answer)]) }),
  }
}
