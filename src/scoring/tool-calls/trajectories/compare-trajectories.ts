import type { PairedComparison } from '../../../statistics/paired-comparison.ts'
import { validateValue } from '../../json-schema.ts'
import { comparePairs } from '../comparison.ts'
import { isFailedCall } from '../credit/failed-reply.ts'
import { findEmptyClaims } from './claims.ts'
import { isSameValue } from './match-arguments.ts'
import { listCalls, withSubagents, type RecordedCall, type Trajectory } from './trajectory.ts'

/** What describes a run of an agent. None of it is a score: fewer calls need not be better. */
const trajectoryMeasures = [
  'calls',
  'errors',
  'errorRate',
  'unknownTools',
  'refusedBySchema',
  'repeats',
  'unanswered',
  'turns',
  'inputTokens',
  'outputTokens',
  'cost',
  'seconds',
  'emptyClaims',
] as const

export type TrajectoryMeasure = (typeof trajectoryMeasures)[number]

/** The figures of one run with its sub-agents; `null` where its file does not record them. */
export type TrajectoryFigures = Record<TrajectoryMeasure, number | null>

export interface ModelFigures {
  model: string
  trajectories: number
  tasks: number
  /** The mean over the runs that have the figure. */
  means: TrajectoryFigures
}

export interface FigureComparison {
  a: string
  b: string
  measure: TrajectoryMeasure
  /** A − B over the tasks of both, trials averaged; `null` if they share none with the figure. */
  paired: PairedComparison | null
}

export interface TrajectoryComparison {
  models: ModelFigures[]
  comparisons: FigureComparison[]
}

/** Describes each model's runs, and compares each pair of models task by task. */
export function compareTrajectories(trajectories: readonly Trajectory[]): TrajectoryComparison {
  const known = new Set(trajectories.flatMap((trajectory) => listCalls(trajectory).map(({ name }) => name)))
  const runs = joinContinued(trajectories).map((trajectory) => ({
    model: trajectory.model ?? 'unknown',
    task: trajectory.task,
    figures: measureTrajectory(trajectory, known),
  }))
  const byModel = [...Map.groupBy(runs, ({ model }) => model)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const models = byModel.map(([model, own]): ModelFigures => {
    const means = trajectoryMeasures.map((measure) => [
      measure,
      meanOfKnown(own.map(({ figures }) => figures[measure])),
    ])
    return {
      model,
      trajectories: own.length,
      tasks: new Set(own.flatMap(({ task }) => task ?? [])).size,
      means: Object.fromEntries(means),
    }
  })
  const files = byModel.map(([name, own]) => ({
    name,
    rows: own.flatMap(({ task, figures }) => (task === null ? [] : [{ taskId: task, figures }])),
  }))
  const comparisons = trajectoryMeasures.flatMap((measure) =>
    comparePairs(files, { measure, valueOf: ({ figures }) => figures[measure] }).map(
      ({ paired, ...pair }): FigureComparison => ({ ...pair, measure, paired: paired && withoutScoreFacts(paired) }),
    ),
  )
  return { models, comparisons }
}

/** Scores lie between 0 and 1; what follows from that does not hold for counts. */
function withoutScoreFacts(comparison: PairedComparison): PairedComparison {
  const paired = { ...comparison }
  delete paired.rareFailures
  delete paired.plan
  return paired
}

const meanOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** A run that goes on in another file is one run, whose last file has the tokens and cost of all. */
function joinContinued(trajectories: readonly Trajectory[]): Trajectory[] {
  const nameOf = (file: string) => file.replaceAll('\\', '/').split('/').at(-1)!
  const joined = new Set<Trajectory>()
  const whole = trajectories.map((trajectory) => {
    const before = trajectories.filter(
      ({ continuedBy, file }) =>
        continuedBy !== undefined &&
        file !== trajectory.file &&
        nameOf(trajectory.file).endsWith(nameOf(continuedBy)) &&
        nameOf(trajectory.file).startsWith(nameOf(file).replace(/\.json$/, '')),
    )
    for (const one of before) joined.add(one)
    return before.length === 0
      ? trajectory
      : { ...trajectory, steps: [...before.flatMap(({ steps }) => steps), ...trajectory.steps] }
  })
  return whole.filter((_, index) => !joined.has(trajectories[index]!))
}

/** Measures one run; its sub-agents' calls, tokens and cost are part of it. */
export function measureTrajectory(trajectory: Trajectory, knownTools: Iterable<string> = []): TrajectoryFigures {
  const agents = withSubagents(trajectory)
  const calls = agents.flatMap(listCalls)
  const answered = calls.filter(({ result }) => result !== undefined)
  const errors = agents.reduce((sum, agent) => sum + countErrors(agent), 0)
  const offered = agents.flatMap(({ tools = [] }) => tools)
  const total = (valueOf: (agent: Trajectory) => number | null): number | null => {
    const known = agents.map(valueOf).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
  }
  return {
    calls: calls.length,
    errors,
    errorRate: answered.length === 0 ? null : errors / answered.length,
    unknownTools:
      offered.length === 0 ? null : calls.filter(({ name }) => offered.every((tool) => tool.name !== name)).length,
    refusedBySchema: offered.some(({ parameters }) => parameters)
      ? calls.filter((call) => isRefused(call, offered)).length
      : null,
    repeats: agents.reduce((sum, agent) => sum + countRepeats(listCalls(agent)), 0),
    unanswered: calls.length - answered.length,
    turns: agents.reduce((sum, { assistantTurns }) => sum + assistantTurns, 0),
    inputTokens: total(({ usage }) => usage.inputTokens),
    outputTokens: total(({ usage }) => usage.outputTokens),
    cost: total(({ cost }) => cost),
    seconds: trajectory.seconds,
    emptyClaims: findEmptyClaims(trajectory, knownTools).length,
  }
}

/** By the marks of the format; where it has none, by what the tools replied. */
function countErrors(trajectory: Trajectory): number {
  return trajectory.errors ?? listCalls(trajectory).filter(isFailedCall).length
}

/** Calls that are the same as the one right before them. */
function countRepeats(calls: readonly RecordedCall[]): number {
  let repeats = 0
  calls.forEach((call, index) => {
    const before = calls[index - 1]
    if (before && before.name === call.name && isSameValue(before.arguments, call.arguments)) repeats += 1
  })
  return repeats
}

function isRefused(
  call: RecordedCall,
  offered: readonly { name: string; parameters?: Record<string, unknown> }[],
): boolean {
  const schema = offered.find(({ name }) => name === call.name)?.parameters
  if (!schema) return false
  if (call.unreadableArguments !== undefined) return true
  try {
    return validateValue(call.arguments, withoutPatterns(schema)) !== undefined
  } catch {
    // A schema that is none refuses nothing.
    return false
  }
}

/** A pattern of a stranger's file could take for ever. */
function withoutPatterns(schema: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'pattern' && typeof value === 'string' ? undefined : value,
    ),
  )
}
