import type { ActualCall, ExpectedCall } from '../calls.ts'
import { isList, isObject } from '../json-values.ts'
import { effectSimilarity } from './effect-similarity.ts'
import { isFailedCall } from './failed-reply.ts'
import { pickCompared } from '../reasons.ts'

const WHY = 'the tool refuses this call: the agent made it and got an error'

/**
 * Expected actions that the tools refuse, with the reason. A benchmark replays its expected actions, and one that fails
 * there changes nothing, so nobody can be asked for its effect. The file shows it if the agent made the very same call,
 * only ever got an error for it, and until then had changed what the call is about exactly as the expected actions before
 * it do. Without this last condition an agent could make an action impossible and be excused from it.
 */
export function findRefused(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  counts: (name: string) => boolean,
): Map<number, string> {
  const refused = new Map<number, string>()
  expected.forEach((action, index) => {
    if (action.refused !== undefined) refused.set(index, action.refused)
  })
  const attempts = calls.filter((call) => counts(call.name) && !call.isIgnored)
  const failed = new Set(attempts.filter(isFailedCall))
  if (failed.size === 0) return refused
  expected.forEach((action, index) => {
    if (refused.has(index) || !counts(action.name)) return
    const same = attempts.filter((call) => isSame(action, call))
    const [first] = same
    if (!first || !same.every((call) => failed.has(call))) return
    const subjects = listSubjects(action.arguments)
    const isRelated = ({ arguments: given }: { arguments: unknown }) =>
      [...listSubjects(given)].some((subject) => subjects.has(subject))
    const changed = attempts.slice(0, attempts.indexOf(first)).filter((call) => !failed.has(call) && isRelated(call))
    const wanted = expected.filter(
      (other, position) => position < index && counts(other.name) && !refused.has(position) && isRelated(other),
    )
    if (isSameSet(wanted, changed)) refused.set(index, WHY)
  })
  return refused
}

function isSame(action: ExpectedCall, call: ActualCall): boolean {
  if (action.name !== call.name) return false
  const [wanted, given] = [pickCompared(action, action.arguments), pickCompared(action, call.arguments)]
  return effectSimilarity(wanted, given) === 1
}

function isSameSet(wanted: readonly ExpectedCall[], changed: readonly ActualCall[]): boolean {
  if (wanted.length !== changed.length) return false
  const remaining = [...changed]
  return wanted.every((action) => {
    const found = remaining.findIndex((call) => isSame(action, call))
    if (found >= 0) remaining.splice(found, 1)
    return found >= 0
  })
}

/** The ids and other longer texts among the arguments: calls that share none are about different things. */
function listSubjects(given: unknown): Set<string> {
  const subjects = new Set<string>()
  const open: unknown[] = [given]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && value.length > 3) subjects.add(value)
    else if (isList(value) || isObject(value)) for (const inner of Object.values(value)) open.push(inner ?? 0)
  }
  return subjects
}
