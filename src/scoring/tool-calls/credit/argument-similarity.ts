import { isList, isJsonObject, LongInteger, ScoringError, ownValue } from '../../../contract/index.ts'
import { AcceptedValues, loosenText } from './accepted-values.ts'

/** Deeper recursion could overflow the stack. */
export const MAX_DEPTH = 1000

interface Comparison {
  depth: number
  looseText: boolean
}

/**
 * How much of the expected value the actual one contains, 0 to 1. Equal values score 1, different JSON types 0. An
 * object scores the mean over its expected keys (a missing key 0, extra keys free), a list the mean best match of its
 * expected items, anything else 0 or 1. An empty object or list expects nothing and scores 1.
 */
export function argumentSimilarity(expected: unknown, actual: unknown): number {
  return compareArguments(expected, actual, { depth: 0, looseText: false })
}

function compareArguments(expected: unknown, actual: unknown, comparison: Comparison): number {
  if (expected instanceof AcceptedValues) {
    const inside = { depth: comparison.depth + 1, looseText: expected.looseText }
    return bestMatch(expected.values, (value) => compareArguments(value, actual, inside))
  }
  if (isJsonObject(expected)) {
    if (!isJsonObject(actual)) return 0
    const keys = Object.keys(expected)
    if (keys.length === 0) return 1
    const inside = deeper(comparison)
    let sum = 0
    for (const key of keys) {
      const wanted = expected[key]
      if (Object.hasOwn(actual, key)) sum += compareArguments(wanted, ownValue(actual, key), inside)
      else if (mayBeLeftOut(wanted)) sum += 1
    }
    return sum / keys.length
  }
  if (isList(expected)) {
    if (!isList(actual)) return 0
    if (expected.length === 0) return 1
    const inside = deeper(comparison)
    let sum = 0
    for (const wanted of expected) sum += bestMatch(actual, (item) => compareArguments(wanted, item, inside))
    return sum / expected.length
  }
  return isSameScalar(expected, actual, comparison.looseText) ? 1 : 0
}

export function mayBeLeftOut(expected: unknown): boolean {
  return expected instanceof AcceptedValues && expected.isOptional
}

export function isSameScalar(expected: unknown, actual: unknown, looseText = false): boolean {
  if (expected === actual) return true
  if (expected instanceof LongInteger) return expected.equals(actual)
  if (actual instanceof LongInteger) return actual.equals(expected)
  return (
    looseText &&
    typeof expected === 'string' &&
    typeof actual === 'string' &&
    loosenText(expected) === loosenText(actual)
  )
}

function bestMatch<Item>(items: readonly Item[], similarityTo: (item: Item) => number): number {
  let best = 0
  for (const item of items) {
    const similarity = similarityTo(item)
    if (similarity > best) best = similarity
    if (best === 1) break
  }
  return best
}

// Comparison only descends where both sides are nested, so a value that is deep on one side only is harmless.
function deeper({ depth, looseText }: Comparison): Comparison {
  if (depth >= MAX_DEPTH)
    throw new ScoringError('json-too-deep', `the arguments are nested more than ${MAX_DEPTH} levels deep on both sides`)
  return { depth: depth + 1, looseText }
}
