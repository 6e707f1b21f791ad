import type { Message, Suite, Problem } from '../../contract/index.ts'
import { fillVariables } from '../../import/suite-files/variables.ts'
import { checkSuite, questionOf, type SuiteFinding } from '../../scoring/index.ts'

/** POST /api/suites/check */
export interface SuiteCheck {
  problems: Problem[]
  warnings: Problem[]
}

export interface CheckedRawSuite {
  /** Ready to run, with its variables filled; absent if there are problems. */
  suite?: Suite
  problems: Problem[]
  warnings: Problem[]
}

/** More problems than this would not be fixed one by one. */
const MAX_PROBLEMS = 200

function toProblem({ path, message }: SuiteFinding): Problem {
  return { path: path.map((key) => (typeof key === 'number' ? key : String(key))), message }
}

/** A suite file may refer to images in its folder; a suite in the web app has no folder. */
function findPaths(messages: readonly Message[] = []): { turn: number; at: number }[] {
  return messages.flatMap(({ content }, turn) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part, at) =>
          part.type === 'image' && !/^(?:data|https?):/.test(part.image) ? [{ turn, at }] : [],
        ),
  )
}

const NOT_INCLUDED = 'an image must be included in the suite as a data: URL'

function findImagePaths({ testCases, variants = [] }: Suite): SuiteFinding[] {
  return [
    ...testCases.flatMap(({ messages }, index) =>
      findPaths(messages).map(({ turn, at }) => ({
        path: ['testCases', index, 'messages', turn, 'content', at, 'image'],
        message: NOT_INCLUDED,
      })),
    ),
    ...variants.flatMap((variant, index) => {
      const wrong = testCases.find((testCase) => findPaths(questionOf(testCase, variant).messages).length > 0)
      return variant.messages && wrong
        ? [{ path: ['variants', index, 'messages'], message: `${NOT_INCLUDED} (test case ${wrong.id})` }]
        : []
    }),
  ]
}

/** Checks a suite as edited, with its {{variables}} unfilled. Lists all problems at once. */
export function checkRawSuite(raw: unknown): CheckedRawSuite {
  const filled = fillVariables(raw)
  const checked = checkSuite(filled.value)
  const problems = [...filled.problems, ...checked.problems, ...(checked.suite ? findImagePaths(checked.suite) : [])]
  return {
    ...(checked.suite && problems.length === 0 && { suite: checked.suite }),
    problems: problems.slice(0, MAX_PROBLEMS).map(toProblem),
    warnings: checked.warnings.slice(0, MAX_PROBLEMS).map(toProblem),
  }
}
