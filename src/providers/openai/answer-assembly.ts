import { ClientError, type ModelAnswer, type ToolCall, isRecord } from '../../contract/index.ts'
import { get, numberOf, parseJson, textOf } from '../http/json-values.ts'
import { createOpaqueAssembly } from './opaque.ts'
import { joinReasoning, splitThinking } from './thinking.ts'
import { readTokens } from './usage.ts'

/** An answer without its times, which only the socket knows, and without the left-out parameters. */
export type AnswerParts = Omit<ModelAnswer, 'latencyMs' | 'firstTokenMs' | 'leftOut' | 'sent'>

interface PartialCall {
  id: string
  name: string
  /** JSON text, or an object if the server sent it already parsed. */
  arguments: unknown
  /** Whatever else came with it. */
  extra: Record<string, unknown> | null
}

const LENGTH = /^(?:length|max_tokens|max_output_tokens|model_length|max_length)$/i
const FILTER = /^(?:content_filter|content-filter|safety|prohibited_content|recitation|blocklist|spii|guardrail.*)$/i
const REFUSAL = /^refusal$/i

/** Classifies an answer by its finish reason and content. */
export function classifyOutcome(answer: {
  finishReason?: string | undefined
  response: string
  refused: boolean
  toolCalls: number
}): ModelAnswer['outcome'] {
  const { finishReason = '', response, refused, toolCalls } = answer
  if (refused || REFUSAL.test(finishReason)) return 'refusal'
  if (FILTER.test(finishReason)) return 'filtered'
  if (LENGTH.test(finishReason)) return 'truncated'
  return response.trim() !== '' || toolCalls > 0 ? 'ok' : 'empty'
}

/** Arguments that are not valid JSON stay text, as the model wrote them. */
export function parseArguments(text: string): unknown {
  return text.trim() === '' ? {} : (parseJson(text) ?? text)
}

/** The text of content that is a string or a list of parts (`[{ type: 'text', text }, { type: 'thinking', … }]`). */
function joinParts(content: unknown, kind: 'text' | 'thinking'): string {
  if (typeof content === 'string') return kind === 'text' ? content : ''
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => {
      const type = textOf(get(part, 'type')) ?? 'text'
      if (kind === 'text') return type.endsWith('text') ? (textOf(get(part, 'text')) ?? '') : ''
      return type === 'thinking' ? joinParts(get(part, 'thinking'), 'text') : ''
    })
    .join('')
}

/** The dollars in `usage`. With a user's own provider key, OpenRouter lists its fee and the provider's cost apart. */
function reportedCost(usage: unknown): number | undefined {
  const reported = get(usage, 'cost')
  const cost = numberOf(isRecord(reported) ? reported['total_cost'] : reported)
  const upstream =
    get(usage, 'is_byok') === true ? numberOf(get(get(usage, 'cost_details'), 'upstream_inference_cost')) : undefined
  return upstream === undefined ? cost : upstream + (cost ?? 0)
}

/** More than any answer needs. */
const MAX_CALLS = 10_000

/** Assembles an answer from the pieces of a stream, or from the single piece of a whole reply. */
export interface AnswerAssembly {
  /** Adds a `delta` or a `message` and returns its new text. */
  add(piece: unknown): string
  finish(reason: string): void
  setUsage(usage: unknown): void
  setModel(model: string): void
  /** The host that a router sent the request to. */
  setHost(host: string): void
  /** True once part of an answer, of reasoning or of a tool call has arrived. */
  hasStarted(): boolean
  finishReason(): string | undefined
  result(): AnswerParts
}

export function createAnswerAssembly(): AnswerAssembly {
  let response = ''
  let reasoning = ''
  let refusal = ''
  let finishReason: string | undefined
  let usage: unknown
  let servedModel: string | undefined
  let servedBy: string | undefined
  const calls: PartialCall[] = []
  const callAt = new Map<unknown, PartialCall>()
  const opaque = createOpaqueAssembly()

  /** By index; but some servers send index 0 or none for every call, so a new id with a name is also a new call. */
  function findCall(piece: unknown, name: string): PartialCall {
    const id = textOf(get(piece, 'id')) ?? ''
    const index = get(piece, 'index')
    const previous = typeof index === 'number' ? callAt.get(index) : calls.at(-1)
    const sameCall =
      previous &&
      (name === '' || id === '' || previous.id === '' || previous.id === id) &&
      (typeof index === 'number' || name === '')
    if (previous && sameCall) return previous
    if (calls.length === MAX_CALLS)
      throw new ClientError('broken', `the answer makes more than ${MAX_CALLS} tool calls`, { retryable: false })
    const call: PartialCall = { id, name: '', arguments: '', extra: null }
    calls.push(call)
    callAt.set(index, call)
    return call
  }

  function addCall(piece: unknown): void {
    const called = get(piece, 'function') ?? get(piece, 'custom') ?? piece
    const name = textOf(get(called, 'name')) ?? ''
    const call = findCall(piece, name)
    if (call.name === '') call.name = name
    const extra = get(piece, 'extra_content')
    if (isRecord(extra)) call.extra = { extra_content: extra }
    const input = get(called, 'arguments') ?? get(called, 'input')
    if (typeof input === 'string' && typeof call.arguments === 'string') call.arguments += input
    else if (isRecord(input)) call.arguments = input
  }

  return {
    add(piece) {
      const content = get(piece, 'content')
      opaque.add(piece)
      const text = joinParts(content, 'text')
      response += text
      reasoning +=
        textOf(get(piece, 'reasoning')) ?? textOf(get(piece, 'reasoning_content')) ?? joinParts(content, 'thinking')
      refusal += textOf(get(piece, 'refusal')) ?? ''
      const toolCalls = get(piece, 'tool_calls')
      if (Array.isArray(toolCalls)) toolCalls.forEach(addCall)
      const legacyCall = get(piece, 'function_call')
      if (isRecord(legacyCall)) addCall({ index: -1, function: legacyCall })
      return text
    },
    finish: (reason) => {
      finishReason = reason
    },
    setUsage: (latest) => {
      usage = latest
    },
    setModel: (model) => {
      servedModel = model
    },
    setHost: (host) => {
      servedBy = host
    },
    hasStarted: () => response !== '' || reasoning !== '' || refusal !== '' || calls.length > 0,
    finishReason: () => finishReason,
    result() {
      const toolCalls = calls.map((call): ToolCall => ({
        ...(call.id !== '' && { id: call.id }),
        name: call.name,
        arguments: typeof call.arguments === 'string' ? parseArguments(call.arguments) : call.arguments,
      }))
      const parts = splitThinking(response)
      const thoughts = joinReasoning(reasoning, parts.reasoning)
      const text = response === '' ? refusal : parts.response
      const tokens = readTokens(usage)
      const cost = reportedCost(usage)
      return {
        outcome: classifyOutcome({
          finishReason,
          response: parts.response,
          refused: refusal !== '',
          toolCalls: toolCalls.length,
        }),
        response: text,
        ...(thoughts !== '' && { reasoning: thoughts }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...opaque.result(calls.map(({ extra }) => extra)),
        ...tokens,
        ...(cost !== undefined && { cost }),
        ...(finishReason !== undefined && { finishReason }),
        ...(servedModel !== undefined && { servedModel }),
        ...(servedBy !== undefined && { servedBy }),
      }
    },
  }
}
