import { ClientError, type TokenDetails, type ToolCall, isRecord } from '../../contract/index.ts'
import { joinReasoning, splitThinking } from '../openai/thinking.ts'
import { withoutZeros } from '../openai/usage.ts'
import { classifyOutcome, parseArguments, type AnswerParts } from '../openai/answer-assembly.ts'
import { get, numberOf, textOf } from '../http/json-values.ts'
import { MAX_REPLY_BYTES, replyTooLarge } from '../http/limited-fetch.ts'
import { findError, toClientError, type ServerError } from '../http/server-error.ts'
import { createSdkOpaque } from './opaque.ts'
import type { OptionalParameter } from '../openai/parameter-names.ts'

/** The SDK's names of optional parameters, with ours. */
const OUR_NAMES: Record<string, OptionalParameter> = {
  temperature: 'temperature',
  topP: 'topP',
  maxOutputTokens: 'maxTokens',
  frequencyPenalty: 'frequencyPenalty',
  presencePenalty: 'presencePenalty',
  seed: 'seed',
  topK: 'topK',
  stopSequences: 'stop',
  reasoning: 'reasoningEffort',
  responseFormat: 'responseSchema',
}

const INSTEAD = /\b(?:instead|clamped|mapped|adjusted|lowered|using)\b/i
const MAX_NOTES = 5
const MAX_NOTE_LENGTH = 300

/** What a tool call takes in memory besides its input. */
const CALL_SIZE = 100

/** Assembles an answer from the parts an AI SDK model sends, which are alike in versions 2, 3 and 4. */
export interface SdkAnswer {
  /** Adds a part of a stream or of a whole answer and returns its new text. Throws the error of an error part. */
  add(part: unknown): string
  hasStarted(): boolean
  /** Parameters not sent, according to the SDK's warnings. */
  leftOut(): OptionalParameter[]
  /** What the package changed of the request, in its words. */
  notes(): string[]
  /** Throws if the answer is incomplete. `isWhole`: it came in one piece, whose end cannot be missing. */
  result(options: { isWhole: boolean }): AnswerParts
}

export interface SdkAnswerOptions {
  provider: string
  redact: (text: string) => string
}

/** Versions 3 and 4 have the parts of each count, Anthropic's raw usage also for how long it wrote to its cache. */
function readDetails(usage: unknown): TokenDetails | undefined {
  const input = get(usage, 'inputTokens')
  const cachedPrompt = numberOf(get(input, 'cacheRead')) ?? numberOf(get(usage, 'cachedInputTokens')) ?? 0
  const written = numberOf(get(input, 'cacheWrite')) ?? 0
  const creation = get(get(usage, 'raw'), 'cache_creation')
  const cacheWriteHour = Math.min(written, numberOf(get(creation, 'ephemeral_1h_input_tokens')) ?? 0)
  const reasoning = numberOf(get(get(usage, 'outputTokens'), 'reasoning')) ?? numberOf(get(usage, 'reasoningTokens'))
  return withoutZeros({
    cachedPrompt,
    cacheWrite: written - cacheWriteHour,
    cacheWriteHour,
    ...(reasoning !== undefined && { reasoning }),
  })
}

/** The SDK's finish reasons. Version 2 has plain words and no raw reason, but a word of its own for none at all. */
interface FinishReason {
  unified?: string
  raw?: string
  isMissing: boolean
}

function readFinish(end: unknown): FinishReason {
  const reason = get(end, 'finishReason')
  const word = textOf(reason)
  const unified = word ?? textOf(get(reason, 'unified'))
  const raw = textOf(get(reason, 'raw'))
  return {
    ...(unified !== undefined && { unified }),
    ...(raw !== undefined && { raw }),
    // What the SDK's packages say of a stream that was cut.
    isMissing: raw === undefined && (unified === undefined || unified === (word === undefined ? 'other' : 'unknown')),
  }
}

export function createSdkAnswer({ provider, redact }: SdkAnswerOptions): SdkAnswer {
  let response = ''
  let reasoning = ''
  let started = false
  let size = 0
  let end: unknown
  let servedModel: string | undefined
  let vendorError: ServerError | undefined
  const toolCalls: ToolCall[] = []
  const opaque = createSdkOpaque()
  const leftOut = new Set<OptionalParameter>()
  const notes = new Set<string>()

  function addWarnings(warnings: unknown): void {
    if (!Array.isArray(warnings)) return
    for (const warning of warnings) {
      const type = textOf(get(warning, 'type')) ?? ''
      const name = OUR_NAMES[textOf(get(warning, 'feature')) ?? textOf(get(warning, 'setting')) ?? '']
      const details = textOf(get(warning, 'details')) ?? textOf(get(warning, 'message')) ?? ''
      // Some say that they sent another value instead, which is not leaving it out.
      if (type.startsWith('unsupported') && name && !INSTEAD.test(details)) leftOut.add(name)
      else if (details !== '' && notes.size < MAX_NOTES) notes.add(details.slice(0, MAX_NOTE_LENGTH))
    }
  }

  /** Some packages drop a vendor's error, which leaves an answer without a finish reason. */
  function checkEnd({ isMissing }: FinishReason, isWhole: boolean): void {
    if (!isMissing) return
    if (vendorError) throw toClientError(vendorError, provider, redact, { isInReply: true })
    if (!isWhole) throw new ClientError('broken', `${provider} ended the stream without a finish reason`)
    if (!started) throw new ClientError('broken', `${provider} sent neither an answer nor a finish reason`)
  }

  return {
    add(part) {
      const type = get(part, 'type')
      const text = textOf(get(part, 'delta')) ?? textOf(get(part, 'text')) ?? ''
      if (type === 'error') throw get(part, 'error')
      size += text.length + (type === 'tool-call' ? CALL_SIZE + (textOf(get(part, 'input')) ?? '').length : 0)
      if (size > MAX_REPLY_BYTES) throw replyTooLarge(provider)
      opaque.add(part)
      if (type === 'raw') vendorError ??= findError(get(part, 'rawValue'), Date.now())
      if (type === 'stream-start') addWarnings(get(part, 'warnings'))
      if (type === 'finish') end = part
      if (type === 'response-metadata') servedModel = textOf(get(part, 'modelId')) ?? servedModel
      if (type === 'tool-input-start' || text !== '') started = true
      if (type === 'text-delta' || type === 'text') {
        response += text
        return text
      }
      if (type === 'reasoning-delta' || type === 'reasoning') reasoning += text
      if (type === 'tool-call') {
        started = true
        const id = textOf(get(part, 'toolCallId')) ?? ''
        toolCalls.push({
          ...(id !== '' && { id }),
          name: textOf(get(part, 'toolName')) ?? '',
          arguments: parseArguments(textOf(get(part, 'input')) ?? ''),
        })
      }
      return ''
    },
    hasStarted: () => started,
    leftOut: () => [...leftOut],
    notes: () => [...notes],
    result({ isWhole }) {
      const reason = readFinish(end)
      checkEnd(reason, isWhole)
      const { unified, raw } = reason
      if (unified === 'error')
        throw new ClientError(
          'refused',
          `${provider} aborted the answer with an error${raw === undefined ? '' : ` (${raw})`}`,
        )
      const usage = get(end, 'usage')
      const tokens = (name: string): number | undefined => {
        const count = get(usage, name)
        return numberOf(isRecord(count) ? count['total'] : count)
      }
      const promptTokens = tokens('inputTokens')
      const completionTokens = tokens('outputTokens')
      const details = readDetails(usage)
      const finishReason = raw ?? unified
      const parts = splitThinking(response)
      const thoughts = joinReasoning(reasoning, parts.reasoning)
      return {
        outcome: classifyOutcome({
          finishReason: unified,
          response: parts.response,
          refused: raw === 'refusal',
          toolCalls: toolCalls.length,
        }),
        response: parts.response,
        ...(thoughts !== '' && { reasoning: thoughts }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...opaque.result(),
        ...(promptTokens !== undefined && { promptTokens }),
        ...(completionTokens !== undefined && { completionTokens }),
        ...(details && { tokenDetails: details }),
        ...(finishReason !== undefined && { finishReason }),
        ...(servedModel !== undefined && { servedModel }),
      }
    },
  }
}
