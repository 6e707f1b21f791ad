import type { ExpectedCall, Requestor } from '../../../scoring/tool-calls/index.ts'
import { readCall, readChatCalls } from './chat-calls.ts'
import { field, idField, isFields, listField, numberField, textField, type Fields } from './fields.ts'
import { readReward, type ToolResultFormat } from './format.ts'

export const SIMULATION_LISTS = ['simulations']

/** tau2-bench: `{ info, tasks, simulations }`, each simulation with `reward_info` and flat `tool_calls`. */
export const tau2Bench: ToolResultFormat = {
  name: 'tau2-bench',
  looksLike: 'an object with simulations',

  recognises: (record, fields) =>
    isFields(record) &&
    Object.hasOwn(record, 'task_id') &&
    !Object.hasOwn(record, 'traj') &&
    (Object.hasOwn(fields, 'simulations') ||
      Object.hasOwn(record, 'reward_info') ||
      Object.hasOwn(record, 'termination_reason')),

  read(record, { fields, index }) {
    const taskId = idField(record, 'task_id') ?? String(index)
    const messages = listField(record, 'messages')
    const { reward, problems: rewardProblems } = readReward(field(record, 'reward_info'), taskId)
    const { calls, problems } = readChatCalls(messages ?? [])
    const expected = messages === undefined ? null : readExpected(record, findTask(fields, taskId))
    const trial = numberField(record, 'trial')
    return {
      taskId,
      ...(trial !== undefined && { trial }),
      ...(reward !== undefined && { reward }),
      expected,
      calls,
      problems: [
        ...problems,
        ...rewardProblems,
        ...(messages === undefined ? ['calls that cannot be read' as const] : []),
        ...(expected === null ? ['no expected actions (not scored)' as const] : []),
      ],
    }
  },
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

/** Reads the recorded checks, or else the task's own actions. If both are empty, no action is expected. */
function readExpected(record: unknown, task: unknown): ExpectedCall[] | null {
  const checks = listField(field(record, 'reward_info'), 'action_checks')
  if (checks && checks.length > 0) return readActions(checks.map((check) => field(check, 'action')))
  const actions = listField(field(task, 'evaluation_criteria'), 'actions')
  if (actions) return readActions(actions)
  return checks && task === undefined ? [] : null
}

function readActions(actions: readonly unknown[]): ExpectedCall[] {
  return actions.flatMap((action) => {
    const call = readCall(action)
    if (!call) return []
    const compared = listField(action, 'compare_args')?.filter((name) => typeof name === 'string')
    const requestor: Requestor | undefined = textField(action, 'requestor') === 'user' ? 'user' : undefined
    return [
      { name: call.name, arguments: call.arguments, ...(compared && { compared }), ...(requestor && { requestor }) },
    ]
  })
}
