import { isJsonObject, type JsonEdit } from '../../contract/index.ts'
import { isSameValue } from '../tool-calls/trajectories/match-arguments.ts'

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapeKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** What changed from one JSON value to another, as JSON Patch (RFC 6902). */
export function findEdits(before: unknown, after: unknown, path = ''): JsonEdit[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const shared = Math.min(before.length, after.length)
    const edits = before.slice(0, shared).flatMap((item, index) => findEdits(item, after[index], `${path}/${index}`))
    // From the end: removing an item moves those after it.
    const removed = before
      .slice(shared)
      .map((_, index): JsonEdit => ({ op: 'remove', path: `${path}/${before.length - 1 - index}` }))
    const added = after
      .slice(shared)
      .map((value: unknown, index): JsonEdit => ({ op: 'add', path: `${path}/${shared + index}`, value }))
    return [...edits, ...removed, ...added]
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
    return [
      ...removed.map((key): JsonEdit => ({ op: 'remove', path: `${path}/${escapeKey(key)}` })),
      ...Object.entries(after).flatMap(([key, value]) => {
        const at = `${path}/${escapeKey(key)}`
        return Object.hasOwn(before, key)
          ? findEdits(before[key], value, at)
          : [{ op: 'add' as const, path: at, value }]
      }),
    ]
  }
  return isSameValue(before, after) ? [] : [{ op: 'replace', path, value: after }]
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  // A key may be `__proto__`.
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function applyEdit(value: unknown, [key, ...rest]: readonly string[], edit: JsonEdit): unknown {
  if (key === undefined) return edit.op === 'remove' ? undefined : edit.value
  if (Array.isArray(value)) {
    const list: unknown[] = [...value]
    const index = key === '-' ? list.length : Number(key)
    if (rest.length > 0) list[index] = applyEdit(list[index], rest, edit)
    else if (edit.op === 'remove') list.splice(index, 1)
    else list.splice(index, edit.op === 'replace' ? 1 : 0, edit.value)
    return list
  }
  const object: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(isJsonObject(value) ? value : {})) setOwn(object, name, inner)
  if (rest.length > 0) setOwn(object, key, applyEdit(Object.hasOwn(object, key) ? object[key] : undefined, rest, edit))
  else if (edit.op === 'remove') delete object[key]
  else setOwn(object, key, edit.value)
  return object
}

/** The value after these edits; the one before is not changed. */
export function applyEdits(value: unknown, edits: readonly JsonEdit[]): unknown {
  return edits.reduce((now, edit) => applyEdit(now, edit.path.split('/').slice(1).map(unescapeKey), edit), value)
}

/** Objects of both, and in them again; of anything else, the later one counts. */
export function mergeJson(base: unknown, over: unknown): unknown {
  if (over === undefined) return base
  if (!isJsonObject(base) || !isJsonObject(over)) return over
  const merged: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(base)) setOwn(merged, key, value)
  for (const [key, value] of Object.entries(over))
    setOwn(merged, key, Object.hasOwn(merged, key) ? mergeJson(merged[key], value) : value)
  return merged
}

/** Everything in a value that holds nothing else, by its path; an empty list or object counts too. */
export function listLeaves(
  value: unknown,
  path: readonly string[] = [],
  into = new Map<string, Leaf>(),
): Map<string, Leaf> {
  const entries = isContainer(value) ? Object.entries(value) : []
  if (entries.length === 0) into.set(JSON.stringify(path), { path, value })
  for (const [key, inner] of entries) listLeaves(inner, [...path, key], into)
  return into
}

export interface Leaf {
  path: readonly string[]
  value: unknown
}

/** JSON with its keys in alphabetical order: the same for the same value. */
export function writeCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeCanonical(item)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${writeCanonical(value[key])}`).join(',')}}`
}
