import { isList, cutLine, isJsonObject, tryParseJson, ownValue } from '../../../contract/index.ts'
import { changesSomething } from '../credit/effectful-tools.ts'
import { isFailedCall } from '../credit/failed-reply.ts'
import { isLastingError, listSubjects } from '../credit/refused-actions.ts'
import type { ActionReason, CallReference } from '../reasons.ts'
import type { ExpectedCall } from '../calls.ts'
import { agentsFault, type Fault, type Loss } from './losses.ts'
import { isSameValue } from './match-arguments.ts'
import type { RecordedCall, TaskKey, Trajectory } from './trajectory.ts'
import { findOutputs } from '../credit/said-outputs.ts'

/**
 * True if the text has this value, as people write it: numbers and dates by value, `basic_economy` as `basic economy`,
 * other text as whole words.
 */
function isMentioned(value: unknown, text: string): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const wanted = String(value).trim()
  if (wanted === '') return false
  return findOutputs([wanted, loosen(wanted)], [text, loosen(text)]).includes(true)
}

const loosen = (text: string): string => text.replaceAll(/[_-]+/g, ' ')

const tooCommon = new Set(['yes', 'no', 'true', 'false', 'none', 'null'])

/** Whether a value says something by being mentioned: `yes` is in every conversation. */
function isTelling(value: unknown): boolean {
  if (typeof value === 'number') return true
  return typeof value === 'string' && value.trim().length > 1 && !tooCommon.has(value.trim().toLowerCase())
}

interface Graded {
  losses: readonly Loss[]
  actions: readonly ActionReason[]
  extraCalls: readonly CallReference[]
}

/** What happened, in order, as the rules look at it. */
interface Scene {
  trajectory: Trajectory
  /** All calls, those of a simulated user too, with their step. */
  calls: readonly { call: RecordedCall; step: number }[]
  instructions: string | undefined
}

/** The cause of each loss, in their order. A cause other than the agent needs evidence in the file itself. */
export function findFaults(trajectory: Trajectory, key: TaskKey, graded: Graded): Fault[] {
  const scene: Scene = {
    trajectory,
    calls: trajectory.steps.flatMap(({ calls }, step) => calls.map((call) => ({ call, step }))),
    instructions: trajectory.userInstructions,
  }
  const mixedUp = findMixedUp(trajectory, key)
  const left = findLeaving(scene)
  const ending = findHastyEnding(scene, key, graded)
  return graded.losses.map((loss): Fault => {
    if (mixedUp) return mixedUp
    const expected = loss.expectedIndex === null ? undefined : key.calls[loss.expectedIndex]
    const isMissing = loss.kind === 'missing' && expected !== undefined
    return (
      (expected && findRefusal(expected, scene)) ??
      (isMissing ? findIdleWrite(expected, scene) : undefined) ??
      (isMissing || loss.kind === 'unsaid' ? left : undefined) ??
      (isMissing ? ending : undefined) ??
      (loss.kind === 'differs' ? findSaidValues(loss, graded, scene) : undefined) ??
      agentsFault
    )
  })
}

/** H3: the task in the file is another one than that of the verdict. Only its own key is in doubt, not one that was given. */
export function findMixedUp({ foreignTask, expected }: Trajectory, key: TaskKey): Fault | null {
  return foreignTask !== undefined && key === expected ? { cause: 'file', rule: 'H3', evidence: foreignTask } : null
}

const SHOWN = 160

/** U1: the user’s script did not cover what happened, and no tool had failed before. */
function findLeaving({ trajectory, calls }: Scene): Fault | undefined {
  const step = trajectory.steps.findIndex(
    ({ source, text }) => source === 'user' && /#+\s*OUT-OF-SCOPE\s*#+/i.test(text),
  )
  if (step < 0) return undefined
  if (calls.some((made) => made.step < step && isFailedCall(made.call))) return undefined
  return { cause: 'user', rule: 'U1', step, evidence: cutLine(trajectory.steps[step]!.text, SHOWN) }
}

const stopMark = /#+\s*(?:STOP|TRANSFER)\s*#+/i
const confirms =
  /\b(?:yes|yep|yeah|correct|confirm(?:ed)?|go ahead|proceed|please do|sounds good|that works|agreed?|do it|perfect)\b/i
const declines = /\b(?:don['’]t|do not|cancel that|never ?mind|not (?:now|yet)|wait|instead|rather not)\b/i
const asks = /\?|\bconfirm|\bproceed\b|\(yes\)|["“]yes["”]/i

/** U3: the user ended in the very message that confirms, so that the agent could not do it any more. */
function findHastyEnding({ trajectory }: Scene, key: TaskKey, { losses, extraCalls }: Graded): Fault | undefined {
  const { steps } = trajectory
  const last = steps.findLastIndex(({ source, text }) => source !== 'system' && text !== '')
  const said = steps[last]
  if (said?.source !== 'user' || !stopMark.test(said.text) || steps.slice(last).some(({ calls }) => calls.length > 0))
    return undefined
  const answer = said.text.replace(stopMark, ' ')
  const question = steps.slice(0, last).findLast(({ source, text }) => source === 'agent' && text !== '')
  if (!question || !asks.test(question.text) || !confirms.test(answer) || declines.test(answer)) return undefined
  if (extraCalls.some(({ name }) => changesSomething(name))) return undefined
  const missing = losses.filter(({ kind }) => kind === 'missing')
  const exchange = `${question.text}\n${answer}`
  const isNamed = ({ expectedIndex }: Loss): boolean => {
    const given = key.calls[expectedIndex!]?.arguments
    const ids = listIds(given)
    const named = ids.length > 0 ? ids : listOwnValues(given)
    return named.length > 0 && named.every((value) => isMentioned(value, exchange))
  }
  if (missing.length === 0 || !missing.every(isNamed)) return undefined
  return { cause: 'user', rule: 'U3', step: last, evidence: cutLine(said.text, SHOWN) }
}

/** What a call is about: its own ids, without those of the person and of the money. */
function listIds(given: unknown): string[] {
  const ids = isJsonObject(given)
    ? Object.entries(given).flatMap(([name, value]) => (isIdName(name) ? [value].flat() : []))
    : []
  return ids.filter((id) => typeof id === 'string' || typeof id === 'number').map(String)
}

/** What a call without ids of its own says: an amount, a reason. */
const listOwnValues = (given: unknown): unknown[] =>
  isJsonObject(given)
    ? Object.entries(given).flatMap(([name, value]) => (/ids?$/i.test(name) || !isTelling(value) ? [] : [value]))
    : []

const isIdName = (name: string): boolean =>
  /(?:^|_)ids?$|Ids?$/.test(name) && !/^(?:user|customer|payment|new)|payment/i.test(name)

/** K1: the tool refused the very call that the key expects, though nothing it concerns was changed before. */
function findRefusal(expected: ExpectedCall, { calls }: Scene): Fault | undefined {
  const attempts = calls.filter(
    ({ call }) => call.name === expected.name && isSameValue(expected.arguments, call.arguments),
  )
  const [first] = attempts
  if (!first || !attempts.every(({ call }) => isLastingError(call))) return undefined
  const subjects = listSubjects(expected.arguments)
  const hasChanged = calls
    .slice(0, calls.indexOf(first))
    .some(
      ({ call }) =>
        changesSomething(call.name) &&
        !isFailedCall(call) &&
        [...listSubjects(call.arguments)].some((subject) => subjects.has(subject)),
    )
  if (hasChanged) return undefined
  return { cause: 'key', rule: 'K1', step: first.step, evidence: cutLine(first.call.result ?? '', SHOWN) }
}

/** K4: the expected write leaves everything as it is. */
function findIdleWrite(expected: ExpectedCall, { calls }: Scene): Fault | undefined {
  const given = expected.arguments
  if (!isJsonObject(given) || !changesSomething(expected.name)) return undefined
  for (const [name, before] of Object.entries(given)) {
    const after = ownValue(given, `new_${name}`)
    if (isList(before) && isList(after) && before.length > 0 && isSameValue(sorted(before), sorted(after)))
      return { cause: 'key', rule: 'K4', evidence: `${name} and new_${name} are the same` }
  }
  if (!/(?:^|_)(?:set|update|modify|change|edit)(?:_|$)/.test(expected.name)) return undefined
  const ids = listIds(given)
  const changes = Object.entries(given).filter(([name]) => !/(?:^|_)ids?$|Ids?$/.test(name))
  if (ids.length === 0 || changes.length === 0) return undefined
  for (const { call, step } of calls) {
    const isAbout = ids.every((id) => isMentioned(id, JSON.stringify(call.arguments ?? '')))
    if (!isAbout || isFailedCall(call)) continue
    if (changesSomething(call.name)) return undefined
    const reply = tryParseJson(call.result ?? '')
    if (!isJsonObject(reply) || !changes.every(([name, value]) => isHeld(reply, name, value))) continue
    return { cause: 'key', rule: 'K4', step, evidence: `${call.name} showed the same values` }
  }
  return undefined
}

const sorted = (list: readonly unknown[]): unknown[] => list.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))

/** True if the reply has the value under this name, itself or one level down. */
function isHeld(reply: Record<string, unknown>, name: string, value: unknown): boolean {
  return [reply, ...Object.values(reply).filter(isJsonObject)].some((inside) => {
    const held = ownValue(inside, name)
    return held !== undefined && isSameValue(value, held)
  })
}

/** U4 and K5: the argument that differs is what the user said. */
function findSaidValues(loss: Loss, { actions }: Graded, scene: Scene): Fault | undefined {
  const { instructions, calls, trajectory } = scene
  const found = actions.find(({ index }) => index === loss.expectedIndex)
  const call = loss.call && calls[loss.call.index]
  if (!found || !call || instructions === undefined || found.differences.length === 0) return undefined
  const before = trajectory.steps.slice(0, call.step)
  const sayings = found.differences.map(({ actual, kind }) => {
    if (kind === 'missing' || !isTelling(actual)) return undefined
    const step = before.findIndex(({ source, text }) => source === 'user' && isMentioned(actual, text))
    // What the agent proposed is not the user’s own word.
    const isProposed = before.slice(0, step).some(({ source, text }) => source === 'agent' && isMentioned(actual, text))
    return step < 0 || isProposed ? undefined : { actual, step }
  })
  const said = sayings.filter((saying) => saying !== undefined)
  if (said.length < sayings.length || said.some(({ actual }) => isMentioned(actual, instructions))) return undefined
  const [{ actual, step }] = said as [(typeof said)[0]]
  const evidence = cutLine(trajectory.steps[step]!.text, SHOWN)
  const replies = calls.filter((made) => made.step < call.step).map((made) => made.call.result ?? '')
  if (said.every((one) => !replies.some((reply) => isMentioned(one.actual, reply))))
    return { cause: 'user', rule: 'U4', step, evidence }
  const [only] = found.differences
  const { expected } = only!
  const isOpen =
    found.differences.length === 1 &&
    only!.kind === 'changed' &&
    isTelling(expected) &&
    typeof actual !== 'object' &&
    !isMentioned(expected, instructions) &&
    !before.some(({ source, text }) => source === 'user' && isMentioned(expected, text))
  return isOpen ? { cause: 'key or user', rule: 'K5', step, evidence } : undefined
}
