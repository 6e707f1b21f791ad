import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { passMarkOfMethod, asText } from '../../../contract/index.ts'
import { convertAssertion, type ImportedCheck } from '../assertions/assertions.ts'
import type { OutputForm } from '../assertions/javascript-checks.ts'
import { readEmbedder, readGrader, readRubricPrompt, writeInstructions } from '../providers/graders.ts'
import type { ImportContext } from '../import-warnings.ts'
import { contextOf, type PlacedTest } from './tests.ts'
import { isFileReference, parseDocument, readReference, readReferenced, runsCode } from '../config/referenced-files.ts'
import { entryOf } from '../prompts/expressions.ts'
import { findLogic, render, type Variables } from '../prompts/template.ts'

const assertionSchema = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  weight: z.number().nonnegative().default(1),
  threshold: z.number().nullish(),
  metric: z.string().optional(),
  transform: z.unknown().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  provider: z.unknown().optional(),
  rubricPrompt: z.unknown().optional(),
  assert: z.array(z.unknown()).optional(),
})

type Assertion = z.output<typeof assertionSchema>

/** One assertion of a test, with its weight among all of them. */
export interface PlacedAssertion {
  type: string
  value: unknown
  weight: number
  threshold: number | undefined
  metric: string | undefined
  transform: Transform
  /** True if the value is the text of a file of code. */
  isFile: boolean
  /** Which function of the file to call. */
  functionName: string | undefined
  config: Record<string, unknown> | undefined
  rubricPrompt: string | undefined
  /** True if it names its own grader. */
  hasGrader: boolean
  /** The embedding model that it names, as written. */
  embedder: string | undefined
  /** For an assert-set with a threshold: what it consists of. */
  set?: PlacedAssertion[]
  /** Its place in the file, with its test and number, for warnings. */
  place: string
}

/** promptfoo itself reads neither reasons nor descriptions of assertions. */
const KEPT = new Set([...Object.keys(assertionSchema.shape), 'reason', 'description', 'comment'])

/** Resolves `{ $ref: '#/assertionTemplates/polite' }` in the config. */
function followReference(value: unknown, config: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string') return value
  const keys = value.$ref.replace(/^#\//, '').split('/')
  return keys.reduce<unknown>(entryOf, config)
}

function noteUnused(assertion: Assertion, place: string, { warnings, tally }: ImportContext): void {
  const unused = Object.keys(assertion).filter((key) => !KEPT.has(key))
  if (unused.length === 0) return
  warnings.add(place, `${unused.join(', ')} of the assertion not used`)
  tally.changed.add(place)
}

function isCode(type: string): boolean {
  return type === 'javascript' || type === 'not-javascript'
}

const JAVASCRIPT = new Set(['.js', '.cjs', '.mjs'])

interface ReadValue {
  value: unknown
  functionName?: string | undefined
  isFile?: boolean
}

/** Reads the value of an assertion; undefined if it is code that may not run here. */
async function readValue(
  { type, value }: Assertion,
  place: string,
  context: ImportContext,
): Promise<ReadValue | undefined> {
  if (!isFileReference(value)) return { value }
  const { warnings, tally, allowCode } = context
  const reference = readReference(value, context, place)
  const isJavascript = JAVASCRIPT.has(reference.extension) && isCode(type)
  if (isJavascript && allowCode)
    return {
      isFile: true,
      value: await readReferenced(reference),
      functionName: /\.[cm]?js:([\w.]+)$/.exec(value)?.[1],
    }
  if (runsCode(reference)) {
    const how = isJavascript ? 'which is done only with --allow-code' : 'which is not run here'
    warnings.add(place, `it is left out: it runs code (${value}), ${how}`)
    tally.lost.add(place)
    return undefined
  }
  const text = await readReferenced(reference)
  return {
    value: /^\.(?:json|ya?ml)$/.test(reference.extension) ? parseDocument(text, reference.path).value : text.trim(),
  }
}

/** Code that changes an answer before it is checked. */
export interface Transform {
  /** What may run, in order. */
  code: string[]
  /** Why it does not run here: what is checked after it cannot be checked either. */
  lost?: string
  /** True if all it does is parse the answer. */
  parses?: boolean
}

/** Reads the code of a transform. */
export async function readTransform(value: unknown, place: string, context: ImportContext): Promise<Transform> {
  if (value === undefined || value === null) return { code: [] }
  const written = asText(value)
  const reference = isFileReference(value) ? readReference(value, context, place) : undefined
  const canRun = typeof value === 'string' && (!reference || JAVASCRIPT.has(reference.extension))
  if (canRun && context.allowCode) return { code: [reference ? await readReferenced(reference) : written] }
  const why = canRun ? 'runs code, which is done only with --allow-code' : 'is not JavaScript, the only code run here'
  return {
    code: [],
    lost: `its transform ${JSON.stringify(written.slice(0, 60))} ${why}`,
    parses: /^\s*(?:return\s+)?JSON\.parse\(\s*output\s*\);?\s*$/.test(written),
  }
}

function joinTransforms(...transforms: Transform[]): Transform {
  const lost = transforms.filter((transform) => transform.lost !== undefined)
  return {
    code: transforms.flatMap(({ code }) => code),
    ...(lost.length > 0 && { lost: lost[0]!.lost, parses: lost.length === 1 && lost[0]!.parses }),
  }
}

interface AssertionSource {
  entry: unknown
  place: string
  config: Record<string, unknown>
}

/**
 * A set has the weight of one assertion, however many it contains. With a threshold it passes by the weighted mean of
 * its assertions, otherwise all of them must pass.
 */
async function readSet(
  assertion: Assertion,
  source: AssertionSource,
  context: ImportContext,
): Promise<PlacedAssertion[]> {
  const { place, config } = source
  const { weight, threshold, metric } = assertion
  const members = (assertion.assert ?? []).map(async (entry, index) =>
    readAssertion({ entry, place: `${place}.${index + 1}`, config }, context),
  )
  const inner = (await Promise.all(members)).flat()
  if (typeof threshold === 'number') {
    const placed = `${place} (assert-set)`
    if (threshold >= 0 && threshold <= 1 && weight > 0)
      return [{ ...PLAIN_SET, weight, threshold, metric, place: placed, set: inner }]
    context.warnings.add(
      placed,
      weight > 0
        ? `threshold ${threshold} of the set is not used: a mean is from 0 to 1. Its assertions pass or fail one by one`
        : 'it is left out: its weight is 0',
    )
    context.tally.changed.add(placed)
    if (weight === 0) return []
  }
  const total = inner.reduce((sum, one) => sum + one.weight, 0)
  return inner.map((one) => ({ ...one, weight: (one.weight / total) * weight, metric: one.metric ?? metric }))
}

/** A set has none of what an assertion has. */
const PLAIN_SET = {
  type: 'assert-set',
  value: undefined,
  transform: { code: [] },
  isFile: false,
  functionName: undefined,
  config: undefined,
  rubricPrompt: undefined,
  hasGrader: false,
  embedder: undefined,
}

async function readAssertion(source: AssertionSource, context: ImportContext): Promise<PlacedAssertion[]> {
  const { entry, place, config } = source
  const { warnings, tally } = context
  const parsed = assertionSchema.safeParse(followReference(entry, config))
  if (!parsed.success) {
    warnings.add(place, 'it is left out: an assertion is { type, value }')
    tally.assertions.add(place)
    tally.lost.add(place)
    return []
  }
  const assertion = parsed.data
  if (assertion.type === 'assert-set') return readSet(assertion, source, context)
  const placed = `${place} (${assertion.type})`
  // In promptfoo it passes whatever is answered, and counts for nothing.
  if (assertion.weight === 0) {
    warnings.note(placed, 'it is left out: its weight is 0, so no score depends on it')
    return []
  }
  tally.assertions.add(placed)
  noteUnused(assertion, placed, context)
  const read = await readValue(assertion, placed, context)
  if (!read) return []
  if (assertion.provider !== undefined) readGrader(assertion.provider, placed, context)
  return [
    {
      type: assertion.type,
      value: read.value,
      isFile: read.isFile ?? false,
      functionName: read.functionName,
      weight: assertion.weight,
      threshold: assertion.threshold ?? undefined,
      metric: assertion.metric,
      config: assertion.config,
      transform: await readTransform(assertion.transform, placed, context),
      rubricPrompt:
        assertion.rubricPrompt === undefined
          ? undefined
          : await readRubricPrompt(assertion.rubricPrompt, placed, context),
      hasGrader: assertion.provider !== undefined,
      embedder: readEmbedder(assertion.provider),
      place: placed,
    },
  ]
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
  const { warnings, tally } = context
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => fillValue(item, variables, place, context))
    return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined
  }
  if (typeof value !== 'string') return { value }
  const logic = findLogic(value)
  if (logic !== undefined) {
    warnings.add(
      place,
      `it is left out: it uses ${logic}, and only values, simple filters, loops and conditions are supported`,
    )
    tally.lost.add(place)
    return undefined
  }
  const { text, missing } = render(value, variables)
  if (missing.length > 0) {
    warnings.add(place, `${missing.map((name) => `{{${name}}}`).join(', ')} has no value and is left empty`)
    tally.changed.add(place)
  }
  return { value: text }
}

/** They do not read the answer. */
const IGNORE_OUTPUT = new Set(['latency', 'cost', 'finish-reason'])

/** What promptfoo does with an answer in a format that is a JSON Schema, before code reads it. */
const PARSE_IF_JSON = '(() => { try { return JSON.parse(output) } catch { return output } })()'

/** What all checks of a test share. */
export interface CheckMaking {
  context: ImportContext
  variables: Variables
  /** Of the test and its defaults, applied before each assertion's own. */
  transform: Transform
  /** What promptfoo hands the code of an assertion. */
  form: OutputForm
  rubricPrompt: string | undefined
  /** The embedding model of the test and its defaults, as written. */
  embedder: string | undefined
  /** The functions that the case offers. */
  tools: readonly unknown[] | undefined
}

/** Code changes the answer before another method scores it; how long it took and what it cost stay the same. */
function addTransform(check: ImportedCheck, transform: readonly string[]): ImportedCheck {
  if (transform.length === 0 || ['latency', 'cost'].includes(check.scoringMethod)) return check
  if (check.scoringMethod === 'javascript') return { ...check, transform }
  return { scoringMethod: 'javascript', transform, check }
}

function makeGroup({ set = [], weight, threshold, metric }: PlacedAssertion, making: CheckMaking): ImportedCheck[] {
  const checks = makeChecks(set, making)
  if (checks.length === 0) return []
  return [
    {
      scoringMethod: 'group',
      ...(metric !== undefined && metric.trim() !== '' && { name: metric }),
      checks,
      ...(threshold !== undefined && { passAt: threshold }),
      ...(weight !== 1 && { weight }),
    },
  ]
}

/** Without partial credit a right answer scores 1, and no mark is needed. */
function isStrict(check: ImportedCheck): boolean {
  return check['partial'] === false
}

function makeCheck(assertion: PlacedAssertion, making: CheckMaking): ImportedCheck[] {
  if (assertion.set) return makeGroup(assertion, making)
  const { type, value, weight, place, threshold, metric } = assertion
  const { context, variables } = making
  const { warnings, tally, allowCode } = context
  // promptfoo fills variables in code that is written out, not in files.
  const filled = isCode(type) && assertion.isFile ? { value } : fillValue(value, variables, place, context)
  if (!filled) return []
  const rubricPrompt = assertion.rubricPrompt ?? making.rubricPrompt
  const transform = joinTransforms(making.transform, assertion.transform)
  const isAffected = transform.lost !== undefined && !IGNORE_OUTPUT.has(type)
  // Code then reads the parsed answer; all else reads the same JSON as before.
  if (isAffected && !transform.parses) {
    warnings.add(place, `it is left out: ${transform.lost}`)
    tally.lost.add(place)
    return []
  }
  const isParsed = isAffected && isCode(type)
  const conversion = convertAssertion(type, {
    value: filled.value,
    threshold,
    variables,
    allowCode,
    tools: making.tools,
    config: assertion.config,
    functionName: assertion.functionName,
    embedder: assertion.embedder ?? making.embedder,
    form: isParsed ? (making.form === 'text' ? 'json' : 'unknown') : making.form,
    instruct: (rubric) => writeInstructions(rubric, rubricPrompt, variables),
  })
  if ('leftOut' in conversion) {
    warnings.add(place, `it is left out: ${conversion.leftOut}`)
    tally.lost.add(place)
    return []
  }
  if (conversion.note !== undefined) {
    warnings.add(place, conversion.note)
    tally.changed.add(place)
  }
  const parsing = isCode(type) && allowCode && making.form === 'json' ? [PARSE_IF_JSON] : []
  const check = addTransform(conversion.check, [...parsing, ...transform.code])
  // The mark of javascript is not that of the method it wraps.
  const isWrapped = check.scoringMethod !== conversion.check.scoringMethod
  const wrappedMark = isWrapped ? passMarkOfMethod(conversion.check.scoringMethod) : 1
  const passAt = conversion.passAt ?? (wrappedMark < 1 && !isStrict(conversion.check) ? wrappedMark : undefined)
  return [
    {
      ...check,
      ...(metric !== undefined && metric.trim() !== '' && { name: metric }),
      ...(passAt !== undefined && passAt >= 0 && passAt <= 1 && { passAt }),
      ...(weight !== 1 && { weight }),
    },
  ]
}

/** Converts the assertions of a test into checks, with these variables filled. */
export function makeChecks(assertions: readonly PlacedAssertion[], making: CheckMaking): ImportedCheck[] {
  const checks: ImportedCheck[] = []
  for (const assertion of assertions)
    for (const check of makeCheck(assertion, making)) {
      const { name: _name, ...asked } = check
      const isAsked = checks.some(({ name: _other, ...earlier }) => isDeepStrictEqual(asked, earlier))
      // The same question to several graders: here one check is asked of a panel.
      if (isAsked && assertion.hasGrader && check.scoringMethod === 'llm-judge') {
        const { warnings, tally } = making.context
        warnings.add(
          assertion.place,
          'asks the same as an earlier assertion of another grader: one check, for a panel of judges',
        )
        tally.changed.add(assertion.place)
      } else checks.push(check)
    }
  return checks
}
