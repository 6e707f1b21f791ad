import { isList, isJsonObject, LongInteger, readNumeral, ScoringError, ownValue } from '../../../contract/index.ts'
import { AcceptedValues } from './accepted-values.ts'
import { MAX_DEPTH, isSameScalar, mayBeLeftOut } from './argument-similarity.ts'
import { readJsonText } from '../json-values.ts'
import { assignOptimally } from './optimal-assignment.ts'
import { readFullDate } from './said-outputs.ts'

/** Longer lists are paired by position: optimal assignment takes cubic time. */
const MAX_ASSIGNED = 200

/**
 * How similar the effects of two sets of arguments are, 0 to 1. Unlike `argumentSimilarity` it is symmetric: an
 * unexpected argument or list item costs as much as a missing one. `null` counts as omitted, the order of lists does
 * not matter, and `5` equals `"5"`, as `2024-05-20` equals `May 20, 2024`, since the tool accepted either.
 */
export function effectSimilarity(expected: unknown, actual: unknown): number {
  return compareEffects(expected, actual, 0)
}

/** Like `effectSimilarity`, for values inside the arguments. */
export function detailSimilarity(expected: unknown, actual: unknown): number {
  return compareEffects(expected, actual, 1)
}

function compareEffects(wanted: unknown, given: unknown, depth: number): number {
  if (wanted instanceof AcceptedValues)
    return wanted.values.reduce<number>(
      (best, value) =>
        Math.max(best, isSameScalar(value, given, wanted.looseText) ? 1 : compareEffects(value, given, depth + 1)),
      0,
    )
  const [expected, actual] = [readJsonText(wanted), readJsonText(given)]
  if (depth > MAX_DEPTH)
    throw new ScoringError('json-too-deep', `the arguments are nested more than ${MAX_DEPTH} levels deep on both sides`)
  if (isJsonObject(expected)) return isJsonObject(actual) ? compareObjects(expected, actual, depth + 1) : 0
  if (isList(expected)) return isList(actual) ? compareLists(expected, actual, depth + 1) : 0
  return isSameValue(expected, actual) ? 1 : 0
}

/** Equal, or the same number or date in another spelling: the tool accepted either. */
function isSameValue(expected: unknown, actual: unknown): boolean {
  return isSameScalar(expected, actual) || isSameNumber(expected, actual) || isSameDate(expected, actual)
}

function compareObjects(expected: Record<string, unknown>, actual: Record<string, unknown>, depth: number): number {
  let sum = 0
  let count = 0
  for (const key of Object.keys(expected)) {
    const wanted = expected[key]
    const given = ownValue(actual, key) ?? null
    if (wanted === null && given === null) continue
    count += 1
    sum += given === null && mayBeLeftOut(wanted) ? 1 : compareEffects(wanted, given, depth)
  }
  // An unexpected argument is an extra effect. A detail inside an argument (a flight's origin next to its number) only
  // repeats what the tool already knows.
  if (depth === 1)
    for (const key of Object.keys(actual)) if (actual[key] !== null && !Object.hasOwn(expected, key)) count += 1
  return count === 0 ? 1 : sum / count
}

function compareLists(expected: readonly unknown[], actual: readonly unknown[], depth: number): number {
  const longer = Math.max(expected.length, actual.length)
  if (longer === 0) return 1
  if (longer === 1) return expected.length === actual.length ? compareEffects(expected[0], actual[0], depth) : 0
  if (longer <= MAX_ASSIGNED) {
    const equal = countEqual(expected, actual)
    if (equal !== undefined) return equal / longer
  }
  return pairItems(expected, actual, depth).reduce((sum, { similarity }) => sum + similarity, 0) / longer
}

function kindOf(items: readonly unknown[]): string | undefined {
  const kind = typeof items[0]
  return kind !== 'object' && items.every((item) => typeof item === kind && readJsonText(item) === item)
    ? kind
    : undefined
}

/** Counts the items that two lists of strings (or numbers) share: they match or they do not, so counting will do. */
function countEqual(expected: readonly unknown[], actual: readonly unknown[]): number | undefined {
  const kind = kindOf(expected)
  if (kind === undefined || kind !== kindOf(actual)) return undefined
  const remaining = [...actual]
  let equal = 0
  for (const wanted of expected) {
    const found = remaining.findIndex((item) => isSameValue(wanted, item))
    if (found < 0) continue
    equal += 1
    remaining[found] = remaining.at(-1)
    remaining.pop()
  }
  return equal
}

interface ItemPair {
  expectedIndex: number
  actualIndex: number
  similarity: number
}

/** Pairs the items of two lists one to one. */
export function pairItems(expected: readonly unknown[], actual: readonly unknown[], depth = 1): ItemPair[] {
  if (expected.length > MAX_ASSIGNED || actual.length > MAX_ASSIGNED)
    return expected
      .slice(0, actual.length)
      .map((wanted, index) => ({
        expectedIndex: index,
        actualIndex: index,
        similarity: compareEffects(wanted, actual[index], depth),
      }))
      .filter(({ similarity }) => similarity > 0)
  const scores = expected.map((wanted) => actual.map((given) => compareEffects(wanted, given, depth)))
  return (assignFavourites(scores) ?? assignOptimally(scores))
    .map((actualIndex, expectedIndex) => ({
      expectedIndex,
      actualIndex,
      similarity: actualIndex < 0 ? 0 : scores[expectedIndex]![actualIndex]!,
    }))
    .filter(({ similarity }) => similarity > 0)
}

/** Each row's best column, if no two rows share one: that is already optimal. -1 for a row that matches nothing. */
function assignFavourites(scores: readonly (readonly number[])[]): number[] | undefined {
  const columns: number[] = []
  for (const row of scores) {
    let favourite = -1
    for (let column = 0; column < row.length; column += 1)
      if (row[column]! > (favourite < 0 ? 0 : row[favourite]!)) favourite = column
    if (favourite >= 0 && columns.includes(favourite)) return undefined
    columns.push(favourite)
  }
  return columns
}

function isSameNumber(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'string' && typeof actual !== 'string') return false
  const value = readSpelling(expected)
  return value !== undefined && isSameScalar(value, readSpelling(actual))
}

// Only plain spellings of numbers count: an id such as "007" is not 7.
const spelling = /^[$€£]?-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/

function readSpelling(value: unknown): number | LongInteger | undefined {
  if (typeof value === 'number' || value instanceof LongInteger) return value
  if (typeof value !== 'string' || value.length > 30 || !spelling.test(value)) return undefined
  return readNumeral(value.replace(/[$€£,]|\.0+$/g, ''))
}

function isSameDate(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return false
  const [a, b] = [readFullDate(expected), readFullDate(actual)]
  return a !== undefined && b !== undefined && a.year === b.year && a.month === b.month && a.day === b.day
}
