import { isList, isJsonObject, LongInteger } from '../../../contract/index.ts'
import type { ActualCall, ExpectedCall } from '../calls.ts'
import { effectSimilarity } from './effect-similarity.ts'
import { isFailedCall } from './failed-reply.ts'
import { pickCompared } from '../reasons.ts'

const WHY = 'the tool refuses this call: the agent made it and got an error'

interface Evidence {
  expected: readonly ExpectedCall[]
  calls: readonly ActualCall[]
  counts: (name: string) => boolean
  /** The benchmark replays the expected actions with the tools that answered the agent. */
  isReplayed: boolean
}

/**
 * Expected actions that the tools refuse, with the reason. A benchmark that replays its expected actions gets an error for
 * such an action and expects nothing of it. The file shows it if the agent made the very same call, only ever got an error
 * for it, and until then had changed what the call is about exactly as the expected actions before it do. Without this last
 * condition an agent could make an action impossible and be excused from it; and an error never excuses from everything.
 */
export function findRefused({ expected, calls, counts, isReplayed }: Evidence): Map<number, string> {
  const refused = new Map<number, string>()
  const wanted: number[] = []
  expected.forEach((action, index) => {
    if (!counts(action.name)) return
    if (action.refused === undefined) wanted.push(index)
    else refused.set(index, action.refused)
  })
  const attempts = isReplayed ? calls.filter((call) => counts(call.name) && !call.isIgnored) : []
  const failed = new Set(attempts.filter(isFailedCall))
  if (failed.size === 0) return refused
  let remaining = wanted.length
  for (const index of wanted) {
    const action = expected[index]!
    const same = attempts.filter((call) => isSameCall(action, call))
    const [first] = same
    if (!first || remaining === 1 || !same.every(isLastingError)) continue
    const subjects = listSubjects(action.arguments)
    if (subjects.size === 0) continue
    const isRelated = ({ arguments: given }: { arguments: unknown }) =>
      [...listSubjects(given)].some((subject) => subjects.has(subject))
    const changed = attempts.slice(0, attempts.indexOf(first)).filter((call) => !failed.has(call) && isRelated(call))
    const before = wanted
      .filter((other) => other < index && !refused.has(other))
      .map((other) => expected[other]!)
      .filter(isRelated)
    if (!isSameSet(before, changed)) continue
    refused.set(index, WHY)
    remaining -= 1
  }
  return refused
}

const passingErrors: readonly RegExp[] = [
  /time.?out|timed.out|unavailable|try again|rate.?limit|temporar|overload|connection|network error/i,
  /too many requests|deadline.exceeded|resource.exhausted|quota|deadlock/i,
  /\b(?:http\S*|status(?:.?code)?|code)["']?\s*[:=]?\s*["']?(?:408|429|5\d\d)\b|^\W*5\d\d\b/i,
]

/** True for the errors of simulated tools, which are the same whenever the call is made: not for a timeout. */
export function isLastingError(call: ActualCall): boolean {
  const { result = '' } = call
  return isFailedCall(call) && !passingErrors.some((error) => error.test(result))
}

function isSameCall(action: ExpectedCall, call: ActualCall): boolean {
  if (action.name !== call.name) return false
  const [wanted, given] = [pickCompared(action, action.arguments), pickCompared(action, call.arguments)]
  return effectSimilarity(wanted, given) === 1
}

function isSameSet(wanted: readonly ExpectedCall[], changed: readonly ActualCall[]): boolean {
  if (wanted.length !== changed.length) return false
  const remaining = [...changed]
  return wanted.every((action) => {
    const found = remaining.findIndex((call) => isSameCall(action, call))
    if (found >= 0) remaining.splice(found, 1)
    return found >= 0
  })
}

/** The ids and other longer values among the arguments: calls that share none are about different things. */
export function listSubjects(given: unknown): Set<string> {
  const subjects = new Set<string>()
  const open: { key: string; value: unknown }[] = [{ key: '', value: given }]
  for (let found = open.pop(); found; found = open.pop()) {
    const { key, value } = found
    if (isList(value)) for (const inner of value) open.push({ key, value: inner })
    else if (isJsonObject(value))
      for (const [name, inner] of Object.entries(value)) open.push({ key: name, value: inner })
    else if (isSubject(key, value)) subjects.add(String(value))
  }
  return subjects
}

const idKey = /(?:^|_)ids?$|Ids?$/

/** Small numbers and short words can be amounts and choices: they are subjects only if they look like ids or are named so. */
function isSubject(key: string, value: unknown): boolean {
  if (typeof value !== 'string' && !Number.isInteger(value) && !(value instanceof LongInteger)) return false
  const text = String(value)
  return text.length > 3 || (text !== '' && idKey.test(key)) || (/\d/.test(text) && /\p{L}/u.test(text))
}
