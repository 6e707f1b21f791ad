import { asText } from '../../../contract/index.ts'
import type { Trajectory } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import { addRecordFacts } from '../chat-messages.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { firstField, readParts } from '../values.ts'
import { addUsage } from './claude-code.ts'

const NAME = 'anthropic-messages'

const callTypes = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
const isCall = (block: unknown) => callTypes.has(textField(block, 'type') ?? '')
const isResult = (block: unknown) => textField(block, 'type')?.endsWith('tool_result') ?? false

/** Messages of Anthropic's API with `tool_use` and `tool_result` blocks; streamed events too. */
export const anthropicMessages: TrajectoryReader = {
  name: NAME,
  looksLike: 'messages of Anthropic’s API (tool_use and tool_result blocks)',

  recognises: (sample) =>
    isStream(sample) ||
    sample.some((record) =>
      findMessages(record).some((message) =>
        (listField(message, 'content') ?? []).some(
          (block) => (isCall(block) && field(block, 'input') !== undefined) || isResult(block),
        ),
      ),
    ),

  read(source) {
    const records = [...source.records()]
    const runs = isStream(records)
      ? [joinEvents(records)]
      : records.length > 1 && records.every((record) => isMessage(record))
        ? [records]
        : records
    return runs.map((record) => readRun(record, source.file))
  },
}

const isMessage = (value: unknown): boolean =>
  textField(value, 'role') !== undefined && field(value, 'content') !== undefined

const isStream = (sample: readonly unknown[]): boolean =>
  textField(sample[0], 'type') === 'message_start' && field(sample[0], 'message') !== undefined

function findMessages(record: unknown): readonly unknown[] {
  if (Array.isArray(record)) return record
  const request = firstField(record, 'request', 'params', 'input', 'body')
  const asked = listField(record, 'messages') ?? listField(request, 'messages') ?? []
  const response = firstField(record, 'response', 'output', 'message')
  return [...asked, ...(isMessage(response) ? [response] : []), ...(isMessage(record) ? [record] : [])]
}

function readRun(record: unknown, file: string): Trajectory {
  const recorder = createRecorder({ file, format: NAME, marksErrors: true })
  const response = firstField(record, 'response', 'output', 'message')
  const model = textField(response, 'model') ?? textField(record, 'model')
  for (const message of findMessages(record)) readMessage(message, recorder, model)
  addUsage(recorder, firstField(record, 'usage') ?? field(response, 'usage'))
  addRecordFacts(record, field(record, 'tools'), recorder)
  return recorder.finish()
}

function readMessage(message: unknown, recorder: Recorder, model: string | undefined): void {
  const role = textField(message, 'role')
  const content = field(message, 'content')
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const text = readParts(blocks.filter((block) => textField(block, 'type') === 'text'))
  if (role === 'assistant') {
    const own = textField(message, 'model') ?? model
    recorder.addAssistantTurn(own)
    const step = recorder.addStep({ source: 'agent', text, ...(own !== undefined && { model: own }) })
    const reasoning = blocks.map((block) => textField(block, 'thinking')).filter((thought) => thought !== undefined)
    if (reasoning.length > 0) step.reasoning = reasoning.join('\n')
    for (const block of blocks)
      if (isCall(block))
        recorder.addCall(step, {
          id: idField(block, 'id'),
          name: textField(block, 'name') ?? '',
          input: field(block, 'input'),
        })
  } else {
    const hasReplies = blocks.some(isResult)
    if (!hasReplies || text !== '') {
      const isTurn = role === 'user' && !hasReplies
      recorder.addStep({
        source: role === 'user' ? 'user' : 'system',
        text,
        ...(role === 'user' && !isTurn && { isInjected: true as const }),
      })
      if (isTurn) recorder.addUserTurn()
    }
  }
  // Tools of the provider are answered within its own message.
  for (const block of blocks)
    if (isResult(block)) {
      const inside = field(block, 'content')
      recorder.answer({
        id: idField(block, 'tool_use_id'),
        text: readParts(inside) || asText(inside),
        isError: field(block, 'is_error') === true || (textField(inside, 'type')?.endsWith('_error') ?? false),
      })
    }
}

/** Puts the events of streamed messages together. */
function joinEvents(events: readonly unknown[]): unknown[] {
  const messages: { role: string; model: unknown; content: Record<string, unknown>[] }[] = []
  const inputs = new Map<Record<string, unknown>, string>()
  for (const event of events) {
    const type = textField(event, 'type')
    if (type === 'message_start')
      messages.push({ role: 'assistant', model: field(field(event, 'message'), 'model'), content: [] })
    const current = messages.at(-1)
    if (!current) continue
    const index = numberField(event, 'index') ?? 0
    if (type === 'content_block_start') current.content[index] = { ...Object(field(event, 'content_block')) }
    const block = current.content[index]
    if (type !== 'content_block_delta' || !block) continue
    const delta = field(event, 'delta')
    const piece = textField(delta, 'partial_json')
    if (piece !== undefined) inputs.set(block, (inputs.get(block) ?? '') + piece)
    const text = textField(delta, 'text')
    if (text !== undefined) block['text'] = `${textField(block, 'text') ?? ''}${text}`
  }
  for (const [block, input] of inputs) block['input'] = input
  return messages
}
