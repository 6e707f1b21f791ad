import { isList, isJsonObject, ownValue } from '../../../contract/index.ts'
import type { ActualCall, ExpectedCall } from '../calls.ts'
import { AcceptedValues } from '../credit/accepted-values.ts'
import { argumentSimilarity, isSameScalar } from '../credit/argument-similarity.ts'
import { readJsonText } from '../json-values.ts'
import { pickCompared } from '../reasons.ts'
import type { ArgumentMatch } from './grade-settings.ts'

/** Equal as JSON, or as JSON text: the order of keys does not matter, that of lists does, and 1 is 1.0. */
export function isSameValue(givenA: unknown, givenB: unknown): boolean {
  if (givenA instanceof AcceptedValues) return argumentSimilarity(givenA, givenB) === 1
  const [a, b] = [readJsonText(givenA), readJsonText(givenB)]
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key], ownValue(b, key)))
    )
  }
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => isSameValue(item, b[index]))
  return isSameScalar(a, b)
}

const without = (value: unknown, names: readonly string[]): unknown =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key))) : value

/** True if everything in `part` is in `whole`, with the same value. */
function contains(givenWhole: unknown, givenPart: unknown): boolean {
  const [whole, part] = [readJsonText(givenWhole), readJsonText(givenPart)]
  if (!isJsonObject(part) || !isJsonObject(whole)) return isSameValue(part, whole)
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && isSameValue(part[key], ownValue(whole, key)))
}

/** True if what is expected is there, at any depth; lists are compared item by item (promptfoo). */
function containsDeep(givenWhole: unknown, givenPart: unknown): boolean {
  const [whole, part] = [readJsonText(givenWhole), readJsonText(givenPart)]
  if (isList(part))
    return (
      isList(whole) && whole.length === part.length && part.every((item, index) => containsDeep(whole[index], item))
    )
  if (!isJsonObject(part)) return isSameValue(part, whole)
  return (
    isJsonObject(whole) &&
    Object.keys(part).every((key) => Object.hasOwn(whole, key) && containsDeep(ownValue(whole, key), part[key]))
  )
}

/** Whether the arguments match, by every rule but similarity. */
export function matchArguments(
  match: Exclude<ArgumentMatch, 'similar'>,
  action: ExpectedCall,
  call: ActualCall,
): boolean {
  if (match === 'names') return true
  if (match === 'given') {
    // tau2-bench compares the arguments that the call gives, unless the action lists those that count.
    if (!action.compared) return contains(action.arguments, call.arguments)
    return isSameValue(pickCompared(action, action.arguments), pickCompared(action, call.arguments))
  }
  const [expected, actual] = [pickCompared(action, action.arguments), pickCompared(action, call.arguments)]
  if (match === 'exact') return isSameValue(expected, actual)
  if (match === 'part') return containsDeep(actual, expected)
  return isSameValue(without(expected, match.ignore), without(actual, match.ignore))
}
