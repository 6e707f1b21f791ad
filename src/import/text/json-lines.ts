import { InputError } from '../../contract/index.ts'
import { findJsonError } from './find-json-error.ts'
import { JsonPlaces } from './located-json.ts'

export interface JsonLine {
  /** From 1. */
  line: number
  value: Record<string, unknown>
  /** `file:line:column` of the value at a path, or of its nearest parent. */
  locate(path: readonly PropertyKey[]): string
  /** A number or truth value at the top level as it was written: 1.50, not 1.5. */
  writtenAs(field: string): string | undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The engine counts lines within the one line it was given. */
function explain(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(
    / (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?/,
    '',
  )
}

function parseLine(text: string, line: number, file: string): JsonLine {
  // By the object they stand in: the same name may occur deeper as well.
  const written = new Map<unknown, Map<string, string>>()
  let value: unknown
  try {
    value = JSON.parse(
      text,
      function (this: unknown, key: string, item: unknown, context?: { source?: string }): unknown {
        if (context?.source !== undefined && typeof item !== 'string') {
          const fields = written.get(this) ?? new Map<string, string>()
          written.set(this, fields.set(key, context.source))
        }
        return item
      },
    )
  } catch (error) {
    throw new InputError(`${file}:${line}:${findJsonError(text) + 1}: is not JSON: ${explain(error)}`, { cause: error })
  }
  if (!isRecord(value)) throw new InputError(`${file}:${line}:${text.search(/\S/) + 1}: is not a JSON object { … }`)
  const locate = (path: readonly PropertyKey[]) => `${file}:${line}:${new JsonPlaces(text).find(path) + 1}`
  return { line, value, locate, writtenAs: (field) => written.get(value)?.get(field) }
}

/** One JSON object a line; empty lines are skipped. */
export function readJsonLines(source: string, file: string): JsonLine[] {
  return source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseLine(text, index + 1, file)]))
}
