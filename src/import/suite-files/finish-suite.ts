import { basename, extname } from 'node:path'
import { InputError, nameSuite, type Suite } from '../../contract/index.ts'
import { checkSuite, codeScorers, scorers, type Scorer, type SuiteFinding } from '../../scoring/index.ts'
import { findTooDeep, TOO_DEEP } from '../text/nesting.ts'
import { fillVariables } from './variables.ts'

export interface FinishedSuite {
  suite: Suite
  /** One line each, with the place in the file. */
  warnings: string[]
}

const MOST_PROBLEMS_SHOWN = 20

/** `testCases[2].weight` */
export function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

/** One error with a line for each problem, the first of them only when there are very many. */
function throwProblems(problems: string[]): never {
  const shown = problems.slice(0, MOST_PROBLEMS_SHOWN)
  if (problems.length > shown.length) shown.push(`… and ${problems.length - shown.length} more`)
  throw new InputError(shown.join('\n'))
}

/** The scoring methods that a suite may use. */
export function listScorers({ allowCode = false }: { allowCode?: boolean | undefined }): readonly Scorer[] {
  return allowCode ? [...scorers, ...codeScorers] : scorers
}

/** What a suite is called that names itself nowhere: `prices` of prices.yaml. */
export function nameAfterFile(file: string): string {
  const name = basename(file, extname(file))
  return /^[-.\s]*$/.test(name) ? 'Suite' : name
}

/** Turns a parsed suite into one that can run: fills its variables and checks every field. */
export function finishSuite(
  given: unknown,
  locate: (path: readonly PropertyKey[]) => string,
  known?: readonly Scorer[],
  name?: string,
): FinishedSuite {
  const raw = nameSuite(given, name)
  const deep = findTooDeep(raw)
  // From code it may also contain itself.
  if (deep) throw new InputError(`${locate(deep)}: ${writePath(deep.slice(0, 4))} … ${TOO_DEEP}, or contains itself`)
  const filled = fillVariables(raw)
  const checked = checkSuite(filled.value, known)
  const describe = ({ path, message }: SuiteFinding) =>
    `${locate(path)}: ${path.length > 0 ? `${writePath(path)}: ` : ''}${message}`
  const problems = [...filled.problems, ...checked.problems]
  if (!checked.suite || problems.length > 0) throwProblems(problems.map(describe))
  return { suite: checked.suite, warnings: checked.warnings.map(describe) }
}
