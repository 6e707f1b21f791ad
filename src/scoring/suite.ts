import { suiteSchema, type Suite, type TestCase } from '../contract/index.ts'
import { findCaseProblems, findUnknownFields, planChecks } from './checks.ts'
import { scorers } from './scorers.ts'

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

/** Checks a suite read from anywhere. All problems are found at once, so that they can be mended at once. */
export function checkSuite(raw: unknown): CheckedSuite {
  const parsed = suiteSchema.safeParse(raw)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path, message }))
    return { suite: undefined, problems, warnings: [] }
  }
  const suite = parsed.data
  const inCase = (index: number) => (finding: SuiteFinding) => ({ ...finding, path: ['testCases', index, ...finding.path] })

  const problems = [
    ...suite.testCases.flatMap((testCase, index) => findCaseProblems(scorers, testCase).map(inCase(index))),
    ...suite.testCases.flatMap((testCase, index) =>
      (testCase.prompt === undefined) === (testCase.messages === undefined)
        ? [{ path: ['testCases', index], message: 'give either a prompt or messages' }]
        : [],
    ),
    ...findRepeatedIds(suite),
  ]
  const warnings = [
    ...Object.keys(suite)
      .filter((key) => !Object.hasOwn(suiteSchema.shape, key))
      .map((key) => ({ path: [key], message: 'unknown field, not used' })),
    ...suite.testCases.flatMap((testCase, index) =>
      findUnknownFields(scorers, testCase).map((path) => inCase(index)({ path, message: 'unknown field, not used' })),
    ),
  ]
  return { suite: problems.length === 0 ? suite : undefined, problems, warnings }
}

function findRepeatedIds(suite: Suite): SuiteFinding[] {
  const seen = new Set<string>()
  return suite.testCases.flatMap(({ id }, index) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated ? [{ path: ['testCases', index, 'id'], message: `id ${JSON.stringify(id)} is used twice` }] : []
  })
}

/** Whether an answer to this case is graded by a judge model. */
export function needsJudge(testCase: TestCase): boolean {
  return planChecks(scorers, testCase).some(({ scorer }) => scorer.kind === 'judge')
}
