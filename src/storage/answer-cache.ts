import { createHash } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelAnswer } from '../contract/index.ts'
import { makeFolder, OWNER_ONLY_FILE } from './private-files.ts'

interface CachedAnswer {
  key: string
  answer: ModelAnswer
  /** Milliseconds since 1970. Earlier versions did not write it; the file's own time serves instead. */
  at?: number
}

/** What is not an answer must not be served again and again: the model is asked instead. */
function isUsable({ answer, at }: CachedAnswer): boolean {
  return answer?.outcome === 'ok' && typeof answer.response === 'string' && (at === undefined || Number.isFinite(at))
}

/** One file per answer, named by a hash of the request. A half-written, damaged or foreign file counts as a miss. */
export function openAnswerCache(folder: string, now: () => number = Date.now) {
  const fileOf = (key: string) => {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(folder, hash.slice(0, 2), `${hash}.json`)
  }
  let written = 0
  return {
    async get(key: string): Promise<{ answer: ModelAnswer; at: number } | undefined> {
      const text = await readFile(fileOf(key), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        const cached: CachedAnswer = JSON.parse(text)
        if (cached.key !== key || !isUsable(cached)) return undefined
        return { answer: cached.answer, at: cached.at ?? (await stat(fileOf(key))).mtimeMs }
      } catch {
        return undefined
      }
    },
    async set(key: string, answer: ModelAnswer): Promise<void> {
      const file = fileOf(key)
      const cached: CachedAnswer = { key, answer, at: now() }
      makeFolder(folder)
      makeFolder(dirname(file))
      // Two requests at once may have the same key.
      const temporary = `${file}.${process.pid}-${++written}`
      await writeFile(temporary, JSON.stringify(cached), { mode: OWNER_ONLY_FILE })
      await rename(temporary, file)
    },
  }
}
