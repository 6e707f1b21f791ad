import { LongInteger } from '../../contract/index.ts'
import { AcceptedValues } from './credit/accepted-values.ts'
import { isList } from './json-values.ts'

/** Replaces everything deeper than `depth` levels by `…`: JSON.stringify recurses and could overflow the stack. */
export function makePrintable(value: unknown, depth = 60): unknown {
  if (typeof value !== 'object' || value === null || value instanceof LongInteger) return value
  if (depth === 0) return '…'
  if (value instanceof AcceptedValues) return makePrintable(value.toJSON(), depth - 1)
  if (isList(value)) return value.map((item) => makePrintable(item, depth - 1))
  // Not by assignment: assigning to `__proto__` would set the prototype instead of a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makePrintable(item, depth - 1)]))
}
