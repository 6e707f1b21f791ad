import { InputError, isRecord } from '../../../contract/index.ts'
import { toText } from '../rows/row.ts'

export interface DatasetMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

const ROLES: Readonly<Record<string, DatasetMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  gpt: 'assistant',
  model: 'assistant',
}

/** In OpenAI's evals an example is a system message with a name. */
function readRole(message: Record<string, unknown>): DatasetMessage['role'] {
  const name = toText(message['name'])
  if (name === 'example_user') return 'user'
  if (name === 'example_assistant') return 'assistant'
  const role = toText(message['role'] ?? message['from']) ?? 'user'
  const known = ROLES[role.toLowerCase()]
  if (known === undefined) throw new InputError(`has a message with the role ${JSON.stringify(role)}`)
  return known
}

function readContent(content: unknown): string {
  const text = toText(content)
  if (text !== undefined) return text
  const parts: unknown[] = Array.isArray(content) ? content : []
  const texts = parts.map((part) => (isRecord(part) && part['type'] === 'text' ? toText(part['text']) : undefined))
  if (texts.length === 0 || texts.includes(undefined)) throw new InputError('has a message that is not text')
  return texts.join('\n')
}

/** True for a list of chat messages. */
export function isConversation(value: unknown): value is Record<string, unknown>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) => isRecord(item) && ('role' in item || 'from' in item) && ('content' in item || 'value' in item),
    )
  )
}

export function readMessages(conversation: readonly Record<string, unknown>[]): DatasetMessage[] {
  return conversation.map((message) => ({
    role: readRole(message),
    content: readContent(message['content'] ?? message['value']),
  }))
}

/** One user's message is a prompt; anything else stays a conversation. */
export function askWith(
  messages: readonly DatasetMessage[],
): { prompt: string } | { messages: readonly DatasetMessage[] } {
  const [only, ...others] = messages
  return only?.role === 'user' && others.length === 0 ? { prompt: only.content } : { messages }
}
