import { ownValue, isJsonObject } from '../../../contract/index.ts'
import { readArguments } from '../calls.ts'
import { checkOutputs } from '../credit/effects-credit.ts'
import {
  reasonsFor,
  referTo,
  type ActionReason,
  type CallReference,
  type LeftOut,
  type OutputReason,
} from '../reasons.ts'
import { describeDifferences, gradeCalls, type CallTurns } from './grade-calls.ts'
import { readGradeSetting, type GradeSetting } from './grade-settings.ts'
import { findFaults, findMixedUp } from './faults.ts'
import { findLosses, type Fault, type Loss } from './losses.ts'
import { isSameValue } from './match-arguments.ts'
import type { RecordedCall, TaskKey, Trajectory } from './trajectory.ts'

/** The four switches change what `credit` says. */
export interface GradeOptions extends Partial<GradeSetting> {
  /** A name, such as `effects` (the default) or `tool-call-f1`, or the four switches themselves. */
  credit?: string | Partial<GradeSetting>
  /** For `effects`: the tools that change something, or `all`. */
  effectfulTools?: readonly string[] | 'all'
}

export interface TrajectoryGrade {
  file: string
  task: string | null
  trial: number | null
  model: string | null
  /** 0 to 1; `null` if it cannot be graded, and `unscored` says why. */
  score: number | null
  /** Everything expected was done and said, nothing forbidden was done, and the world is as it should be. */
  passed: boolean | null
  unscored?: string
  /** What a judge said, if one graded it. */
  reasoning?: string
  actions: ActionReason[]
  extraCalls: CallReference[]
  leftOut: LeftOut[]
  forbidden: CallReference[]
  said: OutputReason[]
  /** Where the world at the end is not as expected. */
  endState: { path: string; expected: unknown; actual: unknown }[]
  /** All that cost credit, in the order of the conversation, each with who caused it. */
  losses: Loss[]
  /** What the whole run suffers from, whatever the agent did: the infrastructure ended it, or its file mixes up tasks. */
  fault: Fault | null
  /** Not the agent’s failure: the whole run is at fault, or all that cost credit has another cause. */
  excused: boolean
  /** What ended it before both sides were done, such as `max_steps`. */
  endedBy: string | null
  /** The first turn of the user, from 1, that lost credit; `null` if none did. */
  firstLoss: number | null
}

/** The keys of several tasks, by their ids. */
export type TrajectoryKey = TaskKey | ReadonlyMap<string, TaskKey> | Readonly<Record<string, TaskKey>>

/** Grades a trajectory by a key: that of its task, of all tasks, or, without one, by what its own file expects. */
export function gradeTrajectory(
  trajectory: Trajectory,
  key?: TrajectoryKey | undefined,
  { credit = 'effects', effectfulTools, ...switches }: GradeOptions = {},
): TrajectoryGrade {
  const setting = readGradeSetting(credit, switches)
  const own = findKey(trajectory, key)
  const calls = listAllCalls(trajectory)
  const unscored = describeCrash(trajectory) ?? (typeof own === 'string' ? own : findObstacle(trajectory, own, setting))
  if (typeof own === 'string' || unscored !== undefined) return withoutScore(trajectory, unscored ?? '')

  const actual = calls.map(({ call }) => call)
  const turns = splitTurns(own, calls)
  const said = { expected: own.said ?? [], said: listSaid(trajectory) }
  const graded = gradeCalls(own.calls, actual, setting, {
    turns,
    outputs: said,
    isReplayed: isReplayed(trajectory),
    ...(effectfulTools && { effectfulTools }),
  })
  const { actions, extraCalls, leftOut } = reasonsFor({
    credit: 'effects',
    expected: own.calls,
    calls: actual,
    matches: graded.matches,
    leftOut: graded.leftOut,
    differences: describeDifferences,
  })
  const outputs = checkOutputs(said)
  const forbidden = findForbidden(own, actual)
  const endState = own.endState === undefined ? [] : compareState(own.endState, trajectory.endState)
  const agentsExtra = extraCalls.filter(({ index }) => actual[index]!.requestor !== 'user')
  const found = findLosses({ actions, extraCalls: agentsExtra, forbidden, outputs, endState, turns, setting })
  const faults = findFaults(trajectory, own, { losses: found, actions, extraCalls: agentsExtra })
  const losses = found.map((loss, index) => ({ ...loss, fault: faults[index]! }))
  const isDone = graded.score >= 1 - 1e-9 && outputs.every(({ isSaid }) => isSaid)
  const passed = isDone && forbidden.length === 0 && endState.length === 0
  const fault = findMixedUp(trajectory, own)
  return {
    ...identify(trajectory),
    score: graded.score,
    passed,
    fault,
    excused: fault !== null || (!passed && isExplained(losses)),
    endedBy: findEarlyEnd(trajectory),
    actions,
    extraCalls: agentsExtra,
    leftOut,
    forbidden,
    said: outputs,
    endState,
    losses,
    firstLoss: losses[0] ? losses[0].turn + 1 : null,
  }
}

const identify = ({ file, task, trial, model }: Trajectory) => ({ file, task, trial, model })

/** The grade that a judge gave to the whole run; a run that the infrastructure ended has none. */
export function gradeAsJudged(
  trajectory: Trajectory,
  judged: { score: number; reasoning: string; passAt: number } | { unscored: string },
): TrajectoryGrade {
  const crash = describeCrash(trajectory)
  if (crash !== undefined || 'unscored' in judged)
    return withoutScore(trajectory, crash ?? ('unscored' in judged ? judged.unscored : ''))
  const { score, reasoning, passAt } = judged
  const { unscored: _unscored, ...empty } = withoutScore(trajectory, '')
  return { ...empty, score, passed: score >= passAt - 1e-9, reasoning }
}

export const isCrashed = (trajectory: Trajectory): boolean => describeCrash(trajectory) !== undefined

/** True if everything that cost credit has another cause than the agent. */
export const isExplained = (losses: readonly Loss[]): boolean =>
  losses.length > 0 && losses.every(({ fault }) => fault.cause !== 'agent')

function withoutScore(trajectory: Trajectory, unscored: string): TrajectoryGrade {
  const { outcome } = trajectory
  const fault = isCrash(outcome) ? { cause: 'harness' as const, rule: 'H1' as const, evidence: outcome } : null
  return {
    ...identify(trajectory),
    score: null,
    passed: null,
    unscored,
    fault,
    excused: fault !== null,
    endedBy: findEarlyEnd(trajectory),
    actions: [],
    extraCalls: [],
    leftOut: [],
    forbidden: [],
    said: [],
    endState: [],
    losses: [],
    firstLoss: null,
  }
}

function findKey(trajectory: Trajectory, key: TrajectoryKey | undefined): TaskKey | string {
  const { task, expected, unscored } = trajectory
  if (key === undefined) return expected ?? unscored ?? 'there is no key, and its file does not say what was expected'
  if (isTaskKey(key)) return parseCalls(key)
  if (task === null) return 'its task is not known; name it with --task-from'
  const found = key instanceof Map ? key.get(task) : isJsonObject(key) ? ownValue(key, task) : undefined
  return isTaskKey(found) ? parseCalls(found) : `the key has no task ${JSON.stringify(task)}`
}

/** Callers may write arguments as the JSON text that a model sends. */
function parseCalls(key: TaskKey): TaskKey {
  return {
    ...key,
    calls: key.calls.map((call) =>
      typeof call.arguments === 'string' ? { ...call, arguments: readArguments(call.arguments).arguments } : call,
    ),
  }
}

function isTaskKey(key: unknown): key is TaskKey {
  return isJsonObject(key) && Array.isArray(ownValue(key, 'calls'))
}

/** Signs of calls in text, which this format does not keep apart from what was said. */
const writtenCall = /<tool_call>|<function[=_]|"keystrokes"\s*:|^\s*Action(?: Input)?\s*:/m

/** Runs that ended because of something else than the agent have no score. */
const infrastructure =
  /infrastructure|unexpected[_ ]error|time(?:d?[_ -]?)?out|rate.?limit|connection|environment.?error|user_error|cancell?ed|^error\b|exit_(?:error|api)|^\w*(?:Error|Exception)$/i

const agentsOwn = /agent_error|too_many_errors|tool_error|parse/i

const isCrash = (outcome: string | null): outcome is string =>
  outcome !== null && infrastructure.test(outcome) && !agentsOwn.test(outcome) && !/^submitted\b/.test(outcome)

const describeCrash = ({ outcome }: Trajectory): string | undefined =>
  isCrash(outcome) ? `it ended by ${outcome.slice(0, 80)}, which is not the agent’s doing` : undefined

/** The conversation was cut off: neither side had ended it. */
const cutOff = /max_|too_many|limit|exit_|agent_error|before the user stopped/i

const findEarlyEnd = ({ outcome }: Trajectory): string | null =>
  outcome !== null && !isCrash(outcome) && cutOff.test(outcome) ? outcome : null

function findObstacle({ steps, endState }: Trajectory, key: TaskKey, setting: GradeSetting): string | undefined {
  if (key.endState !== undefined && endState === undefined)
    return 'the key names an end state, and the file does not record the world at the end'
  if (setting.scope === 'turn' && !key.turns && steps.filter(isTurn).length > 1)
    return 'the key does not say which calls belong to which turn'
  const hasNoCalls = steps.every(({ calls }) => calls.length === 0)
  if (
    hasNoCalls &&
    key.calls.length > 0 &&
    steps.some(({ source, text }) => source === 'agent' && writtenCall.test(text))
  )
    return 'its calls are written as text, which this format does not tell from other text'
  return undefined
}

const isTurn = ({ source, isInjected }: Trajectory['steps'][number]): boolean => source === 'user' && !isInjected

/** These benchmarks replay the expected calls with the same tools. */
const isReplayed = ({ format }: Trajectory): boolean => format === 'tau2' || format === 'tau-bench'

interface PlacedCall {
  call: RecordedCall
  turn: number
}

/** All calls with the turn of the user in which they were made, from 0; those of a simulated user too. */
function listAllCalls({ steps }: Trajectory): PlacedCall[] {
  let turn = -1
  return steps.flatMap((step) => {
    if (isTurn(step)) turn += 1
    return step.calls.map((call) => ({ call, turn: Math.max(0, turn) }))
  })
}

function splitTurns({ calls, turns }: TaskKey, made: readonly PlacedCall[]): CallTurns {
  const expected = turns
    ? turns.flatMap((count, turn) => Array.from({ length: count }, () => turn))
    : calls.map(() => 0)
  return {
    expected,
    actual: made.map(({ turn }) => turn),
    count: turns ? turns.length : 1,
  }
}

/** What the user read: messages of the agent. */
function listSaid({ steps }: Trajectory): string[] {
  return steps.filter(({ source, text }) => source === 'agent' && text !== '').map(({ text }) => text)
}

function findForbidden({ forbidden = [] }: TaskKey, calls: readonly RecordedCall[]): CallReference[] {
  return calls.flatMap((call, index) => {
    const isForbidden = forbidden.some(({ name, arguments: given }) => {
      if (name !== call.name) return false
      return given === undefined || containsPart(call.arguments, given)
    })
    return isForbidden && call.requestor !== 'user' ? [referTo(call, index)] : []
  })
}

const containsPart = (whole: unknown, part: unknown): boolean => compareState(part, whole).length === 0

/** Where the world lacks what is expected of it; what is not mentioned may be anything. */
function compareState(expected: unknown, actual: unknown, path = ''): TrajectoryGrade['endState'] {
  if (!isJsonObject(expected)) return isSameValue(expected, actual) ? [] : [{ path, expected, actual }]
  return Object.entries(expected).flatMap(([name, wanted]) =>
    compareState(
      wanted,
      isJsonObject(actual) ? ownValue(actual, name) : undefined,
      path === '' ? name : `${path}.${name}`,
    ),
  )
}
