import { suiteTextFields } from '../../contract/index.ts'

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const TEXT_NAMES = new Set(suiteTextFields.map((path) => path.at(-1)))

/** Puts back what was written where text is meant: `"expectedOutput": 1.50` means the characters 1.50. */
function restore(value: unknown, [key, ...rest]: string[], written: Map<unknown, Map<string, string>>): void {
  if (Array.isArray(value)) for (const item of value) restore(item, [key!, ...rest], written)
  else if (isFields(value) && Object.hasOwn(value, key!)) {
    const source = written.get(value)?.get(key!)
    if (rest.length > 0) restore(value[key!], rest, written)
    else if (source !== undefined) value[key!] = source
  }
}

/** A text field that is written as a number or truth value; a reviver is slow, and mostly there is none. */
const UNQUOTED_TEXT = /"(?:name|id|prompt|expectedOutput)"\s*:\s*[-\dtf]/

function parseKeeping(text: string): unknown {
  // By the object they stand in: the same name may occur elsewhere with a meaning of its own.
  const written = new Map<unknown, Map<string, string>>()
  const value: unknown = JSON.parse(
    text,
    function (this: unknown, key: string, item: unknown, context?: { source?: string }): unknown {
      if (
        context?.source !== undefined &&
        (typeof item === 'number' || typeof item === 'boolean') &&
        TEXT_NAMES.has(key)
      ) {
        const fields = written.get(this) ?? new Map<string, string>()
        written.set(this, fields.set(key, context.source))
      }
      return item
    },
  )
  for (const path of suiteTextFields) restore(value, path, written)
  return value
}

/** The value of a text that is JSON, with numbers as they were written where a suite holds text; `undefined` for any other text. */
export function parsePlainJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return UNQUOTED_TEXT.test(text) ? parseKeeping(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}
