import { InputError, type Suite } from '../../contract/index.ts'
import { checkSuite, type SuiteFinding } from '../../scoring/index.ts'
import { parseLocated } from './located-document.ts'
import { readSource } from './source-text.ts'

export interface LoadedSuite {
  suite: Suite
  /** One line each, with file, line and column. */
  warnings: string[]
}

const MOST_PROBLEMS_SHOWN = 20

/** `testCases[2].weight` */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

/** Reads a suite from YAML or JSON. All problems come in one error, a line each. */
export function parseSuite(text: string, file: string): LoadedSuite {
  const document = parseLocated(text, file)
  const { suite, problems, warnings } = checkSuite(document.value)
  const describe = ({ path, message }: SuiteFinding) =>
    `${document.locate(path)}: ${path.length > 0 ? `${formatPath(path)}: ` : ''}${message}`

  if (!suite) {
    const shown = problems.slice(0, MOST_PROBLEMS_SHOWN).map(describe)
    if (problems.length > shown.length) shown.push(`… and ${problems.length - shown.length} more`)
    throw new InputError(shown.join('\n'))
  }
  return { suite, warnings: warnings.map(describe) }
}

export async function loadSuite(file: string): Promise<LoadedSuite> {
  return parseSuite(await readSource(file), file)
}
