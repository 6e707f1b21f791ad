import { LineCounter, parseDocument, stringify } from 'yaml'
import { isRecord } from '../../contract/index.ts'
import { keepAsWritten, offsetAt } from '../../contract/suites/suite-yaml.ts'
import type { Fields, Path } from './suite-draft.ts'

/** A suite to YAML and back. Imported on demand, because the parser is large. */

export interface SourcePlace {
  line: number
  column: number
}

export type ReadSource = { suite: Fields; locate: (path: Path) => SourcePlace } | { error: string; place: SourcePlace }

/** Always written the same way, so that two versions differ only where the suite does. Long lines are not wrapped. */
export function writeSource(suite: Fields): string {
  return stringify(suite, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** The forms need a mapping whose cases are mappings. */
function findShapeProblem(value: unknown): { path: Path; message: string } | undefined {
  if (!isRecord(value)) return { path: [], message: 'A suite must be a mapping with name: and testCases:.' }
  const cases = value['testCases']
  if (!Array.isArray(cases)) return { path: ['testCases'], message: 'testCases: must be a list of cases.' }
  const badIndex = cases.findIndex((testCase) => !isRecord(testCase))
  return badIndex === -1
    ? undefined
    : { path: ['testCases', badIndex], message: 'A test case must be a mapping with id: and prompt:.' }
}

/** Reads YAML, and so also JSON. Reports the first problem with its line and column. */
export function readSource(text: string): ReadSource {
  const lineCounter = new LineCounter()
  const placeAt = (offset: number): SourcePlace => {
    const { line, col } = lineCounter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, schema: 'core', uniqueKeys: true })
    const [error] = document.errors
    if (error) return { error: error.message, place: placeAt(error.pos[0]) }
    keepAsWritten(document)
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    const locate = (path: Path): SourcePlace => {
      for (let length = path.length; length >= 0; length--) {
        const offset = offsetAt(document, path.slice(0, length))
        if (offset !== undefined) return placeAt(offset)
      }
      return { line: 1, column: 1 }
    }
    const problem = findShapeProblem(value)
    if (problem || !isRecord(value)) return { error: problem?.message ?? '', place: locate(problem?.path ?? []) }
    return { suite: value, locate }
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? 'The text is nested too deeply.'
        : error instanceof Error
          ? error.message
          : String(error)
    return { error: reason, place: { line: 1, column: 1 } }
  }
}
