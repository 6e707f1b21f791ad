import { basename } from 'node:path'
import { isJsonObject } from '../../../contract/index.ts'
import { listToolCalls, readCall } from '../../tool-results/formats/chat-calls.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { readParts, readTime } from '../values.ts'

const NAME = 'swe-agent'

/** SWE-agent's `.traj` files. */
export const sweAgent: TrajectoryReader = {
  name: NAME,
  looksLike: 'a SWE-agent .traj file (history and trajectory)',

  recognises: ([first], file) => {
    const history = listField(first, 'history')
    const steps = listField(first, 'trajectory')
    if (steps && (history || field(first, 'info') !== undefined)) return steps.every(isJsonObject)
    if (Array.isArray(field(first, 'attempts'))) return field(first, 'info') !== undefined
    return history !== undefined && /\.traj(?:\.gz)?$/.test(file)
  },

  read(source) {
    return [...source.records()].flatMap((document) => {
      // Several attempts at one task: each is a trial.
      const attempts = listField(document, 'attempts')
      const runs = attempts && attempts.length > 0 ? attempts : [document]
      return runs.map((run, index) => {
        const recorder = createRecorder({ file: source.file, format: NAME, marksErrors: false })
        const environment = textField(document, 'environment')
        const task = basename(source.file).replace(/\.traj(\.json)?(\.gz)?$/, '')
        recorder.facts.task = task === 'trajectory' && environment !== undefined ? environment : task
        if (runs.length > 1) recorder.facts.trial = index
        readRun(run, recorder)
        return recorder.finish()
      })
    })
  },
}

const isDemonstration = (message: unknown): boolean =>
  field(message, 'is_demo') === true || /^\s*Here is a demonstration\b/.test(readParts(field(message, 'content')))

function readRun(run: unknown, recorder: Recorder): void {
  const history = (listField(run, 'history') ?? []).filter((message) => !isDemonstration(message))
  const actions = (listField(run, 'trajectory') ?? []).filter((step) => (textField(step, 'action') ?? '').trim() !== '')
  const hasCalls = history.some((message) => listToolCalls(message).length > 0)
  if (hasCalls || actions.length === 0) readHistory(history, recorder)
  else readActions(history, actions, recorder)

  const info = field(run, 'info')
  const stats = field(info, 'model_stats')
  recorder.facts.outcome = textField(info, 'exit_status') ?? null
  recorder.addUsage({
    inputTokens: numberField(stats, 'tokens_sent'),
    outputTokens: numberField(stats, 'tokens_received'),
  })
  recorder.addCost(numberField(stats, 'instance_cost'))
  const seconds = (listField(run, 'trajectory') ?? []).map((step) => numberField(step, 'execution_time') ?? 0)
  const total = seconds.reduce((sum, one) => sum + one, 0)
  if (total > 0) recorder.facts.seconds = total
}

function readHistory(history: readonly unknown[], recorder: Recorder): void {
  for (const message of history) {
    const role = textField(message, 'role')
    const text = readParts(field(message, 'content'))
    recorder.seeTime(readTime(field(message, 'timestamp')))
    if (role === 'assistant') {
      recorder.addAssistantTurn()
      const step = recorder.addStep({ source: 'agent', text })
      for (const given of listToolCalls(message)) {
        const call = readCall(given)
        if (call) recorder.addCall(step, { id: idField(given, 'id'), name: call.name, input: call.arguments })
        else recorder.noteUnknown('a call without name')
      }
    } else if (role === 'tool') {
      const ids = listField(message, 'tool_call_ids') ?? [field(message, 'tool_call_id')]
      for (const id of ids) recorder.answer({ id: typeof id === 'string' ? id : undefined, text })
    } else {
      recorder.addStep({ source: role === 'system' ? 'system' : 'user', text })
      if (role === 'user') recorder.addUserTurn()
      else if (role !== 'system') recorder.noteUnknown(`a message from ${role ?? 'nobody'}`)
    }
  }
}

/** Where calls are text, each action is a command, and its first word is the tool. */
function readActions(history: readonly unknown[], actions: readonly unknown[], recorder: Recorder): void {
  for (const message of history) {
    const role = textField(message, 'role')
    // From the first reply on, messages in the user's name are what the commands printed.
    if (role === 'assistant') break
    recorder.addStep({ source: role === 'user' ? 'user' : 'system', text: readParts(field(message, 'content')) })
    if (role === 'user') recorder.addUserTurn()
  }
  for (const taken of actions) {
    const action = (textField(taken, 'action') ?? '').trim()
    recorder.addAssistantTurn()
    const step = recorder.addStep({ source: 'agent', text: textField(taken, 'thought') ?? '' })
    recorder.addCall(step, { name: action.split(/\s+/, 1)[0]!, input: { command: action } })
    const observation = field(taken, 'observation')
    if (typeof observation === 'string') recorder.answer({ text: observation })
  }
}
