export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets an entry of a map that keeps at most `max` of them: those set last. */
export function setLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}

/** The nearest number within the bounds. */
export function clamp(value: number, least = 0, most = 1): number {
  return Math.min(most, Math.max(least, value))
}

/** A part of an address as text; as it is if it is not encoded right. */
export function decodeAddressPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Undefined if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text as it is, nothing as an empty one, anything else as JSON. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A text as it is, anything else as JSON; empty only for what JSON has no text for. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** JSON whose text does not depend on the order of keys. */
export function writeSorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
}

/** Own properties only: in JSON, `__proto__` and `constructor` are ordinary keys. */
export function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** What a variable or a cell of a table can hold. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** The text without accents, those of letters that are not Latin kept: they make other letters. */
export function dropAccents(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
}

/** On one line, cut after so many characters. */
export function cutLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

/** Words by the white space between them. */
export function listWords(text: string): string[] {
  return text.match(/\S+/g) ?? []
}

/** How often the pattern, which is global, is in the text. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** The text as a pattern that matches only it. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
