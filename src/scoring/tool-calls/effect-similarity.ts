import { ScoringError } from '../../contract/index.ts'
import { AcceptedValues } from './accepted-values.ts'
import { DEEPEST, isSameScalar, mayBeLeftOut } from './argument-similarity.ts'
import { isList, isObject, ownValue } from './json-values.ts'
import { assignOptimally } from './optimal-assignment.ts'

/** Above this many unequal items a side, items are paired in their order: the assignment's cost grows with the cube. */
const MOST_ASSIGNED = 200

/**
 * How alike two sets of arguments are in what they do, 0 to 1. Unlike the seed's similarity it looks both ways: an
 * argument or a list item that was not asked for costs as much as a missing one. `null` is the same as left out, lists
 * are compared whatever their order, and `5` and `"5"` are the same value, since the tool took either.
 */
export function effectSimilarity(expected: unknown, actual: unknown): number {
  return compare(expected, actual, 0)
}

/** As `effectSimilarity`, for values inside the arguments. */
export function detailSimilarity(expected: unknown, actual: unknown): number {
  return compare(expected, actual, 1)
}

function compare(expected: unknown, actual: unknown, depth: number): number {
  if (expected instanceof AcceptedValues)
    return expected.values.reduce<number>(
      (best, value) =>
        Math.max(best, isSameScalar(value, actual, expected.looseText) ? 1 : compare(value, actual, depth + 1)),
      0,
    )
  if (depth > DEEPEST)
    throw new ScoringError('json-too-deep', `the arguments are nested more than ${DEEPEST} levels deep on both sides`)
  if (isObject(expected)) return isObject(actual) ? compareObjects(expected, actual, depth + 1) : 0
  if (isList(expected)) return isList(actual) ? compareLists(expected, actual, depth + 1) : 0
  return isSameScalar(expected, actual) || isSameNumber(expected, actual) ? 1 : 0
}

function compareObjects(expected: Record<string, unknown>, actual: Record<string, unknown>, depth: number): number {
  let sum = 0
  let count = 0
  for (const key of Object.keys(expected)) {
    const wanted = expected[key]
    const given = ownValue(actual, key) ?? null
    if (wanted === null && given === null) continue
    count += 1
    sum += given === null && mayBeLeftOut(wanted) ? 1 : compare(wanted, given, depth)
  }
  // A whole argument that nobody asked for is an effect of its own; a detail inside one (a flight's origin beside its
  // number) only says again what the tool knows.
  if (depth === 1)
    for (const key of Object.keys(actual)) if (actual[key] !== null && !Object.hasOwn(expected, key)) count += 1
  return count === 0 ? 1 : sum / count
}

function compareLists(expected: readonly unknown[], actual: readonly unknown[], depth: number): number {
  const longer = Math.max(expected.length, actual.length)
  if (longer === 0) return 1
  if (longer === 1) return expected.length === actual.length ? compare(expected[0], actual[0], depth) : 0
  if (longer <= MOST_ASSIGNED) {
    const equal = countEqual(expected, actual)
    if (equal !== undefined) return equal / longer
  }
  return pairItems(expected, actual, depth).reduce((sum, { similarity }) => sum + similarity, 0) / longer
}

function kindOf(items: readonly unknown[]): string | undefined {
  const kind = typeof items[0]
  return kind !== 'object' && items.every((item) => typeof item === kind) ? kind : undefined
}

/** How many items two lists of texts, or of numbers, have in common: such items are alike or not, so nothing need be assigned. */
function countEqual(expected: readonly unknown[], actual: readonly unknown[]): number | undefined {
  const kind = kindOf(expected)
  if (kind === undefined || kind !== kindOf(actual)) return undefined
  const left = [...actual]
  let equal = 0
  for (const wanted of expected) {
    const found = left.indexOf(wanted)
    if (found < 0) continue
    equal += 1
    left[found] = left.at(-1)
    left.pop()
  }
  return equal
}

interface ItemPair {
  expectedIndex: number
  actualIndex: number
  similarity: number
}

/** Which item of the one list stands for which of the other, one to one. */
export function pairItems(expected: readonly unknown[], actual: readonly unknown[], depth = 1): ItemPair[] {
  if (expected.length > MOST_ASSIGNED || actual.length > MOST_ASSIGNED)
    return expected
      .slice(0, actual.length)
      .map((wanted, index) => ({
        expectedIndex: index,
        actualIndex: index,
        similarity: compare(wanted, actual[index], depth),
      }))
      .filter(({ similarity }) => similarity > 0)
  const scores = expected.map((wanted) => actual.map((given) => compare(wanted, given, depth)))
  return (assignFavourites(scores) ?? assignOptimally(scores))
    .map((actualIndex, expectedIndex) => ({
      expectedIndex,
      actualIndex,
      similarity: actualIndex < 0 ? 0 : scores[expectedIndex]![actualIndex]!,
    }))
    .filter(({ similarity }) => similarity > 0)
}

/** Each row's greatest score, where no two rows want the same column: nothing can be better. -1 for a row like nothing. */
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
  if (typeof expected === 'number' && typeof actual === 'string') return isSpelling(actual, expected)
  if (typeof expected === 'string' && typeof actual === 'number') return isSpelling(expected, actual)
  return false
}

// By value, and only for what is spelled as a plain number: an id such as "007" is not 7.
function isSpelling(text: string, value: number): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && Number(text) === value
}
