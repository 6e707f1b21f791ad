import { isJsonObject, InputError } from '../../contract/index.ts'
import { parseLooseJson } from '../text/loose-json.ts'
import { splitJson } from '../text/split-json.ts'
import type { Fields } from '../tool-results/formats/fields.ts'
import type { ResultsFile } from './foreign-results.ts'

async function* only(start: Buffer): AsyncGenerator<Buffer> {
  yield start
}

/** Keys of a JSON object and, as `a.b`, of the objects in it, as far as the start of the file shows them. */
export async function listTopKeys({ start, name }: ResultsFile): Promise<Set<string>> {
  const keys = new Set<string>()
  const parts = splitJson(only(start), {
    name,
    decide(path) {
      if (path.length > 0) keys.add(path.join('.'))
      return path.length < 2 ? 'enter' : 'skip'
    },
  })
  try {
    for await (const part of parts) if (part.kind === 'end' && part.path.length === 0) break
  } catch (error) {
    // The start of a longer file ends anywhere; and what is not JSON has no keys.
    if (!(error instanceof InputError)) throw error
  }
  return keys
}

/** The first line as a JSON object; undefined for any other file. */
export function readFirstLine({ start }: ResultsFile): Fields | undefined {
  const end = start.indexOf(0x0a)
  const text = start
    .toString('utf8', 0, end < 0 ? start.length : end)
    .replace(/^\uFEFF/, '')
    .trim()
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseLooseJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The first object of a JSON list, or of JSON lines; undefined for any other file. */
export async function readFirstRecord(file: ResultsFile): Promise<Fields | undefined> {
  const line = readFirstLine(file)
  if (line) return line
  const parts = splitJson(only(file.start), {
    name: file.name,
    decide: (path) => (path.length === 0 ? 'enter' : path[0] === '*' ? 'take' : 'skip'),
  })
  try {
    for await (const part of parts)
      if (part.kind === 'value') return part.path[0] === '*' && isJsonObject(part.value) ? part.value : undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
  }
  return undefined
}
