import { suiteSchema, type Suite } from '../contract/index.ts'
import { compileSuite, findUnknownFields } from './compile-case.ts'
import type { Scorer } from './scorer.ts'
import { scorers as builtIn } from './scorers.ts'

/** Something in a suite that needs attention, and where. */
export interface SuiteFinding {
  path: PropertyKey[]
  message: string
}

interface CheckedSuite {
  suite: Suite | undefined
  /** Each of them keeps the suite from being used. */
  problems: SuiteFinding[]
  /** Worth a look, nothing more. */
  warnings: SuiteFinding[]
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
}

/** The schema says of a field that is not there that it is of the wrong type. */
function explainMissing(message: string): string {
  const expected = /^Invalid input: expected (\w+), received undefined$/.exec(message)?.[1]
  return expected === undefined ? message : `is missing; give ${KINDS[expected] ?? expected}`
}

/** Checks a suite read from anywhere. All problems are found at once, so that they can be mended at once. */
export function checkSuite(raw: unknown, scorers: readonly Scorer[] = builtIn): CheckedSuite {
  const parsed = suiteSchema.safeParse(raw)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path, message: explainMissing(message) }))
    return { suite: undefined, problems, warnings: [] }
  }
  const suite = parsed.data
  const inCase =
    (index: number) =>
    ({ path, message }: SuiteFinding) => ({ path: ['testCases', index, ...path], message })

  const compiled = compileSuite(suite, scorers)

  const problems = [
    ...compiled.flatMap((testCase, index) => testCase.problems.map(inCase(index))),
    ...suite.testCases.flatMap((testCase, index) =>
      (testCase.prompt === undefined) === (testCase.messages === undefined)
        ? [{ path: ['testCases', index], message: 'give either a prompt or messages' }]
        : [],
    ),
    ...findRepeatedIds(suite),
    ...findBoundlessWeights(suite.testCases, ['testCases']),
    ...suite.testCases.flatMap(({ checks = [] }, index) =>
      findBoundlessWeights(checks, ['testCases', index, 'checks']),
    ),
  ]
  const warnings = [
    ...Object.keys(suite)
      .filter((key) => !Object.hasOwn(suiteSchema.shape, key))
      .map((key) => ({ path: [key], message: 'unknown field, not used' })),
    ...suite.testCases.flatMap((testCase, index) =>
      findUnknownFields(testCase, scorers).map((path) => inCase(index)({ path, message: 'unknown field, not used' })),
    ),
    ...findUnfilledVariables(suite),
    ...(problems.length === 0 ? compiled.flatMap((testCase, index) => testCase.warnings.map(inCase(index))) : []),
  ]
  return { suite: problems.length === 0 ? suite : undefined, problems, warnings }
}

/** System prompts are the same for all cases, so the cases' variables are not filled in there: most likely that was meant. */
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
            message: `${variable} is sent as it stands: vars fill prompts and expected outputs of test cases, not system prompts`,
          },
        ]
  })
}

/** Where the sum of the weights goes beyond all numbers: a mean over it would be none. */
function findBoundlessWeights(weighted: readonly { weight: number }[], path: PropertyKey[]): SuiteFinding[] {
  let sum = 0
  const index = weighted.findIndex(({ weight }) => !Number.isFinite((sum += weight)))
  return index < 0
    ? []
    : [
        {
          path: [...path, index, 'weight'],
          message: 'the weights add up to more than a number can hold; make them all smaller by the same factor',
        },
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
