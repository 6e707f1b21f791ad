import type { ExpectedCall, RecordProblem } from '../../../scoring/tool-calls/index.ts'
import { readCall, readChatCalls, readChatTranscript } from './chat-calls.ts'
import { field, idField, listField, numberField } from './fields.ts'
import { readLiteralArguments } from './literal-arguments.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { markRefused } from './retail-orders.ts'
import { isJsonObject } from '../../../contract/index.ts'

/** tau-bench: a list of `{ task_id, reward, info: { task: { actions } }, traj, trial }`. */
export const tauBench: ToolResultFormat = {
  name: 'tau-bench',
  looksLike: 'records with task_id and traj or info',

  recognises: (record) => {
    if (!isJsonObject(record)) return false
    const has = (name: string) => Object.hasOwn(record, name)
    if (has('traj')) return has('task_id') || has('info')
    return has('task_id') && (has('info') || has('reward')) && !has('messages')
  },
  isUnsure: saysNothing,

  read(record, { index }) {
    const taskId = idField(record, 'task_id') ?? String(index)
    const info = field(record, 'info')
    const trajectory = listField(record, 'traj')
    const { reward, problems: rewardProblems } = readReward(record, taskId)
    const read = readChatCalls(trajectory ?? [], { hidesTextBesideCalls: true })
    const { calls, said, problems } = read
    const task = field(info, 'task')
    const actions = readActions(task)
    const effectCalls = readLiteralArguments(read.effectCalls ?? calls, actions) ?? read.effectCalls
    const outputs = (listField(task, 'outputs') ?? []).map(String)
    const failure = readFailure(info)
    const trial = numberField(record, 'trial')
    return {
      taskId,
      ...(trial !== undefined && { trial }),
      ...(reward !== undefined && { reward }),
      // As in the reference implementation: a record without actions expects none.
      expected: markRefused(actions, effectCalls ?? calls, { isStrict: true }),
      calls,
      isReplayed: true,
      ...(effectCalls && { effectCalls }),
      ...(outputs.length > 0 && { outputs: { expected: outputs, said } }),
      ...(failure !== undefined && { failure }),
      problems: [
        ...problems,
        ...rewardProblems,
        ...listProblems({
          hasInfo: isJsonObject(info),
          hasTrajectory: trajectory !== undefined,
          hasFailed: failure !== undefined,
        }),
      ],
    }
  },

  readTranscript: (record) => readChatTranscript(listField(record, 'traj') ?? [], { hidesTextBesideCalls: true }),
}

/** Neither what was expected nor what happened. */
function saysNothing(record: unknown): boolean {
  return field(record, 'info') === undefined && field(record, 'traj') === undefined
}

function listProblems(found: { hasInfo: boolean; hasTrajectory: boolean; hasFailed: boolean }): RecordProblem[] {
  return [
    ...(found.hasInfo ? [] : ['no info' as const]),
    ...(found.hasTrajectory ? [] : ['no traj' as const]),
    ...(found.hasFailed ? ['info.error (scored 0)' as const] : []),
  ]
}

function readActions(task: unknown): ExpectedCall[] {
  return (listField(task, 'actions') ?? []).map((action) => {
    const call = readCall(action)
    // An action without a name still counts, as one that no call can match.
    return call ? { name: call.name, arguments: call.arguments } : { name: '', arguments: {} }
  })
}

function readFailure(info: unknown): string | undefined {
  const error = field(info, 'error')
  if (error === undefined || error === null || error === false || error === '') return undefined
  const text = typeof error === 'string' ? error : (JSON.stringify(error) ?? 'error')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
