import { isRecord } from '../../contract/index.ts'
import { get, textOf } from '../http/json-values.ts'

/**
 * What servers of this interface want back with a message: OpenRouter its `reasoning_details`, DeepSeek and others the
 * `reasoning_content` before a call, Gemini a signature in the `extra_content` of each call.
 */
export interface Opaque {
  reasoning_details?: unknown[]
  reasoning_content?: string
  /** Of each call, in order. */
  calls?: unknown[]
}

const MARK = 'openai-compatible'

/** Only what this interface gave: another vendor's state means nothing here. */
export function readOpaque(opaque: unknown): Opaque {
  if (get(opaque, 'from') !== MARK) return {}
  const details = get(opaque, 'reasoning_details')
  const content = textOf(get(opaque, 'reasoning_content'))
  const calls = get(opaque, 'calls')
  return {
    ...(Array.isArray(details) && { reasoning_details: details }),
    ...(content !== undefined && { reasoning_content: content }),
    ...(Array.isArray(calls) && { calls }),
  }
}

/** The texts of a block arrive in pieces; its signature or its encrypted data in one of them. */
const JOINED = new Set(['text', 'summary', 'data'])

function isSameBlock(before: unknown, piece: Record<string, unknown>): before is Record<string, unknown> {
  if (!isRecord(before) || before['type'] !== piece['type']) return false
  return before['index'] === piece['index'] && (before['id'] ?? piece['id']) === (piece['id'] ?? before['id'])
}

/** Gathers that state while an answer arrives. */
export function createOpaqueAssembly() {
  const details: unknown[] = []
  let reasoning = ''

  const addDetail = (piece: unknown): void => {
    const before = details.at(-1)
    if (!isRecord(piece) || !isSameBlock(before, piece)) {
      details.push(isRecord(piece) ? { ...piece } : piece)
      return
    }
    for (const [name, value] of Object.entries(piece)) {
      const known = before[name]
      if (JOINED.has(name) && typeof known === 'string' && typeof value === 'string') before[name] = known + value
      else if (value !== null && value !== undefined) before[name] = value
    }
  }

  return {
    add(piece: unknown): void {
      const added = get(piece, 'reasoning_details')
      if (Array.isArray(added)) added.forEach(addDetail)
      reasoning += textOf(get(piece, 'reasoning_content')) ?? ''
    },
    /** `calls`: what came with each call besides its name and arguments. */
    result(calls: readonly unknown[]): { opaque?: unknown } {
      const hasExtras = calls.some((call) => call !== null)
      // Without a call, servers ignore or refuse the reasoning of earlier turns.
      const isNeeded = details.length > 0 || hasExtras || (reasoning !== '' && calls.length > 0)
      if (!isNeeded) return {}
      return {
        opaque: {
          from: MARK,
          ...(details.length > 0 && { reasoning_details: details }),
          ...(reasoning !== '' && calls.length > 0 && { reasoning_content: reasoning }),
          ...(hasExtras && { calls: [...calls] }),
        },
      }
    },
  }
}
