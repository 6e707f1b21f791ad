import { isJsonObject } from '../../../contract/index.ts'
import type { ActualCall, ExpectedCall } from '../../../scoring/tool-calls/index.ts'
import { parseLiteral } from '../../datasets/rows/literals.ts'
import { field } from './fields.ts'

/**
 * Reads arguments that a model wrote as Python does, `{'order_id': '#W1'}`, and lists and objects that it wrote as text
 * where the expected call has a list or an object. `undefined` if no call has any. Only effects credit reads them: the
 * published algorithm counts arguments that are not JSON as none.
 */
export function readLiteralArguments(
  calls: readonly ActualCall[],
  expected: readonly ExpectedCall[] = [],
): ActualCall[] | undefined {
  let hasAny = false
  const read = calls.map((call) => {
    const whole = call.unreadableArguments === undefined ? undefined : parseLiteral(call.unreadableArguments)
    const given = isJsonObject(whole) ? whole : call.arguments
    const parsed = isJsonObject(given) ? parseNested(call.name, given, expected) : undefined
    if (given === call.arguments && !parsed) return call
    hasAny = true
    return { ...call, arguments: parsed ?? given }
  })
  return hasAny ? read : undefined
}

function parseNested(
  name: string,
  given: Record<string, unknown>,
  expected: readonly ExpectedCall[],
): Record<string, unknown> | undefined {
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    if (typeof value !== 'string' || !/^\s*[[{(]/.test(value)) return [key, value]
    const isNested = expected.some(
      (action) =>
        action.name === name &&
        typeof field(action.arguments, key) === 'object' &&
        field(action.arguments, key) !== null,
    )
    const parsed = isNested ? parseLiteral(value) : undefined
    return [key, typeof parsed === 'object' && parsed !== null ? parsed : value]
  })
  return entries.some(([key, value]) => value !== given[key]) ? Object.fromEntries(entries) : undefined
}
