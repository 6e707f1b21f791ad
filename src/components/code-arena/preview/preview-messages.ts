/** What a page tells about itself. It is written by a model: nothing of it is believed but its shape. */
export interface PreviewMessage {
  kind: 'console' | 'error' | 'blocked'
  level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  text: string
}

export const MOST_MESSAGES = 200
const MOST_CHARACTERS = 2_000

const KINDS: readonly string[] = ['console', 'error', 'blocked'] satisfies PreviewMessage['kind'][]
const LEVELS: readonly string[] = ['debug', 'log', 'info', 'warn', 'error'] satisfies PreviewMessage['level'][]

const isKind = (value: unknown): value is PreviewMessage['kind'] => typeof value === 'string' && KINDS.includes(value)
const isLevel = (value: unknown): value is PreviewMessage['level'] =>
  typeof value === 'string' && LEVELS.includes(value)

/** A message in the shape that the preview's first script sends, cut to a bearable length; undefined for anything else. */
export function readPreviewMessage(data: unknown): PreviewMessage | undefined {
  if (typeof data !== 'object' || data === null || !('source' in data) || data.source !== 'benchmaker-preview')
    return undefined
  if (!('kind' in data) || !('level' in data) || !('text' in data)) return undefined
  const { kind, level, text } = data
  if (!isKind(kind) || !isLevel(level) || typeof text !== 'string') return undefined
  return { kind, level, text: text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text }
}

/** In the order in which they came. */
export interface NumberedMessage extends PreviewMessage {
  number: number
}

/** The first ones count: they tell how it began, and a page cannot flood them away. */
export function addMessage(messages: readonly NumberedMessage[], message: PreviewMessage): readonly NumberedMessage[] {
  return messages.length >= MOST_MESSAGES ? messages : [...messages, { ...message, number: messages.length + 1 }]
}
