import { InputError } from '../../contract/index.ts'
import { parseLooseJson } from '../text/loose-json.ts'
import { splitJson } from '../text/split-json.ts'
import type { ResultsFile } from './foreign-results.ts'

/** Keys of a JSON object and, as `a.b`, of the objects in it, as far as the start of the file shows them. */
export async function listTopKeys({ start, name }: ResultsFile): Promise<Set<string>> {
  const keys = new Set<string>()
  const parts = splitJson(
    (async function* () {
      yield start
    })(),
    {
      name,
      decide(path) {
        if (path.length > 0) keys.add(path.join('.'))
        return path.length < 2 ? 'enter' : 'skip'
      },
    },
  )
  try {
    for await (const part of parts) if (part.kind === 'end' && part.path.length === 0) break
  } catch (error) {
    // The start of a longer file ends anywhere; and what is not JSON has no keys.
    if (!(error instanceof InputError)) throw error
  }
  return keys
}

/** The first line as a JSON object; undefined for any other file. */
export function readFirstLine({ start }: ResultsFile): Record<string, unknown> | undefined {
  const end = start.indexOf(0x0a)
  const text = start
    .toString('utf8', 0, end < 0 ? start.length : end)
    .replace(/^\uFEFF/, '')
    .trim()
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseLooseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
