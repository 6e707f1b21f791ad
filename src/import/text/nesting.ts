import { InputError } from '../../contract/index.ts'
import { JsonPlaces } from './json-places.ts'

/** Deeper values overflow the stack somewhere. A little less than the web app accepts, so that imported suites can be saved. */
const MAX_LEVELS = 90

export const TOO_DEEP = `is nested deeper than ${MAX_LEVELS} levels`

interface Level {
  entries: Iterator<[PropertyKey, unknown]>
  key: PropertyKey
}

function* entriesOf(value: object): Generator<[PropertyKey, unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield [index, item]
  else for (const key of Object.keys(value)) yield [key, Reflect.get(value, key)]
}

/** The path of the first value that is too deep; a value that contains itself is. Uses no recursion. */
export function findTooDeep(value: unknown): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const levels: Level[] = [{ entries: entriesOf(value), key: '' }]
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.entries.next()
    if (next.done) levels.pop()
    else {
      const [key, inner] = next.value
      if (typeof inner !== 'object' || inner === null) continue
      level.key = key
      if (levels.length >= MAX_LEVELS) return levels.map((outer) => outer.key)
      levels.push({ entries: entriesOf(inner), key: '' })
    }
  }
  return undefined
}

/** Each part of a JSON value takes some 50 bytes of memory, however short it is written. */
const MAX_PARTS = 5_000_000

/** Throws for a JSON text of so many short parts that it takes far more memory than the text itself. */
export function refuseWideJson(text: string, place: string, maxParts = MAX_PARTS): void {
  if (text.length < maxParts) return
  let parts = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isInText = !isInText
    else if (isInText) at += code === 0x5c ? 1 : 0
    // A comma, an opening bracket or an opening brace.
    else if ((code === 0x2c || code === 0x5b || code === 0x7b) && ++parts > maxParts)
      throw new InputError(`${place} has more than ${maxParts} parts, so it was not read; split it`)
  }
}

/** A document that knows its places takes some 2 KB a part. */
export const MAX_LOCATED_PARTS = 1_000_000

/** Throws for YAML of so many lines and items that it would fill memory. Only its parser knows which are in texts: all count. */
export function refuseWideYaml(text: string, file: string): void {
  let parts = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // A line break, a comma, an opening bracket or an opening brace.
    if ((code === 0x0a || code === 0x2c || code === 0x5b || code === 0x7b) && ++parts > MAX_LOCATED_PARTS)
      throw new InputError(
        `${file}: has more than ${MAX_LOCATED_PARTS} lines and items, so it was not read; split it, or write it as JSON`,
      )
  }
}

export function isTooDeep(levels: number): boolean {
  return levels > MAX_LEVELS
}

/** Where in a JSON text the nesting becomes too deep: a parser that builds a tree would overflow on it. */
function findDeepBracket(text: string): number {
  let depth = 0
  let isInText = false
  // Token by token: one pattern for a whole string overflows the engine's stack on one of many million characters.
  for (const { 0: token, index } of text.matchAll(/\\.|["[\]{}]/gs)) {
    if (token === '"') isInText = !isInText
    else if (isInText) continue
    else if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MAX_LEVELS) return index
  }
  return 0
}

/** Throws for a JSON value that is nested too deeply, with its place; `line` is the line of a text within its file. */
export function refuseDeepJson(value: unknown, text: string, { file, line }: { file: string; line?: number }): void {
  if (!findTooDeep(value)) return
  const offset = findDeepBracket(text)
  const place = line === undefined ? new JsonPlaces(text).describe(offset) : `${line}:${offset + 1}`
  throw new InputError(`${file}:${place}: ${TOO_DEEP}`)
}
