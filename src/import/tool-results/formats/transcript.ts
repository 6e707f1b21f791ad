import { readContent, readChatCalls, type ChatOptions } from './chat-calls.ts'
import { field, listField, textField } from './fields.ts'

/** One message of what happened, with the calls made in it. */
export interface TranscriptEntry {
  role: string
  text: string
  calls: TranscriptCall[]
}

interface TranscriptCall {
  /** Position among the record's calls, from 0, as in the reasons for its score. */
  index: number
  name: string
  arguments: unknown
}

/** tau2-bench puts several replies into one message. */
function messageText(message: unknown): string {
  const nested = listField(message, 'tool_messages')
  return nested ? nested.map(messageText).join('\n') : readContent(field(message, 'content'))
}

/** Reads a conversation with the calls where they were made. */
export function readChatTranscript(messages: readonly unknown[], options: ChatOptions = {}): TranscriptEntry[] {
  const { calls, effectCalls, places } = readChatCalls(messages, options)
  const entries = messages.map((message): TranscriptEntry => {
    const role = textField(message, 'role') ?? (listField(message, 'tool_messages') ? 'tool' : 'unknown')
    return { role, text: messageText(message), calls: [] }
  })
  for (const [index, call] of (effectCalls ?? calls).entries())
    entries[places[index]!]?.calls.push({ index, name: call.name, arguments: call.arguments })
  return entries
}
