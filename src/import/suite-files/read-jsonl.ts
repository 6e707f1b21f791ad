import { basename, extname } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { finishSuite, type FinishedSuite } from './finish-suite.ts'
import { readJsonLines, type JsonLine } from '../text/json-lines.ts'

/** Fields that are text: `"expectedOutput": 1.50` means the characters 1.50. */
const TEXT_FIELDS = ['id', 'prompt', 'expectedOutput']

function readCase({ value, writtenAs }: JsonLine, position: number): Record<string, unknown> {
  const testCase: Record<string, unknown> = { id: `line-${position}`, ...value }
  for (const name of TEXT_FIELDS) {
    const written = typeof value[name] === 'number' || typeof value[name] === 'boolean' ? writtenAs(name) : undefined
    if (written !== undefined) testCase[name] = written
  }
  return testCase
}

/** Reads a suite from JSON lines: one test case per line, with the fields of a suite file. */
export function parseJsonlSuite(text: string, file: string): FinishedSuite {
  const lines = readJsonLines(text, file)
  if (lines.length === 0) throw new InputError(`${file}: is empty`)
  if (
    lines.every(
      ({ value }) =>
        Object.hasOwn(value, 'vars') && !Object.hasOwn(value, 'prompt') && !Object.hasOwn(value, 'messages'),
    )
  )
    throw new InputError(
      `${file}: contains promptfoo tests, which have no prompt; import the promptfooconfig.yaml that names this file`,
    )

  const testCases = lines.map((line) => readCase(line, line.line))
  const locate = ([, index, ...inCase]: readonly PropertyKey[]) => {
    const found = typeof index === 'number' ? lines[index] : undefined
    return found?.locate(inCase) ?? file
  }
  return finishSuite({ name: basename(file, extname(file)) || 'Suite', testCases }, locate)
}
