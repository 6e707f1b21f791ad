import { asText } from '../../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, textField } from '../../tool-results/formats/fields.ts'
import { addUsageOf } from '../chat-messages.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { firstField, readOfferedTools, readParts } from '../values.ts'

const NAME = 'openai-responses'

const isItemType = (type: string | undefined): boolean =>
  type !== undefined && /^(message|reasoning|\w+_call|\w+_call_output|mcp_list_tools|mcp_approval_re\w+)$/.test(type)

/** Items of OpenAI's Responses API: a list, a request with its response, or streamed events. */
export const openaiResponses: TrajectoryReader = {
  name: NAME,
  looksLike: 'items of OpenAI’s Responses API',

  recognises: (sample) => {
    if (sample.length === 0) return false
    if (sample.every((event) => textField(event, 'type')?.startsWith('response.'))) return true
    // A file of items, one a line.
    if (sample.every((item) => isItemType(textField(item, 'type')) || textField(item, 'role') !== undefined))
      return sample.some((item) => isItemType(textField(item, 'type')))
    return sample.every((record) => findItems(record).some((item) => isItemType(textField(item, 'type'))))
  },

  read(source) {
    const records = [...source.records()]
    const runs = records.every((event) => textField(event, 'type')?.startsWith('response.'))
      ? [joinEvents(records)]
      : records.every((item) => isItemType(textField(item, 'type')) || textField(item, 'role') !== undefined)
        ? [records]
        : records
    return runs.map((record) => readRun(record, source.file))
  },
}

function findItems(record: unknown): readonly unknown[] {
  if (Array.isArray(record)) return record
  const response = firstField(record, 'response') ?? record
  const request = firstField(record, 'request') ?? record
  const input = field(request, 'input')
  const asked = typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : []
  const given = listField(record, 'items') ?? []
  return [...asked, ...given, ...(listField(response, 'output') ?? [])]
}

/** Of a stream the last event has the whole response. */
function joinEvents(events: readonly unknown[]): unknown {
  const whole = events.findLast((event) => textField(event, 'type') === 'response.completed')
  if (whole) return field(whole, 'response')
  return events.flatMap((event) =>
    textField(event, 'type') === 'response.output_item.done' ? field(event, 'item') : [],
  )
}

function readRun(record: unknown, file: string): Trajectory {
  const recorder = createRecorder({ file, format: NAME, marksErrors: false })
  const response = firstField(record, 'response') ?? record
  const model = textField(response, 'model')
  readItems(findItems(record), recorder, model)
  addUsageOf(field(response, 'usage'), recorder)
  recorder.facts.id = idField(response, 'conversation_id', 'id') ?? null
  recorder.facts.task = idField(record, 'task_id', 'taskId', 'custom_id') ?? null
  const tools = readOfferedTools(field(response, 'tools'))
  if (tools) recorder.facts.tools = tools
  return recorder.finish()
}

/** Reads items in order: `call_id` connects a call with its output, not `id`. */
function readItems(items: readonly unknown[], recorder: Recorder, model?: string): void {
  let current: TrajectoryStep | undefined
  const agentStep = (): TrajectoryStep => {
    if (!current) {
      // Items between two inputs are one reply.
      recorder.addAssistantTurn(model)
      current = recorder.addStep({ source: 'agent', text: '', ...(model !== undefined && { model }) })
    }
    return current
  }
  for (const item of items) {
    const type = textField(item, 'type') ?? (textField(item, 'role') === undefined ? 'an item without type' : 'message')
    if (type === 'message') {
      const role = textField(item, 'role')
      const text = readParts(field(item, 'content'))
      if (role === 'assistant') {
        const step = agentStep()
        step.text = step.text === '' ? text : `${step.text}\n${text}`
        continue
      }
      current = undefined
      recorder.addStep({ source: role === 'user' ? 'user' : 'system', text })
      if (role === 'user') recorder.addUserTurn()
    } else if (type === 'reasoning') {
      const text = readParts(listField(item, 'summary'))
      if (text !== '') agentStep().reasoning = text
    } else if (type.endsWith('_output')) {
      current = undefined
      const output = field(item, 'output')
      recorder.answer({ id: idField(item, 'call_id'), text: readParts(output) || asText(output) })
    } else if (type.endsWith('_call')) addCall(item, type, { recorder, step: agentStep() })
    else if (!type.startsWith('mcp_')) recorder.noteUnknown(type)
  }
}

function addCall(item: unknown, type: string, { recorder, step }: { recorder: Recorder; step: TrajectoryStep }): void {
  const id = idField(item, 'call_id', 'id')
  const input = firstField(item, 'arguments', 'action', 'code', 'queries')
  const custom = field(item, 'input')
  recorder.addCall(step, {
    id,
    name: textField(item, 'name') ?? type,
    input: custom === undefined ? (type === 'code_interpreter_call' ? { code: input } : input) : { input: custom },
  })
  // The provider runs these itself and puts what came back into the call.
  if (type === 'mcp_call') {
    const error = field(item, 'error')
    const output = error === undefined || error === null ? field(item, 'output') : error
    if (output !== undefined && output !== null) recorder.answer({ id, text: asText(output) })
  } else if (/^(web_search|file_search|code_interpreter|image_generation)_call$/.test(type)) {
    const outcome = firstField(item, 'results', 'outputs', 'status')
    if (outcome !== undefined) recorder.answer({ id, text: asText(outcome) })
  }
}
