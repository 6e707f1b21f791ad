/** A message from a page to the page that embeds it. */
export interface PreviewMessage {
  source: 'benchmaker-preview'
  kind: 'console' | 'error' | 'blocked'
  level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  text: string
}

const MOST_MESSAGES = 200
const MOST_CHARACTERS = 2000

let sent = 0

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

// A top-level page has no parent to report to.
const owner = window.parent === window ? undefined : window.parent

export function report(kind: PreviewMessage['kind'], level: PreviewMessage['level'], text: string): void {
  if (!owner || sent > MOST_MESSAGES) return
  sent++
  const message: PreviewMessage =
    sent > MOST_MESSAGES
      ? {
          source: 'benchmaker-preview',
          kind: 'console',
          level: 'warn',
          text: `More than ${MOST_MESSAGES} messages: the rest is not shown.`,
        }
      : { source: 'benchmaker-preview', kind, level, text: cut(text) }
  owner.postMessage(message, '*')
}

/** For the driver of the screenshots: something happened that leaves no trace in the document. */
export const EFFECT_EVENT = 'benchmaker-effect'

export function noteEffect(kind: string): void {
  document.dispatchEvent(new CustomEvent(EFFECT_EVENT, { detail: kind }))
}

/** Describes a value as the console would, in one short line. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (value instanceof Element) return `<${value.tagName.toLowerCase()}${value.id === '' ? '' : `#${value.id}`}>`
  if (typeof value === 'object' && value !== null) {
    try {
      return cut(JSON.stringify(value))
    } catch {
      return Object.prototype.toString.call(value)
    }
  }
  return String(value)
}
