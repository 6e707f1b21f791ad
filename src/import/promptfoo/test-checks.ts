import { z } from 'zod'
import { convertAssertion, type ImportedCheck } from './assertions.ts'
import type { ImportContext } from './import-warnings.ts'
import { contextOf, type PlacedTest } from './placed-test.ts'
import { isFileReference, parseDocument, readReference, readReferenced, runsCode } from './referenced-files.ts'
import { findLogic, render, type Variables } from './template.ts'

const assertionSchema = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  weight: z.number().nonnegative().default(1),
  threshold: z.number().optional(),
  assert: z.array(z.unknown()).optional(),
})

type Assertion = z.output<typeof assertionSchema>

/** One assertion of a test, with its weight among all of them. */
export interface PlacedAssertion {
  type: string
  value: unknown
  weight: number
  /** Its place in the file, with its test and number, for warnings. */
  place: string
}

const KEPT = new Set(['type', 'value', 'weight', 'threshold', 'assert', 'metric'])

/** Resolves `{ $ref: '#/assertionTemplates/polite' }` in the config. */
function followReference(value: unknown, config: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string') return value
  const keys = value.$ref.replace(/^#\//, '').split('/')
  const entryOf = (at: unknown, key: string): unknown =>
    typeof at === 'object' && at !== null ? new Map(Object.entries(at)).get(key) : undefined
  return keys.reduce<unknown>(entryOf, config)
}

function noteUnused(assertion: Assertion, place: string, { warnings }: ImportContext): void {
  const unused = Object.keys(assertion).filter((key) => !KEPT.has(key))
  if (unused.length > 0)
    warnings.add(place, `${unused.join(', ')} of the assertion not used: the whole answer is checked`)
  if (assertion.threshold !== undefined)
    warnings.add(place, `threshold ${assertion.threshold} is not used: the score itself is kept`)
}

async function readValue(
  value: unknown,
  place: string,
  context: ImportContext,
): Promise<{ value: unknown } | undefined> {
  if (!isFileReference(value)) return { value }
  const reference = readReference(value, context, place)
  if (runsCode(reference)) {
    context.warnings.add(place, `it is left out: it runs code (${value}), which is not run here`)
    return undefined
  }
  const text = await readReferenced(reference)
  return {
    value: /^\.(?:json|ya?ml)$/.test(reference.extension) ? parseDocument(text, reference.path).value : text.trim(),
  }
}

interface AssertionSource {
  entry: unknown
  place: string
  config: Record<string, unknown>
}

async function readAssertion(
  { entry, place, config }: AssertionSource,
  context: ImportContext,
): Promise<PlacedAssertion[]> {
  const parsed = assertionSchema.safeParse(followReference(entry, config))
  if (!parsed.success) {
    context.warnings.add(place, 'it is left out: an assertion is { type, value }')
    return []
  }
  const assertion = parsed.data
  const placed = `${place} (${assertion.type})`
  noteUnused(assertion, placed, context)
  if (assertion.weight === 0) {
    context.warnings.add(placed, 'it is left out: its weight is 0')
    return []
  }
  if (assertion.type === 'assert-set') {
    const members = (assertion.assert ?? []).map(async (member, index) =>
      readAssertion({ entry: member, place: `${place}.${index + 1}`, config }, context),
    )
    const inner = (await Promise.all(members)).flat()
    // The whole set has the weight of one assertion, however many it contains.
    const total = inner.reduce((sum, { weight }) => sum + weight, 0)
    return inner.map((one) => ({ ...one, weight: (one.weight / total) * assertion.weight }))
  }
  const read = await readValue(assertion.value, placed, context)
  return read ? [{ type: assertion.type, value: read.value, weight: assertion.weight, place: placed }] : []
}

/** Reads the assertions of one layer of a test. */
export async function readAssertions(
  layer: PlacedTest,
  label: string,
  config: Record<string, unknown>,
  configContext: ImportContext,
): Promise<PlacedAssertion[]> {
  const { fields, place } = layer
  const context = contextOf(layer, configContext)
  const entries = (fields.assert ?? []).map(async (entry, index) =>
    readAssertion({ entry, place: `${place(['assert', index])}: ${label}, assertion ${index + 1}`, config }, context),
  )
  return (await Promise.all(entries)).flat()
}

/** Fills the variables in a value; returns `undefined` if it needs more than plain variables. */
function fillValue(
  value: unknown,
  variables: Variables,
  place: string,
  context: ImportContext,
): { value: unknown } | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => fillValue(item, variables, place, context))
    return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined
  }
  if (typeof value !== 'string') return { value }
  const logic = findLogic(value)
  if (logic !== undefined) {
    context.warnings.add(place, `it is left out: it uses ${logic}, and only plain {{variables}} are supported`)
    return undefined
  }
  const { text, missing } = render(value, variables)
  if (missing.length > 0)
    context.warnings.add(place, `${missing.map((name) => `{{${name}}}`).join(', ')} has no value and is left empty`)
  return { value: text }
}

/** Converts the assertions of a test into checks, with these variables filled. */
export function makeChecks(
  assertions: PlacedAssertion[],
  variables: Variables,
  context: ImportContext,
): ImportedCheck[] {
  return assertions.flatMap(({ type, value, weight, place }): ImportedCheck[] => {
    const filled = fillValue(value, variables, place, context)
    if (!filled) return []
    const conversion = convertAssertion(type, filled.value)
    if ('leftOut' in conversion) {
      context.warnings.add(place, `it is left out: ${conversion.leftOut}`)
      return []
    }
    if (conversion.note !== undefined) context.warnings.add(place, conversion.note)
    return [{ ...conversion.check, ...(weight !== 1 && { weight }) }]
  })
}
