import { isJsonObject } from '../../contract/index.ts'
import type { RecordedCall, Trajectory, TrajectoryStep } from '../../scoring/tool-calls/index.ts'
import { field, listField } from '../tool-results/formats/fields.ts'

/** What ATIF has no field for is kept in its `extra` under this name, so that reading gives back what was written. */
const OURS = 'benchmaker'

/** The facts of a trajectory that ATIF does not have, or counts in another way. */
const factNames = [
  'task',
  'trial',
  'model',
  'models',
  'userTurns',
  'assistantTurns',
  'results',
  'errors',
  'usage',
  'cost',
  'seconds',
  'outcome',
  'reward',
  'tools',
  'expected',
  'unscored',
  'userInstructions',
  'foreignTask',
  'endState',
  'startedBy',
  'unknown',
] as const satisfies readonly (keyof Trajectory)[]

const callNames = [
  'isError',
  'requestor',
  'unreadableArguments',
  'isIgnored',
] as const satisfies readonly (keyof RecordedCall)[]

const pick = (holder: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(holder).filter(([name]) => names.includes(name)))

export function keepFacts(trajectory: Trajectory): Record<string, unknown> {
  return { [OURS]: pick(trajectory, factNames) }
}

export function restoreFacts(trajectory: Trajectory, document: unknown): Trajectory {
  const kept = field(field(document, 'extra'), OURS)
  return isJsonObject(kept) ? { ...trajectory, ...pick(kept, factNames) } : trajectory
}

/** What a step needs beyond ATIF; undefined if nothing. */
export function keepStep(
  { isInjected, calls }: TrajectoryStep,
  ids: readonly string[],
): Record<string, unknown> | undefined {
  const keptCalls = calls.map((call, index) => ({
    ...pick(call, callNames),
    ...(call.id !== ids[index] && { id: call.id ?? null }),
    ...(!isJsonObject(call.arguments) && { arguments: call.arguments }),
  }))
  const hasCalls = keptCalls.some((call) => Object.keys(call).length > 0)
  if (!isInjected && !hasCalls) return undefined
  return { [OURS]: { ...(isInjected && { isInjected }), ...(hasCalls && { calls: keptCalls }) } }
}

export function restoreStep(step: TrajectoryStep, document: unknown): void {
  if (field(field(field(document, 'extra'), OURS), 'isInjected') === true) step.isInjected = true
}

export function restoreCalls(calls: readonly RecordedCall[], step: unknown): void {
  const kept = listField(field(field(step, 'extra'), OURS), 'calls') ?? []
  for (const [index, call] of calls.entries()) {
    const own = kept[index]
    if (!isJsonObject(own)) continue
    Object.assign(call, pick(own, [...callNames, 'arguments']))
    if (own['id'] === null) delete call.id
    else if (typeof own['id'] === 'string') call.id = own['id']
  }
}
