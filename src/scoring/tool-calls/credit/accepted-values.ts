import { isList, LongInteger } from '../../../contract/index.ts'

/** Values of an expected argument, any of which will do, as in BFCL's possible answers. */
export class AcceptedValues {
  readonly values: readonly unknown[]
  /** The argument may also be omitted. */
  readonly isOptional: boolean
  /** Text is compared ignoring case, spaces and punctuation, as BFCL does. */
  readonly looseText: boolean

  constructor(values: readonly unknown[], { isOptional = false, looseText = false } = {}) {
    this.values = values
    this.isOptional = isOptional
    this.looseText = looseText
  }

  /** For printing: the single value, or `{ anyOf }`. */
  toJSON(): unknown {
    const values = this.values.filter((value) => value !== '' || !this.isOptional)
    if (values.length === 1 && !this.isOptional) return values[0]
    return { anyOf: values, ...(this.isOptional && { mayBeLeftOut: true }) }
  }
}

/** Text as BFCL (https://gorilla.cs.berkeley.edu) compares it: without case, spaces and , . / - _ * ^. */
export function loosenText(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

/** Replaces everything deeper than `depth` levels by `…`: JSON.stringify recurses and could overflow the stack. */
export function makePrintable(value: unknown, depth = 60): unknown {
  if (typeof value !== 'object' || value === null || value instanceof LongInteger) return value
  if (depth === 0) return '…'
  if (value instanceof AcceptedValues) return makePrintable(value.toJSON(), depth - 1)
  if (isList(value)) return value.map((item) => makePrintable(item, depth - 1))
  // Not by assignment: assigning to `__proto__` would set the prototype instead of a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makePrintable(item, depth - 1)]))
}

/** `JSON.stringify` for values of any depth. Most are not deep, and making each one printable would cost as much as printing it. */
export function stringifyAny(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return JSON.stringify(makePrintable(value))
    throw error
  }
}
