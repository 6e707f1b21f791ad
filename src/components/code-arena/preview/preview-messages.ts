/** A message from a page. Models write the pages, so only the shape is trusted. */
export interface PreviewMessage {
  kind: 'console' | 'error' | 'blocked'
  level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  text: string
}

export const MAX_MESSAGES = 200
const MAX_CHARACTERS = 2_000

const KINDS: readonly string[] = ['console', 'error', 'blocked'] satisfies PreviewMessage['kind'][]
const LEVELS: readonly string[] = ['debug', 'log', 'info', 'warn', 'error'] satisfies PreviewMessage['level'][]

const isKind = (value: unknown): value is PreviewMessage['kind'] => typeof value === 'string' && KINDS.includes(value)
const isLevel = (value: unknown): value is PreviewMessage['level'] =>
  typeof value === 'string' && LEVELS.includes(value)

/** Reads a message of the preview script and truncates it; undefined for anything else. */
export function readPreviewMessage(data: unknown): PreviewMessage | undefined {
  if (typeof data !== 'object' || data === null || !('source' in data) || data.source !== 'benchmaker-preview')
    return undefined
  if (!('kind' in data) || !('level' in data) || !('text' in data)) return undefined
  const { kind, level, text } = data
  if (!isKind(kind) || !isLevel(level) || typeof text !== 'string') return undefined
  return { kind, level, text: text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text }
}

/** Numbered in order of arrival. */
export interface NumberedMessage extends PreviewMessage {
  number: number
}

/** Keeps the first messages: they show the cause, and a flood cannot push them out. */
export function addMessage(messages: readonly NumberedMessage[], message: PreviewMessage): readonly NumberedMessage[] {
  return messages.length >= MAX_MESSAGES ? messages : [...messages, { ...message, number: messages.length + 1 }]
}
