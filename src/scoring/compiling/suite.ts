import {
  isConversation,
  isJsonObject,
  suiteSchema,
  type Check,
  type Suite,
  type TestCase,
  type Variant,
  givenParametersSchema,
  listSecretHeaders,
} from '../../contract/index.ts'
import { compileSuite, findUnknownFields } from './compile-case.ts'
import { findPreset, presetNames } from '../judging/judge-presets.ts'
import { findMissingVariables, hasQuestion } from './questions.ts'
import { suggestName } from '../text/suggest-name.ts'
import type { Scorer } from '../scorer.ts'
import { scorers as builtIn } from '../scorers.ts'

/** What is inside fields; what is not named here may hold anything. */
interface Shape {
  /** All that there may be; undefined if others know that. */
  fields?: readonly string[]
  inside?: Readonly<Record<string, Shape>>
}

const part: Shape = { fields: ['type', 'text', 'image'] }
const messageShape: Shape = { fields: ['role', 'content'], inside: { content: part } }
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
  messages: messageShape,
  ...insideCheck,
  checks: { inside: { ...insideCheck, checks: { inside: insideCheck } } },
}
const variantShape: Shape = {
  fields: ['name', 'models', 'prompt', 'messages', 'systemPrompt', 'parameters'],
  inside: { messages: messageShape },
}

function findUnknown(value: unknown, shape: Shape, path: PropertyKey[]): PropertyKey[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findUnknown(item, shape, [...path, index]))
  if (!isJsonObject(value)) return []
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
  const list = isJsonObject(raw) ? raw[field] : undefined
  return Array.isArray(list) ? list : []
}

/** Fields that nothing reads in the variants, and inside the fields of the cases. The schema drops most of them. */
function findUnknownInside(raw: unknown): PropertyKey[][] {
  return [
    ...findUnknown(listOf(raw, 'variants'), variantShape, ['variants']),
    ...listOf(raw, 'testCases').flatMap((testCase, index) =>
      isJsonObject(testCase) ? findInside(testCase, insideCase, ['testCases', index]) : [],
    ),
  ]
}

/** A misspelt parameter would be sent with its default, and the variant would not be what it says. */
function findUnknownParameters(raw: unknown): { path: PropertyKey[]; message: string }[] {
  const message = `there is no such parameter; there are ${parameterNames.join(', ')}`
  return listOf(raw, 'variants').flatMap((one, index) => {
    const path = ['variants', index, 'parameters']
    const unknown = isJsonObject(one) ? findUnknown(one['parameters'], { fields: parameterNames }, path) : []
    return unknown.map((at) => ({ path: at, message }))
  })
}

/** Something in a suite that needs attention, and where. */
export interface SuiteFinding {
  path: PropertyKey[]
  message: string
}

interface CheckedSuite {
  suite: Suite | undefined
  /** With any of these, the suite cannot be used. */
  problems: SuiteFinding[]
  /** Suspicious, but not an error. */
  warnings: SuiteFinding[]
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  record: 'object',
}

const ARTICLES: Record<string, string> = { number: 'a ', array: 'a ', object: 'an ', record: 'an ' }

/** What the schema says of a wrong or missing type reads badly. */
function rewordType(message: string): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (expected === undefined || received === undefined) return message
  const kind = KINDS[expected] ?? expected
  return received === 'undefined'
    ? `is missing (${kind})`
    : `must be ${ARTICLES[expected] ?? ''}${kind}, not ${received === 'null' ? 'empty' : `${ARTICLES[received] ?? ''}${KINDS[received] ?? received}`}`
}

const suggestMeant = (meant?: string) =>
  meant === undefined ? 'unknown field, ignored' : `unknown field, ignored; did you mean ${meant}?`

/** In a suite that cannot be used: a misspelt field is what its case lacks. */
function blameMisspelt(
  problems: readonly SuiteFinding[],
  suite: Suite,
  scorers: readonly Scorer[],
): readonly SuiteFinding[] {
  if (problems.length === 0) return problems
  const misspelt = suite.testCases.flatMap((testCase, index) =>
    findUnknownFields(testCase, scorers).flatMap(({ path, meant }) =>
      meant === undefined ? [] : { path: ['testCases', index, ...path], meant },
    ),
  )
  const asking = new Set(misspelt.flatMap(({ path, meant }) => (isQuestion(meant) ? [path[1]] : [])))
  return [
    ...misspelt.map(({ path, meant }) => ({ path, message: `no such field; did you mean ${meant}?` })),
    ...problems.filter(({ path, message }) => message !== NO_QUESTION || !asking.has(path[1])),
  ]
}

const NO_QUESTION = 'give either a prompt or messages'
const isQuestion = (field: string) => field === 'prompt' || field === 'messages'

/** Checks a suite from any source. Finds all problems at once, so that they can be fixed in one go. */
export function checkSuite(raw: unknown, scorers: readonly Scorer[] = builtIn): CheckedSuite {
  const parsed = suiteSchema.safeParse(raw)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path, message: rewordType(message) }))
    return { suite: undefined, problems, warnings: [] }
  }
  const suite = parsed.data
  const presetProblems = findUnknownPreset(suite)
  const inCase =
    (index: number) =>
    ({ path, message }: SuiteFinding) => ({ path: ['testCases', index, ...path], message })

  // Without the unknown preset: each case would report it again.
  const compiled = compileSuite(presetProblems.length > 0 ? { ...suite, preset: undefined } : suite, scorers)

  const problems = [
    ...presetProblems,
    ...compiled.flatMap((testCase, index) => testCase.problems.map(inCase(index))),
    ...findMissingQuestions(suite),
    ...findVariantProblems(suite),
    ...findUnknownParameters(raw),
    ...findRepeatedIds(suite),
    ...findWeightOverflow(suite.testCases, ['testCases']),
    ...suite.testCases.flatMap(({ checks = [] }, index) => findOverflowIn(checks, ['testCases', index, 'checks'])),
  ]
  const warnings = [
    ...Object.keys(suite)
      .filter((key) => !Object.hasOwn(suiteSchema.shape, key))
      .map((key) => ({ path: [key], message: suggestMeant(suggestName(key, Object.keys(suiteSchema.shape))) })),
    ...suite.testCases.flatMap((testCase, index) =>
      findUnknownFields(testCase, scorers).map(({ path, meant }) =>
        inCase(index)({ path, message: suggestMeant(meant) }),
      ),
    ),
    ...findUnknownInside(raw).map((path) => ({ path, message: suggestMeant() })),
    ...findUnfilledVariables(suite),
    ...(problems.length === 0 ? compiled.flatMap((testCase, index) => testCase.warnings.map(inCase(index))) : []),
  ]
  return {
    suite: problems.length === 0 ? suite : undefined,
    problems: [...blameMisspelt(problems, suite, scorers)],
    warnings,
  }
}

function findUnknownPreset({ preset }: Suite): SuiteFinding[] {
  if (preset === undefined || findPreset(preset)) return []
  return [{ path: ['preset'], message: `is ${JSON.stringify(preset)}; use one of ${presetNames.join(', ')}` }]
}

/** A case may leave its question to the variants if every variant has one. */
function findMissingQuestions(suite: Suite): SuiteFinding[] {
  const { testCases, variants = [] } = suite
  const canLeaveOut = variants.length > 0 && variants.every(hasQuestion)
  return testCases.flatMap((testCase, index) => {
    const { prompt, messages } = testCase
    if (isConversation(suite, testCase)) return findMissingUser(suite, testCase, index)
    const isFound = prompt === undefined ? messages !== undefined || canLeaveOut : messages === undefined
    return isFound ? [] : [{ path: ['testCases', index], message: NO_QUESTION }]
  })
}

/** Somebody has to speak to the agent. */
function findMissingUser(
  suite: Suite,
  { prompt, messages, turns, user, before, task }: TestCase,
  index: number,
): SuiteFinding[] {
  const at = ['testCases', index]
  const instructions = user?.instructions ?? suite.user?.instructions
  if (messages) return [{ path: [...at, 'messages'], message: 'a case with an agent has before instead of messages' }]
  if (turns && instructions !== undefined)
    return [{ path: [...at, 'turns'], message: 'give either turns or user.instructions, not both' }]
  if (turns && prompt !== undefined)
    return [{ path: [...at, 'turns'], message: 'give either turns or a prompt, not both' }]
  const isSpokenTo = [prompt, turns, instructions, task].some((given) => given !== undefined)
  const isLastWord = before?.some((step) => 'user' in step) ?? false
  return isSpokenTo || isLastWord ? [] : [{ path: at, message: 'give a prompt, turns or user.instructions' }]
}

/** More would not be fixed one by one. */
const MOST_MISSING_VARIABLES = 20

function findVariantProblems({ testCases, variants = [] }: Suite): SuiteFinding[] {
  const names = variants.map(({ name }) => name)
  return variants.flatMap((variant, index): SuiteFinding[] => {
    const { name, prompt, messages } = variant
    const at = ['variants', index]
    const isRepeated = names.indexOf(name) !== index
    const secret = listSecretHeaders(variant.parameters ?? {}).map(([header]) => ({
      path: [...at, 'parameters', 'headers', header],
      message: 'looks secret, and a suite is stored; set it for the run (--header) or a model (--set)',
    }))
    return [
      ...secret,
      ...(isRepeated ? [{ path: [...at, 'name'], message: `name ${JSON.stringify(name)} is used twice` }] : []),
      ...(prompt !== undefined && messages
        ? [{ path: at, message: 'give either a prompt or messages, not both' }]
        : hasQuestion(variant)
          ? findUnfilled(testCases, variant).map((message) => ({
              path: [...at, messages ? 'messages' : 'prompt'],
              message,
            }))
          : []),
    ]
  })
}

/** One message for each variable that a case lacks. */
function findUnfilled(testCases: readonly TestCase[], variant: Variant): string[] {
  const casesOf = new Map<string, string[]>()
  for (const testCase of testCases)
    for (const name of findMissingVariables(testCase, variant))
      casesOf.set(name, [...(casesOf.get(name) ?? []), testCase.id])
  return [...casesOf].slice(0, MOST_MISSING_VARIABLES).map(([name, ids]) => {
    const others = ids.length > 1 ? ` and ${ids.length - 1} more` : ''
    return `{{${name}}} has no value in test case ${JSON.stringify(ids[0])}${others}: add it to vars. To mean the braces themselves write \\{{${name}}}`
  })
}

/** Finds variables in system prompts, which are shared by all cases and so cannot use a case's variables. */
function findUnfilledVariables({ systemPrompt, judgeSystemPrompt, variants = [] }: Suite): SuiteFinding[] {
  const texts: [PropertyKey[], string | undefined][] = [
    [['systemPrompt'], systemPrompt],
    [['judgeSystemPrompt'], judgeSystemPrompt],
    ...variants.map((variant, index): [PropertyKey[], string | undefined] => [
      ['variants', index, 'systemPrompt'],
      variant.systemPrompt,
    ]),
  ]
  return texts.flatMap(([path, text = '']) => {
    const variable = /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}\}/u.exec(text)?.[0]
    return variable === undefined
      ? []
      : [
          {
            path,
            message: `${variable} is sent unchanged: vars are filled in prompts and expected outputs of test cases, not in system prompts`,
          },
        ]
  })
}

/** Finds where the sum of the weights overflows to infinity, which would make every mean NaN. */
function findWeightOverflow(weighted: readonly { weight: number }[], path: PropertyKey[]): SuiteFinding[] {
  let sum = 0
  const index = weighted.findIndex(({ weight }) => !Number.isFinite((sum += weight)))
  return index < 0
    ? []
    : [
        {
          path: [...path, index, 'weight'],
          message: 'the weights add up to more than a number can hold; divide them all by the same factor',
        },
      ]
}

function findOverflowIn(checks: readonly Check[], path: PropertyKey[]): SuiteFinding[] {
  return [
    ...findWeightOverflow(checks, path),
    ...checks.flatMap((check, index) => findWeightOverflow(check.checks ?? [], [...path, index, 'checks'])),
  ]
}

function findRepeatedIds(suite: Suite): SuiteFinding[] {
  const seen = new Set<string>()
  return suite.testCases.flatMap(({ id }, index) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated ? [{ path: ['testCases', index, 'id'], message: `id ${JSON.stringify(id)} is used twice` }] : []
  })
}
