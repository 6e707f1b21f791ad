import { readNumeral } from '../../../contract/index.ts'
import { PythonFloat } from '../../../scoring/tool-calls/index.ts'

/** Parses JSON with Python's types: a number written with a point or an exponent is a float, even if it is whole. */
export function parseTypedJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return value
    const source = context?.source ?? String(value)
    return /[.eE]/.test(source) ? new PythonFloat(value) : readNumeral(source)
  })
}
