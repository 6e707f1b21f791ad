import { AcceptedValues } from './accepted-values.ts'
import { isList } from './json-values.ts'

/**
 * The value as it can be printed: JSON.stringify recurses, so everything below `depth` levels becomes `…`.
 */
export function makePrintable(value: unknown, depth = 60): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (value instanceof AcceptedValues) return makePrintable(value.toJSON(), depth - 1)
  if (isList(value)) return value.map((item) => makePrintable(item, depth - 1))
  // From entries: assigning to `__proto__` would set the prototype instead of a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makePrintable(item, depth - 1)]))
}
