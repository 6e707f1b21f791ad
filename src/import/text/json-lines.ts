import { InputError, messageOf, isRecord } from '../../contract/index.ts'
import { findJsonError, JsonPlaces, describeRepeated, findRepeatedKey } from './json-places.ts'
import { refuseDeepJson } from './nesting.ts'

export interface JsonLine {
  /** From 1. */
  line: number
  value: Record<string, unknown>
  /** `file:line:column` of the value at a path, or of its nearest parent. */
  locate(path: readonly PropertyKey[]): string
  /** The value of a top-level field as it is written in the file: 1.50, not 1.5. */
  writtenAs(field: string): string | undefined
}

/** Without the engine's position, which counts from the start of this line, and without the text around it. */
export function shortenJsonError(error: unknown): string {
  return messageOf(error)
    .replace(/ (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?/, '')
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '')
}

function parseLine(text: string, line: number, file: string): JsonLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const column = (findJsonError(text) ?? 0) + 1
    throw new InputError(`${file}:${line}:${column}: is not JSON: ${shortenJsonError(error)}`, { cause: error })
  }
  if (!isRecord(value)) throw new InputError(`${file}:${line}:${text.search(/\S/) + 1}: is not a JSON object { … }`)
  refuseDeepJson(value, text, { file, line })
  const repeated = findRepeatedKey(text, value)
  if (repeated) throw new InputError(`${file}:${line}:${repeated.offset + 1}: ${describeRepeated(repeated)}`)
  return {
    line,
    value,
    locate: (path) => `${file}:${line}:${new JsonPlaces(text).find(path) + 1}`,
    writtenAs: (field) => new JsonPlaces(text).source([field]),
  }
}

/** Reads one JSON object per line and skips empty lines. */
export function readJsonLines(source: string, file: string): JsonLine[] {
  return source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseLine(text, index + 1, file)]))
}
