import type { ActualCall, ExpectedCall } from '../calls.ts'

/** A call as it was recorded, with the id by which its reply was found. */
export interface RecordedCall extends ActualCall {
  id?: string
}

/** One message: what was said, and the calls made in it with their replies. */
export interface TrajectoryStep {
  source: 'system' | 'user' | 'agent'
  text: string
  reasoning?: string
  calls: RecordedCall[]
  /** Replies of the environment that answer no recorded call. */
  observations?: string[]
  model?: string
  /** ISO 8601. */
  time?: string
  /** Of this answer alone, if the file has it for each. */
  outputTokens?: number
  /** In dollars, of this answer alone. */
  cost?: number
  /** Written by the harness in the user's name: a command, a reminder, a summary. */
  isInjected?: true
}

/** Of all requests. `inputTokens` includes what came from a cache, `outputTokens` includes reasoning; `null`: not recorded. */
export interface TrajectoryUsage {
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  reasoningTokens: number | null
}

/** A tool that the agent was offered. */
export interface OfferedTool {
  name: string
  /** A JSON Schema. */
  parameters?: Record<string, unknown>
}

/** What was expected of one task. */
export interface TaskKey {
  /** The expected calls, turn by turn where `turns` says so. */
  calls: readonly ExpectedCall[]
  /** How many of the calls belong to each turn of the user. */
  turns?: readonly number[]
  /** What the agent must say to the user. */
  said?: readonly string[]
  /** Calls that must not be made; without arguments, whatever they are. */
  forbidden?: readonly { name: string; arguments?: unknown }[]
  /** What the world must look like at the end; a part of it. */
  endState?: unknown
}

/** One recorded run of an agent on one task, whatever the format of its file. */
export interface Trajectory {
  file: string
  format: string
  id: string | null
  task: string | null
  trial: number | null
  /** The model that answered most often. */
  model: string | null
  /** How many answers are from each model. */
  models: Record<string, number>
  /** `null` if the format does not tell turns of the user from other input. */
  userTurns: number | null
  assistantTurns: number
  steps: TrajectoryStep[]
  /** How many replies of tools were recorded, of known calls or not. */
  results: number
  /** Replies marked as errors; `null` if the format has no such mark. */
  errors: number | null
  /** Agents that this one started: their calls are their own. */
  subagents: Trajectory[]
  /** The id of the run that started this one, where files of their own say so. */
  startedBy?: string
  usage: TrajectoryUsage
  /** In dollars. */
  cost: number | null
  seconds: number | null
  /** How it ended, in the file's own words. */
  outcome: string | null
  /** The verdict of its benchmark, 0 to 1. */
  reward: number | null
  /** The tools that the agent was offered, if the file says so. */
  tools?: OfferedTool[]
  /** What the file itself says was expected. */
  expected?: TaskKey
  /** Why the file does not say what was expected, if it says why. */
  unscored?: string
  /** What a simulated user was told to want and know. */
  userInstructions?: string
  /** Why the file's task and its verdict are of different runs, if they are. */
  foreignTask?: string
  /** The world at the end, if the file has it. */
  endState?: unknown
  /** The file that goes on where this one ends. */
  continuedBy?: string
  /** Parts of the file that this reader does not know, by kind. */
  unknown: Record<string, number>
}

/** What `trajectories --json` prints of a trajectory. */
export interface TrajectoryCounts extends Omit<
  Trajectory,
  | 'id'
  | 'steps'
  | 'subagents'
  | 'tools'
  | 'expected'
  | 'unscored'
  | 'userInstructions'
  | 'foreignTask'
  | 'endState'
  | 'continuedBy'
  | 'startedBy'
> {
  calls: number
  byName: Record<string, number>
  unanswered: number
  subagents: TrajectoryCounts[]
}

/** The calls that the agent made itself: a simulated user can have tools too. */
export function listCalls({ steps }: Pick<Trajectory, 'steps'>): RecordedCall[] {
  return steps.flatMap(({ calls }) => calls).filter(({ requestor }) => requestor !== 'user')
}

/** A trajectory and all below it. */
export const withSubagents = (trajectory: Trajectory): Trajectory[] => [
  trajectory,
  ...trajectory.subagents.flatMap(withSubagents),
]

export function countTrajectory(trajectory: Trajectory): TrajectoryCounts {
  const { file, format, task, trial, model, models, userTurns, assistantTurns, results, errors } = trajectory
  const { subagents, usage, cost, seconds, outcome, reward, unknown } = trajectory
  const calls = listCalls(trajectory)
  return {
    file,
    format,
    task,
    trial,
    model,
    models,
    userTurns,
    assistantTurns,
    calls: calls.length,
    byName: countNames(calls),
    results,
    errors,
    unanswered: calls.filter(({ result }) => result === undefined).length,
    subagents: subagents.map(countTrajectory),
    usage,
    cost,
    seconds,
    outcome,
    reward,
    unknown,
  }
}

function countNames(calls: readonly RecordedCall[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  // A tool may have any name, `__proto__` too.
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
