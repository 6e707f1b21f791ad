import { parseExactJson } from '../../contract/index.ts'

/** JSON text as its value; anything else as it is. Tools nest JSON text in JSON. */
export function unwrapJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["{[]/.test(value)) return value
  try {
    const inside = parseExactJson(value)
    return typeof inside === 'string' ? unwrapJson(inside) : inside
  } catch {
    return value
  }
}

/** An object or a list that is written as JSON text, as its value; anything else as it is. */
export function readJsonText(value: unknown): unknown {
  const inside = unwrapJson(value)
  return typeof inside === 'object' && inside !== null ? inside : value
}
