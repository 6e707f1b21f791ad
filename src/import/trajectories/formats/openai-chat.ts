import { isJsonObject } from '../../../contract/index.ts'
import type { Trajectory } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import { addChatMessages, addRecordFacts, addUsageOf } from '../chat-messages.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder } from '../recorder.ts'
import { firstField } from '../values.ts'

const NAME = 'openai-chat'

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Messages of OpenAI's chat API: lists, requests with their replies, or one a line; streamed pieces too. */
export const openaiChat: TrajectoryReader = {
  name: NAME,
  looksLike: 'messages of OpenAI’s chat API',

  recognises: (sample) =>
    sample.length > 0 &&
    (sample.every(isChunk) ||
      sample.every(isMessage) ||
      sample.every((record) => {
        const messages = findMessages(record)
        return messages.length > 0 && messages.every(isMessage)
      })),

  read(source) {
    const records = [...source.records()]
    // A file of lines can be one conversation, a message a line.
    const runs = records.every(isChunk)
      ? [{ messages: joinChunks(records), model: textField(records[0], 'model'), usage: findUsage(records) }]
      : records.every((record) => !Array.isArray(record) && isMessage(record))
        ? [records]
        : records
    return runs.map((record) => readRun(record, source.file))
  },
}

const isMessage = (value: unknown): boolean =>
  roles.has(textField(value, 'role') ?? '') &&
  ['content', 'tool_calls', 'function_call', 'refusal'].some((name) => field(value, name) !== undefined)

const isChunk = (value: unknown): boolean => textField(value, 'object') === 'chat.completion.chunk'

function findMessages(record: unknown): readonly unknown[] {
  if (Array.isArray(record)) return record
  const request = firstField(record, 'request', 'input', 'body')
  const asked = listField(record, 'messages') ?? listField(request, 'messages') ?? []
  const response = firstField(record, 'response', 'output') ?? record
  const choices = listField(response, 'choices') ?? listField(field(response, 'body'), 'choices')
  return [...asked, ...(choices?.slice(0, 1).map((choice) => field(choice, 'message')) ?? [])]
}

function readRun(record: unknown, file: string): Trajectory {
  const recorder = createRecorder({ file, format: NAME, marksErrors: false })
  const response = firstField(record, 'response', 'output')
  const request = firstField(record, 'request', 'input', 'body')
  const model = textField(response, 'model') ?? textField(record, 'model') ?? textField(request, 'model')
  addChatMessages(findMessages(record), recorder, { model })
  addUsageOf(firstField(record, 'usage') ?? field(response, 'usage'), recorder)
  addRecordFacts(record, firstField(record, 'tools', 'functions') ?? field(request, 'tools'), recorder)
  return recorder.finish()
}

const findUsage = (chunks: readonly unknown[]): unknown =>
  chunks.map((chunk) => field(chunk, 'usage')).findLast((usage) => isJsonObject(usage))

interface StreamedCall {
  id?: string | undefined
  name: string
  arguments: string
}

/** Puts streamed pieces together: arguments arrive in pieces, by the index of their call. */
function joinChunks(chunks: readonly unknown[]): unknown[] {
  const answers = new Map<string, { content: string; calls: Map<number, StreamedCall> }>()
  for (const chunk of chunks) {
    const key = idField(chunk, 'id') ?? ''
    const answer = answers.get(key) ?? { content: '', calls: new Map() }
    answers.set(key, answer)
    const delta = field(listField(chunk, 'choices')?.[0], 'delta')
    answer.content += textField(delta, 'content') ?? ''
    for (const piece of listField(delta, 'tool_calls') ?? []) {
      const index = numberField(piece, 'index') ?? 0
      const call = answer.calls.get(index) ?? { name: '', arguments: '' }
      answer.calls.set(index, call)
      call.id ??= textField(piece, 'id')
      call.name += textField(field(piece, 'function'), 'name') ?? ''
      call.arguments += textField(field(piece, 'function'), 'arguments') ?? ''
    }
  }
  return [...answers.values()].map(({ content, calls }) => ({
    role: 'assistant',
    content,
    tool_calls: [...calls.values()].map(({ id, name, arguments: given }) => ({
      id,
      function: { name, arguments: given },
    })),
  }))
}
