import { dirname, join } from 'node:path'
import { isJsonObject, asText } from '../../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { unwrapJson } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { TrajectoryReader, TrajectorySource } from '../reader.ts'
import { createRecorder } from '../recorder.ts'
import { readParts, readTime } from '../values.ts'

const NAME = 'codex'

const knownLines = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
])

/** Items without a result of their own in the conversation. */
const otherItems = new Set([
  'reasoning',
  'ghost_snapshot',
  'agent_message',
  'compaction',
  'compaction_summary',
  'other',
])

/** What the program writes in the user's name. */
const injected = /^\s*(?:<environment_context>|<user_instructions>|#?\s*AGENTS\.md)/

/** Rollouts of Codex: one JSON object a line, since October 2025 wrapped into `payload`. */
export const codex: TrajectoryReader = {
  name: NAME,
  looksLike: 'a Codex rollout (lines with timestamp, type and payload)',

  recognises: (sample) => {
    const wrapped = sample.filter((line) => isJsonObject(field(line, 'payload')))
    if (wrapped.some((line) => knownLines.has(textField(line, 'type') ?? ''))) return true
    const [header, next] = sample
    const isHeader =
      field(header, 'id') !== undefined &&
      field(header, 'timestamp') !== undefined &&
      field(header, 'type') === undefined
    return isHeader && (sample.length === 1 ? 'instructions' in Object(header) : isItem(next))
  },

  async read(source) {
    const recorder = createRecorder({ file: source.file, format: NAME, marksErrors: true })
    const { facts } = recorder
    let fallback: string | undefined
    let usage: unknown
    let current: TrajectoryStep | undefined
    const started: string[] = []

    const agentStep = (time?: string): TrajectoryStep =>
      (current ??= recorder.addStep({ source: 'agent', text: '', ...(time !== undefined && { time }) }))

    const readItem = (item: unknown, time: string | undefined): void => {
      const type = textField(item, 'type') ?? 'an item without type'
      if (type === 'message') readMessage(item, time)
      else if (type === 'reasoning') {
        const text = readParts(listField(item, 'summary'))
        if (text !== '') agentStep(time).reasoning = text
      } else if (type.endsWith('_output') || type === 'tool_result') {
        const output = firstOutput(item)
        recorder.answer({
          id: idField(item, 'call_id'),
          name: textField(item, 'name'),
          text: outputText(output),
          isError: isError(output, type),
        })
        const agent = textField(unwrapJson(output), 'agent_id')
        if (agent !== undefined) started.push(agent)
      } else if (type.endsWith('_call')) {
        const name = textField(item, 'name') ?? textField(field(item, 'function'), 'name') ?? type
        const call = recorder.addCall(agentStep(time), {
          id: idField(item, 'call_id', 'id'),
          name,
          input: readInput(item),
        })
        // The provider runs these itself, and no output follows.
        if (type === 'web_search_call' || type === 'image_generation_call')
          call.result = textField(item, 'status') ?? 'completed'
      } else if (!otherItems.has(type)) recorder.noteUnknown(type)
    }

    const readMessage = (item: unknown, time: string | undefined): void => {
      const role = textField(item, 'role')
      const text = readParts(field(item, 'content'))
      const at = time === undefined ? {} : { time }
      if (role === 'assistant') {
        recorder.addAssistantTurn()
        current = recorder.addStep({ source: 'agent', text, ...at })
        return
      }
      current = undefined
      if (role !== 'user') {
        recorder.addStep({ source: 'system', text, ...at })
        return
      }
      const isInjected = injected.test(text)
      recorder.addStep({ source: 'user', text, ...at, ...(isInjected && { isInjected }) })
      if (!isInjected) recorder.addUserTurn()
    }

    for (const line of source.records()) {
      const payload = field(line, 'payload')
      const type = textField(line, 'type')
      const time = textField(line, 'timestamp')
      recorder.seeTime(readTime(time))
      if (!isJsonObject(payload)) {
        if (type === undefined) {
          if (field(line, 'record_type') === undefined) facts.id ??= idField(line, 'id') ?? null
        } else readItem(line, time)
        continue
      }
      if (type === 'session_meta') {
        // A fork has the header of what it was forked from as well; its own comes first.
        if (facts.id === undefined) {
          const spawn = field(field(field(payload, 'source'), 'subagent'), 'thread_spawn')
          const starter = idField(payload, 'parent_thread_id') ?? idField(spawn, 'parent_thread_id')
          if (starter !== undefined) facts.startedBy = starter
        }
        facts.id ??= idField(payload, 'id') ?? null
        fallback ??= textField(payload, 'model')
      } else if (type === 'turn_context') {
        const model = textField(payload, 'model')
        if (model !== undefined) recorder.countModel(model)
      } else if (type === 'response_item') readItem(payload, time)
      else if (type === 'event_msg') {
        // Cumulative, and repeated: the last one counts. Everything else among the events repeats the items.
        const info = field(payload, 'info')
        const total = field(info, 'total_token_usage')
        if (textField(payload, 'type') === 'token_count' && isJsonObject(total)) usage = total
        if (textField(payload, 'type') === 'turn_aborted') facts.outcome = 'turn_aborted'
        else if (/^(task|turn)_complete$/.test(textField(payload, 'type') ?? '')) facts.outcome = null
      } else if (type === undefined || !knownLines.has(type)) recorder.noteUnknown(type ?? 'a line without type')
    }
    for (let count = source.badLines(); count > 0; count -= 1) recorder.noteUnknown('a line that is not JSON')
    recorder.addUsage({
      inputTokens: numberField(usage, 'input_tokens'),
      outputTokens: numberField(usage, 'output_tokens'),
      cachedTokens: numberField(usage, 'cached_input_tokens'),
      reasoningTokens: numberField(usage, 'reasoning_output_tokens'),
    })
    const trajectory = recorder.finish()
    trajectory.model ??= fallback ?? null
    trajectory.subagents = await readSubagents(source, started)
    return [trajectory]
  },
}

const isItem = (line: unknown): boolean =>
  /^(message|reasoning|.+_call|.+_output)$/.test(textField(line, 'type') ?? '') ||
  textField(line, 'record_type') !== undefined

function firstOutput(item: unknown): unknown {
  return field(item, 'output') ?? field(item, 'result') ?? field(item, 'tools')
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  const text = readParts(output)
  return text === '' ? asText(output) : text
}

/** Arguments are JSON text, a custom tool's input is any text, and the provider's own tools have an action. */
function readInput(item: unknown): unknown {
  const given = field(item, 'arguments')
  if (given !== undefined) return given
  const input = field(item, 'input')
  return input === undefined ? (field(item, 'action') ?? {}) : { input }
}

const errorText = /^\s*(?:error:|tool call error|failed in sandbox)/i

function isError(output: unknown, type: string): boolean {
  const text = outputText(output)
  if (errorText.test(text)) return true
  const reply = isJsonObject(output) ? output : unwrapJson(text)
  if (field(reply, 'success') === false) return true
  const exit = type === 'tool_result' ? field(reply, 'exitCode') : field(field(reply, 'metadata'), 'exit_code')
  return typeof exit === 'number' && exit !== 0
}

async function readSubagents(source: TrajectorySource, started: readonly string[]): Promise<Trajectory[]> {
  if (started.length === 0) return []
  const folder = dirname(source.path)
  const found: Trajectory[] = []
  for (const name of await source.listFolder(folder))
    if (started.some((id) => name.replace(/\.gz$/, '').endsWith(`${id}.jsonl`)) && join(folder, name) !== source.path)
      found.push(...((await source.readRelated(join(folder, name))) ?? []))
  return found
}
