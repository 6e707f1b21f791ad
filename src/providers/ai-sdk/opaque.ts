import type { JSONValue } from '@ai-sdk/provider'
import { messageText, isRecord, type RequestMessage } from '../../contract/index.ts'
import { get, textOf } from '../http/json-values.ts'

/** What a package says of a part for its vendor: signatures, encrypted reasoning, ids. It goes back as it came. */
type VendorState = Record<string, Record<string, JSONValue>>

/** A part of an assistant's message as the packages take it back. */
export type SdkPart =
  | { type: 'text' | 'reasoning'; text: string; providerOptions?: VendorState }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; providerOptions?: VendorState }

const MARK = 'ai-sdk'

function isState(value: unknown): value is VendorState {
  return isRecord(value) && Object.values(value).every(isRecord)
}

function vendorStateOf(part: unknown): { providerOptions?: VendorState } {
  const state = get(part, 'providerOptions') ?? get(part, 'providerMetadata')
  return isState(state) ? { providerOptions: state } : {}
}

/** Gathers the parts of an answer in their order, with what belongs to each. */
export function createSdkOpaque() {
  const parts: { type: string; id: string; text: string; name: string; state: { providerOptions?: VendorState } }[] = []

  const open = (type: string, id: string) => {
    const found = parts.findLast((part) => part.type === type && part.id === id)
    if (found) return found
    const made = { type, id, text: '', name: '', state: {} }
    parts.push(made)
    return made
  }

  return {
    add(part: unknown): void {
      const kind = textOf(get(part, 'type')) ?? ''
      const type = /^(?:text|reasoning)(?:-start|-delta|-end)?$/.test(kind) ? kind.split('-')[0]! : ''
      if (kind === 'tool-call') {
        const made = open(kind, textOf(get(part, 'toolCallId')) ?? `call_${parts.length}`)
        made.name = textOf(get(part, 'toolName')) ?? ''
        made.state = vendorStateOf(part)
      } else if (type !== '') {
        const isWhole = kind === type
        const made = open(type, isWhole ? String(parts.length) : (textOf(get(part, 'id')) ?? ''))
        made.text += textOf(get(part, 'delta')) ?? textOf(get(part, 'text')) ?? ''
        const state = vendorStateOf(part)
        if (state.providerOptions) made.state = state
      }
    },
    /** Nothing if no part has any state: the text and the calls say it all. */
    result(): { opaque?: unknown } {
      if (!parts.some(({ state }) => state.providerOptions)) return {}
      const kept = parts.filter(({ type, text, state }) => type === 'tool-call' || text !== '' || state.providerOptions)
      return {
        opaque: {
          from: MARK,
          parts: kept.map(({ type, id, text, name, state }) =>
            type === 'tool-call' ? { type, toolCallId: id, toolName: name, ...state } : { type, text, ...state },
          ),
        },
      }
    },
  }
}

/** The parts of an assistant's message: as its vendor gave them, if this interface did; its own text and calls else. */
export function writeAssistantParts(message: RequestMessage): SdkPart[] {
  const { toolCalls = [], opaque } = message
  const text = messageText(message)
  const calls = toolCalls.map(({ id = '', name, arguments: input }): SdkPart => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    // The packages write it as JSON; text that is none cannot be an input.
    input: isRecord(input) ? input : {},
  }))
  const kept = get(opaque, 'from') === MARK ? get(opaque, 'parts') : undefined
  if (!Array.isArray(kept)) return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls]
  const left = [...calls]
  const parts = kept.flatMap((part): SdkPart[] => {
    const type = get(part, 'type')
    if (type === 'tool-call') {
      const call = left.shift()
      return call ? [{ ...call, ...vendorStateOf(part) }] : []
    }
    if (type !== 'text' && type !== 'reasoning') return []
    return [{ type, text: textOf(get(part, 'text')) ?? '', ...vendorStateOf(part) }]
  })
  return [...parts, ...left]
}
