import type { Suite, Problem } from '../../contract/index.ts'
import { fillVariables } from '../../import/suite-files/variables.ts'
import { checkSuite, type SuiteFinding } from '../../scoring/index.ts'

/** POST /api/suites/check */
export interface SuiteCheck {
  problems: Problem[]
  warnings: Problem[]
}

export interface CheckedRawSuite {
  /** Ready to run, its variables filled; absent when there are problems. */
  suite?: Suite
  problems: Problem[]
  warnings: Problem[]
}

/** A suite of this many problems is not mended one by one. */
const MOST_PROBLEMS = 200

function toProblem({ path, message }: SuiteFinding): Problem {
  return { path: path.map((key) => (typeof key === 'number' ? key : String(key))), message }
}

/** A file's own suite may name images beside it; here there is no beside. */
function findImagePaths({ testCases }: Suite): SuiteFinding[] {
  return testCases.flatMap(({ messages = [] }, index) =>
    messages.flatMap(({ content }, turn) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part, at) =>
            part.type === 'image' && !part.image.startsWith('data:')
              ? [
                  {
                    path: ['testCases', index, 'messages', turn, 'content', at, 'image'],
                    message: 'an image must be in the suite itself, as a data: URL',
                  },
                ]
              : [],
          ),
    ),
  )
}

/** Checks a suite as it is edited, with its {{variables}} still in it. Everything wrong is found at once. */
export function checkRawSuite(raw: unknown): CheckedRawSuite {
  const filled = fillVariables(raw)
  const checked = checkSuite(filled.value)
  const problems = [...filled.problems, ...checked.problems, ...(checked.suite ? findImagePaths(checked.suite) : [])]
  return {
    ...(checked.suite && problems.length === 0 && { suite: checked.suite }),
    problems: problems.slice(0, MOST_PROBLEMS).map(toProblem),
    warnings: checked.warnings.slice(0, MOST_PROBLEMS).map(toProblem),
  }
}
