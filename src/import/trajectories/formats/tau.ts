import { isJsonObject } from '../../../contract/index.ts'
import type { TaskKey, Trajectory } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ToolResultFormat } from '../../tool-results/formats/format.ts'
import { tau2Bench } from '../../tool-results/formats/tau2-bench.ts'
import { tauBench } from '../../tool-results/formats/tau-bench.ts'
import { addChatMessages, addUsageOf } from '../chat-messages.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { firstText, readNumber } from '../values.ts'

const isSimulation = (record: unknown): boolean =>
  field(record, 'task_id') !== undefined &&
  (field(record, 'reward_info') !== undefined || field(record, 'termination_reason') !== undefined) &&
  (Array.isArray(field(record, 'messages')) || Array.isArray(field(record, 'ticks')))

/** tau2-bench and tau3-bench: `{ info, tasks, simulations }`, or a file for each simulation. */
export const tau2: TrajectoryReader = {
  name: 'tau2',
  looksLike: 'tau2-bench simulations',
  recognises: ([first]) => (listField(first, 'simulations') ?? [first]).some(isSimulation),
  read: (source) =>
    [...source.records()].flatMap((document) => {
      const fields = isJsonObject(document) ? document : {}
      const simulations = listField(document, 'simulations') ?? [document]
      return simulations
        .filter(isSimulation)
        .map((simulation, index) => readSimulation({ simulation, fields, index, file: source.file }))
    }),
}

interface Read {
  simulation: unknown
  fields: Fields
  index: number
  file: string
}

function readSimulation({ simulation, fields, index, file }: Read): Trajectory {
  const recorder = createRecorder({ file, format: tau2.name, marksErrors: true })
  const agent = field(field(fields, 'info'), 'agent_info')
  const messages = listField(simulation, 'messages') ?? []
  const model = firstText(agent, 'llm') ?? firstText(simulation, 'agent_llm')
  addChatMessages(messages, recorder, { isError: (message) => field(message, 'error') === true, model })
  // A voice conversation is recorded by ticks, in which both sides may speak.
  if (messages.length === 0) addTicks(listField(simulation, 'ticks') ?? [], recorder, model)
  for (const message of messages)
    if (textField(message, 'role') === 'assistant') addUsageOf(field(message, 'usage'), recorder)
  const { facts } = recorder
  facts.id = idField(simulation, 'id') ?? null
  facts.trial = numberField(simulation, 'trial') ?? null
  facts.cost = readNumber(field(simulation, 'agent_cost')) ?? null
  facts.seconds = readNumber(field(simulation, 'duration')) ?? null
  facts.outcome = textField(simulation, 'termination_reason') ?? null
  addKey({ format: tau2Bench, record: simulation, fields, index, facts })
  const task = findTask(fields, facts.task ?? null)
  const instructions = writeInstructions(field(field(task, 'user_scenario'), 'instructions'))
  if (instructions !== '') facts.userInstructions = instructions
  const foreign = findForeignTask(simulation, task)
  if (foreign !== undefined) facts.foreignTask = foreign
  return recorder.finish()
}

function findTask(fields: Fields, id: string | null): unknown {
  return (listField(fields, 'tasks') ?? []).find((task) => idField(task, 'id') === id)
}

/** A text, or an object of texts. */
function writeInstructions(instructions: unknown): string {
  if (typeof instructions === 'string') return instructions
  if (!isJsonObject(instructions)) return ''
  return Object.values(instructions)
    .map(writeInstructions)
    .filter((text) => text !== '')
    .join('\n')
}

/** The task in the file can be another one than that the simulation was judged by: then their actions differ. */
function findForeignTask(simulation: unknown, task: unknown): string | undefined {
  const info = field(simulation, 'reward_info')
  const checks = listField(info, 'action_checks')
  const actions = listField(field(task, 'evaluation_criteria'), 'actions')
  const note = textField(field(field(info, 'info'), 'action'), 'note') ?? ''
  const isEmpty = /no actions to evaluate/i.test(note)
  if (!actions || (!isEmpty && (!checks || checks.length === 0))) return undefined
  const judged = isEmpty ? [] : (checks ?? []).map((check) => writeAction(field(check, 'action')))
  const written = actions.map(writeAction)
  if (judged.toSorted().join('\n') === written.toSorted().join('\n')) return undefined
  const name = (list: readonly string[]) => list.find((one) => one !== '')?.slice(0, 120) ?? 'nothing'
  const [onlyJudged, onlyWritten] = [
    judged.filter((one) => !written.includes(one)),
    written.filter((one) => !judged.includes(one)),
  ]
  return `judged by ${name(onlyJudged)}, but its task says ${name(onlyWritten)}`
}

const writeAction = (action: unknown): string => {
  const given = field(action, 'arguments')
  const sorted = isJsonObject(given)
    ? Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : {}
  return `${textField(action, 'name') ?? ''}(${JSON.stringify(sorted)})`
}

function addTicks(ticks: readonly unknown[], recorder: Recorder, model: string | undefined): void {
  for (const tick of ticks)
    for (const name of [
      'user_chunk',
      'user_tool_calls',
      'agent_chunk',
      'agent_tool_calls',
      'user_tool_results',
      'agent_tool_results',
    ]) {
      const given = field(tick, name)
      const isUser = name.startsWith('user_')
      if (name.endsWith('_chunk')) {
        if (isJsonObject(given)) addChatMessages([given], recorder, { model })
      } else if (name.endsWith('_calls') && Array.isArray(given) && given.length > 0)
        addChatMessages([{ role: isUser ? 'user' : 'assistant', content: '', tool_calls: given }], recorder, { model })
      else if (Array.isArray(given))
        addChatMessages(
          given.map((reply) => ({ ...Object(reply), role: 'tool' })),
          recorder,
          { isError: (message) => field(message, 'error') === true },
        )
    }
}

/** tau-bench: a list of records with `traj`. */
export const tau: TrajectoryReader = {
  name: 'tau-bench',
  looksLike: 'tau-bench records (task_id and traj)',
  recognises: (sample) =>
    sample.flat().length > 0 && sample.flat().every((record) => Array.isArray(field(record, 'traj'))),
  read: (source) =>
    [...source.records()].flat().map((record, index) => {
      const recorder = createRecorder({ file: source.file, format: tau.name, marksErrors: false })
      addChatMessages(listField(record, 'traj') ?? [], recorder)
      const { facts } = recorder
      facts.trial = numberField(record, 'trial') ?? null
      facts.cost = readNumber(field(field(record, 'info'), 'total_cost')) ?? null
      addKey({ format: tauBench, record, fields: {}, index, facts })
      const instruction = textField(field(field(record, 'info'), 'task'), 'instruction')
      if (instruction !== undefined) facts.userInstructions = instruction
      return recorder.finish()
    }),
}

interface Key {
  format: ToolResultFormat
  record: unknown
  fields: Fields
  index: number
  facts: Partial<Trajectory>
}

/** The task, its verdict and what it expects, as partial credit reads them. */
function addKey({ format, record, fields, index, facts }: Key): void {
  const read = format.read(record, { fields, index, readTyped: () => record })
  facts.task = read.taskId
  facts.reward = read.reward ?? null
  // The program crashed, not the agent.
  if (read.failure !== undefined) facts.outcome = `error: ${read.failure}`
  if (read.unscored !== undefined) facts.unscored = read.unscored
  if (read.expected) {
    const key: TaskKey = { calls: read.expected, said: read.outputs?.expected ?? [] }
    facts.expected = key
  }
}
