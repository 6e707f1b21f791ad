import type { ExpectedCall, Requestor } from '../../../scoring/tool-calls/index.ts'
import { readCall, readChatCalls, readChatTranscript } from './chat-calls.ts'
import { field, idField, listField, numberField, textField, type Fields } from './fields.ts'
import { readLiteralArguments } from './literal-arguments.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { markRefused } from './retail-orders.ts'
import { isJsonObject } from '../../../contract/index.ts'

export const SIMULATION_LISTS = ['simulations']

/** tau2-bench: `{ info, tasks, simulations }`, each simulation with `reward_info` and flat `tool_calls`. */
export const tau2Bench: ToolResultFormat = {
  name: 'tau2-bench',
  looksLike: 'an object with simulations',

  recognises: (record, fields) =>
    isJsonObject(record) &&
    Object.hasOwn(record, 'task_id') &&
    !Object.hasOwn(record, 'traj') &&
    (Object.hasOwn(fields, 'simulations') ||
      Object.hasOwn(record, 'reward_info') ||
      Object.hasOwn(record, 'termination_reason')),

  read(record, { fields, index }) {
    const taskId = idField(record, 'task_id') ?? String(index)
    const messages = listField(record, 'messages')
    const { reward, problems: rewardProblems } = readReward(field(record, 'reward_info'), taskId)
    const read = readChatCalls(messages ?? [])
    const { calls, said, problems } = read
    const task = findTask(fields, taskId)
    const note = readNote(record)
    const actions = messages === undefined || note !== undefined ? null : readExpectedActions(record, task)
    const effectCalls = readLiteralArguments(read.effectCalls ?? calls, actions ?? []) ?? read.effectCalls
    const expected = actions && markRefused(actions, effectCalls ?? calls, { isStrict: false })
    const outputs = readOutputs(record, task)
    const trial = numberField(record, 'trial')
    return {
      taskId,
      ...(trial !== undefined && { trial }),
      ...(reward !== undefined && { reward }),
      expected,
      calls,
      isReplayed: true,
      ...(effectCalls && { effectCalls }),
      ...(outputs.length > 0 && { outputs: { expected: outputs, said } }),
      ...(note !== undefined && { unscored: `tau2-bench did not check its actions: ${note}` }),
      problems: [
        ...problems,
        ...rewardProblems,
        ...(messages === undefined ? ['calls that cannot be read' as const] : []),
        ...(note === undefined
          ? expected === null
            ? ['no expected actions (not scored)' as const]
            : []
          : ['null action_checks and a note (not scored)' as const]),
      ],
    }
  },

  readTranscript: (record) => readChatTranscript(listField(record, 'messages') ?? []),
}

const tasksByFields = new WeakMap<Fields, Map<string, unknown>>()

function findTask(fields: Fields, taskId: string): unknown {
  let tasks = tasksByFields.get(fields)
  if (!tasks) {
    tasks = new Map((listField(fields, 'tasks') ?? []).map((task) => [idField(task, 'id') ?? '', task]))
    tasksByFields.set(fields, tasks)
  }
  return tasks.get(taskId)
}

const LONGEST_NOTE = 200

/**
 * The note of a simulation that tau2-bench did not check: it ended early, or matched none of several outcomes. The task's
 * actions are then not what it was judged by.
 */
function readNote(record: unknown): string | undefined {
  const info = field(record, 'reward_info')
  const note = textField(field(info, 'info'), 'note')
  return note !== undefined && field(info, 'action_checks') === null ? note.slice(0, LONGEST_NOTE) : undefined
}

/** Reads the recorded checks, or else the task's own actions. If both are empty, no action is expected. */
function readExpectedActions(record: unknown, task: unknown): ExpectedCall[] | null {
  const info = field(record, 'reward_info')
  const checks = listField(info, 'action_checks')
  if (checks && checks.length > 0) return markFailed(checks.flatMap(readCheck), info)
  const actions = listField(field(task, 'evaluation_criteria'), 'actions')
  // The simulation was judged, and its task expects none; `tasks` may belong to other simulations.
  const note = textField(field(field(info, 'info'), 'action'), 'note')
  if (note !== undefined) return /no actions to evaluate/i.test(note) || !actions || actions.length === 0 ? [] : null
  if (actions) return markFailed(actions.flatMap(readAction), info)
  return checks && task === undefined ? [] : null
}

type IdentifiedCall = ExpectedCall & { actionId: string | undefined }

function readCheck(check: unknown): IdentifiedCall[] {
  const type = textField(check, 'tool_type')
  return readAction(field(check, 'action')).map((action) => ({
    ...action,
    ...(type !== undefined && { changesSomething: type === 'write' }),
  }))
}

function readAction(action: unknown): IdentifiedCall[] {
  const call = readCall(action)
  if (!call) return []
  const compared = listField(action, 'compare_args')?.filter((name) => typeof name === 'string')
  const requestor: Requestor | undefined = textField(action, 'requestor') === 'user' ? 'user' : undefined
  return [
    {
      name: call.name,
      arguments: call.arguments,
      actionId: idField(action, 'action_id'),
      ...(compared && { compared }),
      ...(requestor && { requestor }),
    },
  ]
}

/** Marks the actions that failed when tau2-bench replayed them, which its later versions record. */
function markFailed(actions: readonly IdentifiedCall[], info: unknown): ExpectedCall[] {
  const inside = field(info, 'info')
  const failed =
    listField(field(inside, 'env'), 'failed_mutating_actions') ?? listField(inside, 'failed_mutating_actions') ?? []
  const ids = new Set(failed.map((action) => idField(action, 'action_id')))
  return actions.map(({ actionId, ...action }) =>
    actionId !== undefined && ids.has(actionId) ? { ...action, refused: 'failed when tau2-bench replayed it' } : action,
  )
}

/** Reads what the agent must tell the user, if the task is judged by it. */
function readOutputs(record: unknown, task: unknown): string[] {
  const info = field(record, 'reward_info')
  const criteria = field(task, 'evaluation_criteria')
  const basis = listField(info, 'reward_basis') ?? listField(criteria, 'reward_basis')
  if (basis && !basis.includes('COMMUNICATE')) return []
  const checks = listField(info, 'communicate_checks')
  if (checks) return checks.flatMap((check) => textField(check, 'info') ?? [])
  if (textField(field(field(info, 'info'), 'communicate'), 'note') !== undefined) return []
  return (listField(criteria, 'communicate_info') ?? []).filter((text) => typeof text === 'string')
}
