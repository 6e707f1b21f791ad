import { escapePattern, isJsonObject } from '../../contract/index.ts'
import { isSameValue } from '../tool-calls/trajectories/match-arguments.ts'
import { listLeaves, writeCanonical, type Leaf } from './json-changes.ts'

export interface StateOptions {
  /** `part`: only what is expected counts; what else changed is free. */
  match: 'whole' | 'part'
  /** Paths that do not count: `orders.*.returnedAt`. `*` is one step, `**` any number. */
  ignore?: readonly string[] | undefined
  /** Lists whose order does not count. */
  unordered?: readonly string[] | undefined
}

interface StateDifference {
  /** `tasks.task_1.status` */
  path: string
  /** Undefined: it should not be there, or is not. */
  expected: unknown
  actual: unknown
}

export interface StateCredit {
  /** 0 to 1. */
  score: number
  differences: StateDifference[]
  /** Entities that were changed, or should have been. */
  entities: number
}

/** Two steps of a path name an entity: `orders.W1`. */
const ENTITY_STEPS = 2

/** Between the steps of a path: a key may have dots in it, and `*` is one step with all of its dots. */
const STEP = '\0'

/** `isExact`: only the place itself, not what is in it. */
function compilePaths(patterns: readonly string[] = [], isExact = false): (path: readonly string[]) => boolean {
  const compiled = patterns.map((pattern) => {
    const steps = pattern
      .split(/(\*\*|\*|\.)/)
      .map((piece) =>
        piece === '**' ? '.*' : piece === '*' ? `[^${STEP}]*` : piece === '.' ? `[.${STEP}]` : escapePattern(piece),
      )
    return new RegExp(`^${steps.join('')}${isExact ? '$' : `(?:[.${STEP}]|$)`}`, 's')
  })
  return (path) => compiled.some((pattern) => pattern.test(path.join(STEP)))
}

function sortLists(
  value: unknown,
  isUnordered: (path: readonly string[]) => boolean,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => sortLists(item, isUnordered, [...path, String(index)]))
    return isUnordered(path) ? items.toSorted((a, b) => (writeCanonical(a) < writeCanonical(b) ? -1 : 1)) : items
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, sortLists(inner, isUnordered, [...path, key])]),
  )
}

/** Where the part says anything: the paths of what it has that is no object. */
function listMentions(part: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isJsonObject(part) || Object.keys(part).length === 0) return [path]
  return Object.entries(part).flatMap(([key, inner]) => listMentions(inner, [...path, key]))
}

/** The world with the part in it; null: not there. */
function withPart(world: unknown, part: unknown): unknown {
  if (!isJsonObject(part)) return part
  const entries = new Map(Object.entries(isJsonObject(world) ? world : {}))
  for (const [key, value] of Object.entries(part))
    if (value === null) entries.delete(key)
    else entries.set(key, withPart(entries.get(key), value))
  return Object.fromEntries(entries)
}

/** Where the part says null, a field that is there and null is as good as none. */
function withoutNulls(world: unknown, part: unknown): unknown {
  if (!isJsonObject(world) || !isJsonObject(part)) return world
  const wanted = new Map(Object.entries(part))
  return Object.fromEntries(
    Object.entries(world)
      .filter(([key, value]) => value !== null || wanted.get(key) !== null)
      .map(([key, value]) => [key, withoutNulls(value, wanted.get(key))]),
  )
}

/** An empty list or object that was filled, or the other way round: what is in it says so. */
function isOnlyFilling({ path, value }: Leaf, other: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  let there = other
  for (const step of path) {
    if (typeof there !== 'object' || there === null || !Object.hasOwn(there, step)) return false
    there = new Map<string, unknown>(Object.entries(there)).get(step)
  }
  return typeof there === 'object' && there !== null && Array.isArray(there) === Array.isArray(value)
}

const GONE = Symbol('gone')

/** What changed, leaf by leaf; a leaf that is gone has a mark for its value. */
function listChanges(before: unknown, after: unknown, counts: (path: readonly string[]) => boolean): Map<string, Leaf> {
  const [from, to] = [listLeaves(before), listLeaves(after)]
  const changes = new Map<string, Leaf>()
  for (const [key, leaf] of to) {
    const isKept = from.has(key) && isSameValue(from.get(key)!.value, leaf.value)
    if (counts(leaf.path) && !isKept && !isOnlyFilling(leaf, before)) changes.set(key, leaf)
  }
  for (const [key, leaf] of from)
    if (counts(leaf.path) && !to.has(key) && !isOnlyFilling(leaf, after))
      changes.set(key, { path: leaf.path, value: GONE })
  return changes
}

const isSameChange = (a: Leaf | undefined, b: Leaf | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  (a.value === GONE || b.value === GONE ? a.value === b.value : isSameValue(a.value, b.value))

/**
 * How near the world is to what it should be: changed leaves are grouped by entity, each entity scores the same changes
 * over all changes, and the mean counts. Nothing expected and nothing changed is 1.
 */
export function creditEndState(
  { before, expected, actual }: { before: unknown; expected: { world: unknown } | { part: unknown }; actual: unknown },
  { match, ignore, unordered }: StateOptions,
): StateCredit {
  const isUnordered = compilePaths(unordered, true)
  const part = 'part' in expected ? expected.part : undefined
  const sorted = (value: unknown) => sortLists(withoutNulls(value, part), isUnordered)
  const start = sorted(before)
  const wanted = sorted('part' in expected ? withPart(before, expected.part) : expected.world)
  const found = sorted(actual)
  const isIgnored = compilePaths(ignore)
  const mentioned =
    match === 'whole'
      ? [[]]
      : 'part' in expected
        ? listMentions(expected.part)
        : [...listChanges(start, wanted, () => true).values()].map(({ path }) => path)
  const counts = (path: readonly string[]): boolean =>
    !isIgnored(path) && mentioned.some((place) => place.every((step, index) => path[index] === step))
  const should = listChanges(start, wanted, counts)
  const did = listChanges(start, found, counts)
  const all = new Map([...should, ...did])
  const byEntity = Map.groupBy(all, ([, { path }]) => JSON.stringify(path.slice(0, ENTITY_STEPS)))
  const scores = Array.from(byEntity.values(), (changes) => {
    const same = changes.filter(([key]) => isSameChange(should.get(key), did.get(key)))
    return same.length / changes.length
  })
  const [wantedLeaves, foundLeaves] = [listLeaves(wanted), listLeaves(found)]
  const differences = Array.from(all)
    .filter(([key]) => !isSameChange(should.get(key), did.get(key)))
    .map(([key, { path }]) => ({
      path: path.join('.'),
      expected: wantedLeaves.get(key)?.value,
      actual: foundLeaves.get(key)?.value,
    }))
  const score = scores.length === 0 ? 1 : scores.reduce((sum, one) => sum + one, 0) / scores.length
  return { score, differences, entities: scores.length }
}
