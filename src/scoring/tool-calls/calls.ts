import { isJsonObject, parseExactJson } from '../../contract/index.ts'
import { readJsonText } from './json-values.ts'
import type { ArgumentDifference } from './credit/argument-differences.ts'

/** Who made the call: in tau2-bench the simulated user has tools too. */
export type Requestor = 'assistant' | 'user'

/** A call that should have been made. */
export interface ExpectedCall {
  name: string
  arguments: unknown
  requestor?: Requestor
  /** The arguments that count (tau2-bench's `compare_args`); all of them if absent. */
  compared?: readonly string[]
  /** Whether its tool changes something, if the file says so; otherwise the tool's name decides. */
  changesSomething?: boolean
  /** Why the tool refuses this call: then it changes nothing, and effects credit does not expect it. */
  refused?: string
}

/** A call that was made, with the tool's reply if it is known. */
export interface ActualCall {
  name: string
  arguments: unknown
  result?: string
  isError?: boolean
  requestor?: Requestor
  /** The arguments as text if they were not valid JSON; they count as `{}`. */
  unreadableArguments?: string
  /** Another call of the same message got a reply and this one did not: it was not carried out. */
  isIgnored?: boolean
}

/** An expected action as callers write it: `kwargs` in tau-bench, `arguments` everywhere else. */
export interface ExpectedActionInput {
  name: string
  kwargs?: unknown
  arguments?: unknown
  requestor?: Requestor
  compared?: readonly string[]
}

/** An actual call as callers write it: arguments as an object or as the JSON text that a model sends. */
export interface ActualCallInput {
  name: string
  arguments?: unknown
  result?: unknown
  isError?: boolean
  requestor?: Requestor
}

/** One trial of one task, whatever the format of its file. */
export interface ToolCallRecord {
  taskId: string
  trial: number
  reward?: number
  /** `null` if the record does not say what was expected: it cannot be scored. */
  expected: ExpectedCall[] | null
  calls: ActualCall[]
  /** The calls for effects credit, if they are not the same: written as text, or with the types of BFCL's languages. */
  effectCalls?: ActualCall[]
  /** What the agent must tell the user, and what it said. */
  outputs?: ExpectedOutputs
  /** How arguments are compared for effects credit, if the benchmark has rules of its own. */
  comparison?: ArgumentComparison
  /** The benchmark replays the expected actions with the tools that answered the agent (tau-bench, tau2-bench). */
  isReplayed?: boolean
  /** Why the record is not scored, if `expected` is `null` for another reason than that it has no expected calls. */
  unscored?: string
  /** The trial crashed (tau-bench's `info.error`): the score is 0. */
  failure?: string
  /** Every tool counts, whatever its name: BFCL tests the calls themselves, not their effects. */
  everyToolCounts?: boolean
  problems: RecordProblem[]
}

/** Texts, numbers and dates the agent must say, and its messages to the user. */
export interface ExpectedOutputs {
  expected: readonly string[]
  said: readonly string[]
}

/** Compares the arguments of an expected and an actual call of the same tool. */
export interface ArgumentComparison {
  /** Every call counts as it stands: none repeats, undoes or refuses another, and there are no replies. */
  isLiteral?: boolean
  /** 0 to 1; 1 only if the benchmark would accept the call. */
  similarity(action: ExpectedCall, call: ActualCall): number
  differences(action: ExpectedCall, call: ActualCall): ArgumentDifference[]
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
  | 'null action_checks and a note (not scored)'
  | 'no readable call'
  | 'no readable call (not scored)'
  | 'calls written as text, which calls credit does not read'
  | 'several turns, which only BFCL’s own simulation can check (not scored)'
  | 'an answer that only BFCL’s own checker can grade (not scored)'
  | 'a reward that is not a number'

/** Models send arguments as JSON text, some as JSON text of JSON text. Text that does not parse counts as `{}` and is kept to be shown. */
export function readArguments(input: unknown): { arguments: unknown; unreadableArguments?: string } {
  if (input === undefined || input === null) return { arguments: {} }
  if (typeof input !== 'string') return { arguments: input }
  try {
    return { arguments: readJsonText(parseExactJson(input)) }
  } catch {
    return { arguments: {}, unreadableArguments: input }
  }
}

export function readExpectedAction(action: ExpectedActionInput): ExpectedCall {
  const { name, requestor, compared } = action
  const input = action.kwargs ?? action.arguments ?? {}
  return {
    name,
    arguments: typeof input === 'string' ? readArguments(input).arguments : input,
    ...(requestor && { requestor }),
    ...(compared && { compared }),
  }
}

export function readActualCall(call: ActualCallInput): ActualCall {
  const { name, result, isError, requestor } = call
  return {
    name,
    ...readArguments(call.arguments),
    ...(result !== undefined && { result: typeof result === 'string' ? result : writeReply(result) }),
    ...(isError !== undefined && { isError }),
    ...(requestor && { requestor }),
  }
}

function writeReply(reply: unknown): string {
  try {
    return JSON.stringify(reply) ?? ''
  } catch {
    return isJsonObject(reply) && 'error' in reply ? 'Error' : ''
  }
}
