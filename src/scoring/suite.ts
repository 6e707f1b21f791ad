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
  /** With any of these, the suite cannot be used. */
  problems: SuiteFinding[]
  /** Suspicious, but not an error. */
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

/** For a missing field the schema reports a wrong type, which reads badly. */
function explainMissing(message: string): string {
  const expected = /^Invalid input: expected (\w+), received undefined$/.exec(message)?.[1]
  return expected === undefined ? message : `is missing; give ${KINDS[expected] ?? expected}`
}

/** Checks a suite from any source. Finds all problems at once, so that they can be fixed in one go. */
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
    ...findWeightOverflow(suite.testCases, ['testCases']),
    ...suite.testCases.flatMap(({ checks = [] }, index) => findWeightOverflow(checks, ['testCases', index, 'checks'])),
  ]
  const warnings = [
    ...Object.keys(suite)
      .filter((key) => !Object.hasOwn(suiteSchema.shape, key))
      .map((key) => ({ path: [key], message: 'unknown field, ignored' })),
    ...suite.testCases.flatMap((testCase, index) =>
      findUnknownFields(testCase, scorers).map((path) => inCase(index)({ path, message: 'unknown field, ignored' })),
    ),
    ...findUnfilledVariables(suite),
    ...(problems.length === 0 ? compiled.flatMap((testCase, index) => testCase.warnings.map(inCase(index))) : []),
  ]
  return { suite: problems.length === 0 ? suite : undefined, problems, warnings }
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

function findRepeatedIds(suite: Suite): SuiteFinding[] {
  const seen = new Set<string>()
  return suite.testCases.flatMap(({ id }, index) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated ? [{ path: ['testCases', index, 'id'], message: `id ${JSON.stringify(id)} is used twice` }] : []
  })
}
