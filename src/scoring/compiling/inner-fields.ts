import { givenParametersSchema } from '../../contract/index.ts'
import { isObject } from '../tool-calls/json-values.ts'

/** What is inside fields; what is not named here may hold anything. */
interface Shape {
  /** All that there may be; undefined if others know that. */
  fields?: readonly string[]
  inside?: Readonly<Record<string, Shape>>
}

const part: Shape = { fields: ['type', 'text', 'image'] }
const messages: Shape = { fields: ['role', 'content'], inside: { content: part } }
const describedFunction: Shape = { fields: ['name', 'description', 'parameters'] }
const tool: Shape = {
  fields: ['type', 'function', 'name', 'description', 'parameters'],
  inside: { function: describedFunction },
}
const call: Shape = { fields: ['name', 'arguments'] }
const parameterNames = Object.keys(givenParametersSchema.shape)

/** The fields of cases and checks themselves depend on the scorer. */
const insideCheck: NonNullable<Shape['inside']> = { tools: tool, expectedCalls: call }
const insideCase: NonNullable<Shape['inside']> = {
  messages,
  ...insideCheck,
  checks: { inside: { ...insideCheck, checks: { inside: insideCheck } } },
}
const variant: Shape = {
  fields: ['name', 'models', 'prompt', 'messages', 'systemPrompt', 'parameters'],
  inside: { messages },
}

function findUnknown(value: unknown, shape: Shape, path: PropertyKey[]): PropertyKey[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findUnknown(item, shape, [...path, index]))
  if (!isObject(value)) return []
  const own = Object.keys(value).filter((key) => shape.fields && !shape.fields.includes(key))
  return [...own.map((key) => [...path, key]), ...findInside(value, shape.inside ?? {}, path)]
}

function findInside(
  value: Record<string, unknown>,
  inside: NonNullable<Shape['inside']>,
  path: PropertyKey[],
): PropertyKey[][] {
  return Object.entries(inside).flatMap(([key, shape]) => findUnknown(value[key], shape, [...path, key]))
}

function listOf(raw: unknown, field: string): unknown[] {
  const list = isObject(raw) ? raw[field] : undefined
  return Array.isArray(list) ? list : []
}

/** Fields that nothing reads in the variants, and inside the fields of the cases. The schema drops most of them. */
export function findUnknownInside(raw: unknown): PropertyKey[][] {
  return [
    ...findUnknown(listOf(raw, 'variants'), variant, ['variants']),
    ...listOf(raw, 'testCases').flatMap((testCase, index) =>
      isObject(testCase) ? findInside(testCase, insideCase, ['testCases', index]) : [],
    ),
  ]
}

/** A misspelt parameter would be sent with its default, and the variant would not be what it says. */
export function findUnknownParameters(raw: unknown): { path: PropertyKey[]; message: string }[] {
  const message = `there is no such parameter; there are ${parameterNames.join(', ')}`
  return listOf(raw, 'variants').flatMap((one, index) => {
    const path = ['variants', index, 'parameters']
    const unknown = isObject(one) ? findUnknown(one['parameters'], { fields: parameterNames }, path) : []
    return unknown.map((at) => ({ path: at, message }))
  })
}
