import { isObject } from './json-values.ts'

/** Who made a call: in tau2-bench the simulated user has tools too. */
export type Requestor = 'assistant' | 'user'

/** One call that should have been made. */
export interface ExpectedCall {
  name: string
  arguments: unknown
  requestor?: Requestor
  /** Only these arguments count (tau2-bench's `compare_args`); absent: all of them. */
  compared?: readonly string[]
}

/** One call that was made, with what the tool replied where that is known. */
export interface ActualCall {
  name: string
  arguments: unknown
  result?: string
  isError?: boolean
  requestor?: Requestor
  /** Set when the arguments were text that is not JSON: they count as `{}`. */
  unreadableArguments?: string
}

/** An expected action as callers write it: tau-bench says `kwargs`, everyone else `arguments`. */
export interface ExpectedActionInput {
  name: string
  kwargs?: unknown
  arguments?: unknown
  requestor?: Requestor
  compared?: readonly string[]
}

/** An actual call as callers write it: arguments as an object or as the JSON text a model sends. */
export interface ActualCallInput {
  name: string
  arguments?: unknown
  result?: unknown
  isError?: boolean
  requestor?: Requestor
}

/** One scored attempt at one task, whatever file it came from. */
export interface ToolCallRecord {
  taskId: string
  trial: number
  reward?: number
  /** `null`: the record says nothing about what was expected, so it cannot be scored. */
  expected: ExpectedCall[] | null
  calls: ActualCall[]
  /** The run itself broke (tau-bench's `info.error`): the score is 0. */
  failure?: string
  /** Every tool counts, whatever its name (BFCL asks for calls as such). */
  everyToolCounts?: boolean
  problems: RecordProblem[]
}

export type RecordProblem =
  | 'arguments that are not JSON'
  | 'no info'
  | 'no traj'
  | 'info.error (scored 0)'
  | 'the same task and trial again'
  | 'no expected actions (not scored)'
  | 'calls that cannot be read'
  | 'no model result (not scored)'
  | 'a reward that is not a number'

/** Arguments as a model sends them are JSON text; what does not parse counts as `{}` and is kept for the reader. */
export function readArguments(given: unknown): { arguments: unknown; unreadableArguments?: string } {
  if (given === undefined || given === null) return { arguments: {} }
  if (typeof given !== 'string') return { arguments: given }
  try {
    return { arguments: JSON.parse(given) }
  } catch {
    return { arguments: {}, unreadableArguments: given }
  }
}

export function readExpectedAction(action: ExpectedActionInput): ExpectedCall {
  const { name, requestor, compared } = action
  const given = action.kwargs ?? action.arguments ?? {}
  return {
    name,
    arguments: typeof given === 'string' ? readArguments(given).arguments : given,
    ...(requestor && { requestor }),
    ...(compared && { compared }),
  }
}

export function readActualCall(call: ActualCallInput): ActualCall {
  const { name, result, isError, requestor } = call
  return {
    name,
    ...readArguments(call.arguments),
    ...(result !== undefined && { result: typeof result === 'string' ? result : describeReply(result) }),
    ...(isError !== undefined && { isError }),
    ...(requestor && { requestor }),
  }
}

function describeReply(reply: unknown): string {
  try {
    return JSON.stringify(reply) ?? ''
  } catch {
    return isObject(reply) && 'error' in reply ? 'Error' : ''
  }
}
