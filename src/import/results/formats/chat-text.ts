import { isJsonObject, type Message } from '../../../contract/index.ts'
import { field, textField } from '../../tool-results/formats/fields.ts'

/** The text of a message's content: a text, or a list of parts of which only texts are kept. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content
    .flatMap((part) => {
      if (typeof part === 'string') return [part]
      const text = textField(part, 'text')
      if (text !== undefined) return [text]
      const type = textField(part, 'type')
      // What a model thinks is not its answer.
      return type === undefined || type === 'reasoning' ? [] : [`[${type}]`]
    })
    .join('\n')
}

const ROLES: readonly string[] = ['system', 'user', 'assistant'] satisfies Message['role'][]

function isRole(role: unknown): role is Message['role'] {
  return typeof role === 'string' && ROLES.includes(role)
}

/** What was asked: a text, or a conversation. One message of a user is a plain prompt. */
export function readQuestion(input: unknown): { prompt?: string; messages?: Message[] } {
  if (typeof input === 'string') return { prompt: input }
  if (!Array.isArray(input)) return {}
  const turns = input.filter(isJsonObject).map((message) => ({
    role: field(message, 'role'),
    content: contentText(field(message, 'content')) ?? '',
  }))
  const [first] = turns
  if (!first) return {}
  if (turns.length === 1) return { prompt: first.content }
  if (turns.every(({ role }) => isRole(role)))
    return { messages: turns.flatMap(({ role, content }) => (isRole(role) ? [{ role, content }] : [])) }
  return { prompt: turns.map(({ role, content }) => `${String(role)}: ${content}`).join('\n\n') }
}

/** A text, or several right answers, one a line. */
export function readExpected(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target === 'number' || typeof target === 'boolean') return String(target)
  if (Array.isArray(target)) return target.map((item) => readExpected(item) ?? '').join('\n')
  return isJsonObject(target) ? JSON.stringify(target) : undefined
}
