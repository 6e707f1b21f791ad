import { checkSchema, InputError, testCaseSchema, type Check, type TestCase } from '../contract/index.ts'
import type { CheckProblem, Scorer } from './scorer.ts'

/** One scoring method with what it needs, read from a test case. */
export interface PlannedCheck {
  scorer: Scorer
  expectedOutput: string | undefined
  options: Record<string, unknown>
  weight: number
}

function findScorer(scorers: readonly Scorer[], name: string): Scorer {
  const scorer = scorers.find((candidate) => candidate.name === name)
  if (scorer) return scorer
  throw new InputError(
    `there is no scoring method ${JSON.stringify(name)}; there are ${scorers.map((s) => s.name).join(', ')}`,
  )
}

/** The options of a scoring method stand beside the fields of the case or check itself. */
function readOptions(fields: Record<string, unknown>, scorer: Scorer): Record<string, unknown> {
  const options = Object.keys(fields).filter((key) => Object.hasOwn(scorer.options.shape, key))
  return Object.fromEntries(options.map((key) => [key, fields[key]]))
}

function planCheck(scorers: readonly Scorer[], scoringMethod: string, fields: Check | TestCase): PlannedCheck {
  const scorer = findScorer(scorers, scoringMethod)
  return { scorer, expectedOutput: fields.expectedOutput, options: readOptions(fields, scorer), weight: fields.weight }
}

/** What is to be checked of an answer to this case: its one method, or its list of checks. */
export function planChecks(scorers: readonly Scorer[], testCase: TestCase): PlannedCheck[] {
  const { scoringMethod, checks } = testCase
  if (checks && scoringMethod !== undefined) throw new InputError('give either scoringMethod or checks, not both')
  if (checks) return checks.map((check) => planCheck(scorers, check.scoringMethod, check))
  if (scoringMethod === undefined) throw new InputError('give a scoringMethod, or a list of checks')
  return [planCheck(scorers, scoringMethod, testCase)]
}

interface CaseFindings {
  /** Everything that would make the case unscorable whatever the answer. */
  problems: CheckProblem[]
  /** Worth a look when there are no problems. */
  warnings: CheckProblem[]
}

/** What there is to say of a case before it is asked, with paths relative to the case. */
export function inspectCase(scorers: readonly Scorer[], testCase: TestCase): CaseFindings {
  const findings: CaseFindings = { problems: [], warnings: [] }
  try {
    for (const [index, { scorer, expectedOutput, options }] of planChecks(scorers, testCase).entries()) {
      const locate = ({ path, message }: CheckProblem) => ({
        path: testCase.checks ? ['checks', index, ...path] : path,
        message,
      })
      const problems = scorer.findProblems(expectedOutput, options)
      const warnings = problems.length === 0 ? (scorer.findWarnings?.(expectedOutput) ?? []) : []
      findings.problems.push(...problems.map(locate))
      findings.warnings.push(...warnings.map(locate))
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    findings.problems.push({ path: [], message: error.message })
  }
  return findings
}

/** Fields that nothing reads: most often a misspelt option. */
export function findUnknownFields(scorers: readonly Scorer[], testCase: TestCase): PropertyKey[][] {
  const unknownIn = (fields: Record<string, unknown>, own: object, method: string | undefined, path: PropertyKey[]) => {
    const options = scorers.find(({ name }) => name === method)?.options.shape ?? {}
    return Object.keys(fields)
      .filter((key) => !Object.hasOwn(own, key) && !Object.hasOwn(options, key))
      .map((key) => path.concat(key))
  }
  return [
    ...unknownIn(testCase, testCaseSchema.shape, testCase.scoringMethod, []),
    ...(testCase.checks ?? []).flatMap((check, index) =>
      unknownIn(check, checkSchema.shape, check.scoringMethod, ['checks', index]),
    ),
  ]
}
