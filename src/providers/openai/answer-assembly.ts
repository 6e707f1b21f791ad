import type { ModelAnswer, ToolCall } from '../../contract/index.ts'
import { amountOf, get, isRecord, parseJson, textOf } from '../http/json-values.ts'

/** An answer without the times, which only the socket knows, and without what was left out of the request. */
export type AnswerParts = Omit<ModelAnswer, 'latencyMs' | 'firstTokenMs' | 'leftOut'>

interface CallInPieces {
  id: string
  name: string
  /** Text to be parsed, or what a server sent already parsed. */
  arguments: unknown
}

const LENGTH = /^(?:length|max_tokens|max_output_tokens|model_length|max_length)$/i
const FILTER = /^(?:content_filter|content-filter|safety|prohibited_content|recitation|blocklist|spii|guardrail.*)$/i
const REFUSAL = /^refusal$/i

/** What the answer amounts to, by what stopped it and by what it holds. */
export function nameOutcome(answer: {
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

/** Arguments that are not JSON stay the text they are: that is what the model wrote. */
export function parseArguments(text: string): unknown {
  return text.trim() === '' ? {} : (parseJson(text) ?? text)
}

/** A text, or the texts of the parts of that kind: `[{ type: 'text', text }, { type: 'thinking', thinking: [...] }]`. */
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

/** The dollars in `usage`. With a key of one's own OpenRouter's fee and what the provider takes are two amounts. */
function costOf(usage: unknown): number | undefined {
  const cost = amountOf(get(usage, 'cost')) ?? amountOf(get(get(usage, 'cost'), 'total_cost'))
  const upstream =
    get(usage, 'is_byok') === true ? amountOf(get(get(usage, 'cost_details'), 'upstream_inference_cost')) : undefined
  return upstream === undefined ? cost : upstream + (cost ?? 0)
}

/** Puts an answer together from the pieces of a stream, or from the one piece of a whole reply. */
export interface AnswerAssembly {
  /** A `delta` or a `message`; gives the new text in it. */
  add(piece: unknown): string
  finish(reason: string): void
  useUsage(usage: unknown): void
  /** Something of an answer, of reasoning or of a tool call has arrived. */
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
  const calls: CallInPieces[] = []
  const callAt = new Map<unknown, CallInPieces>()

  /** By index; but some servers give every call index 0 or none, and a new id with a name is a new call all the same. */
  function findCall(piece: unknown, name: string): CallInPieces {
    const id = textOf(get(piece, 'id')) ?? ''
    const index = get(piece, 'index')
    const known = typeof index === 'number' ? callAt.get(index) : calls.at(-1)
    const sameCall =
      known &&
      (name === '' || id === '' || known.id === '' || known.id === id) &&
      (typeof index === 'number' || name === '')
    if (known && sameCall) return known
    const call: CallInPieces = { id, name: '', arguments: '' }
    calls.push(call)
    callAt.set(index, call)
    return call
  }

  function addCall(piece: unknown): void {
    const called = get(piece, 'function') ?? get(piece, 'custom') ?? piece
    const name = textOf(get(called, 'name')) ?? ''
    const call = findCall(piece, name)
    if (call.name === '') call.name = name
    const given = get(called, 'arguments') ?? get(called, 'input')
    if (typeof given === 'string' && typeof call.arguments === 'string') call.arguments += given
    else if (isRecord(given)) call.arguments = given
  }

  return {
    add(piece) {
      const content = get(piece, 'content')
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
    useUsage: (latest) => {
      usage = latest
    },
    hasStarted: () => response !== '' || reasoning !== '' || refusal !== '' || calls.length > 0,
    finishReason: () => finishReason,
    result() {
      const toolCalls = calls.map((call): ToolCall => ({
        name: call.name,
        arguments: typeof call.arguments === 'string' ? parseArguments(call.arguments) : call.arguments,
      }))
      const said = response === '' ? refusal : response
      const promptTokens = amountOf(get(usage, 'prompt_tokens'))
      const completionTokens = amountOf(get(usage, 'completion_tokens'))
      const cost = costOf(usage)
      return {
        outcome: nameOutcome({ finishReason, response, refused: refusal !== '', toolCalls: toolCalls.length }),
        response: said,
        ...(reasoning !== '' && { reasoning }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(promptTokens !== undefined && { promptTokens }),
        ...(completionTokens !== undefined && { completionTokens }),
        ...(cost !== undefined && { cost }),
        ...(finishReason !== undefined && { finishReason }),
      }
    },
  }
}
