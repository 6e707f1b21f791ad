import { isRecord } from '../../contract/index.ts'
export type JsonRecord = Record<string, unknown>

/** The value of a key; `undefined` if the value is not an object. */
export function get(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined
}

/**
 * The fields of both; of a field that is an object in both, again those of both, unless they are of different types
 * (`{ type: 'json_object' }`). Of any other, the later one counts.
 */
export function mergeFields(fields: JsonRecord, more: JsonRecord): JsonRecord {
  const merged = Object.entries(more).map(([name, value]) => {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isSame = isRecord(own) && isRecord(value) && own['type'] === (value['type'] ?? own['type'])
    return [name, isSame ? mergeFields(own, value) : value]
  })
  return { ...fields, ...Object.fromEntries(merged) }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A non-negative number, also from a string: vendors send prices and costs both ways. */
export function amountOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined
  const number = Number(value)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

/** As reported, also from a string; NaN if it is no number, so that it does not pass for absent. */
export function numberOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** More than any reply needs. Deeper JSON overflows the stack of whatever walks it. */
const MAX_DEPTH = 1000

/** 32 MiB of `[[],[],…` would become a gigabyte of arrays. */
const MAX_VALUES = 1_000_000

/** Counts brackets and commas outside strings, without building anything. */
function isTooComplex(text: string): boolean {
  // Short texts hold neither that many levels nor that many values.
  if (text.length <= MAX_DEPTH) return false
  let depth = 0
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      while (++index < text.length && text[index] !== '"') if (text[index] === '\\') index++
    } else if (character === '[' || character === '{') {
      if (++depth > MAX_DEPTH || ++values > MAX_VALUES) return true
    } else if (character === ']' || character === '}') depth--
    else if (character === ',' && ++values > MAX_VALUES) return true
  }
  return false
}

/** The parsed JSON; `undefined` if it is not valid JSON, or so complex that it could exhaust the memory. */
export function parseJson(text: string): unknown {
  if (isTooComplex(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
