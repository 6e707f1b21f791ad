import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelAnswer } from '../contract/index.ts'
import { makeFolder, OWNER_ONLY_FILE } from './private-files.ts'

interface CachedAnswer {
  key: string
  answer: ModelAnswer
}

/** One file per answer, named by a hash of the request. A half-written or foreign file counts as a miss. */
export function openAnswerCache(folder: string) {
  const fileOf = (key: string) => {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(folder, hash.slice(0, 2), `${hash}.json`)
  }
  let written = 0
  return {
    async get(key: string): Promise<ModelAnswer | undefined> {
      const text = await readFile(fileOf(key), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        const cached: CachedAnswer = JSON.parse(text)
        return cached.key === key ? cached.answer : undefined
      } catch {
        return undefined
      }
    },
    async set(key: string, answer: ModelAnswer): Promise<void> {
      const file = fileOf(key)
      const cached: CachedAnswer = { key, answer }
      makeFolder(folder)
      makeFolder(dirname(file))
      // Two requests at once may have the same key.
      const temporary = `${file}.${process.pid}-${++written}`
      await writeFile(temporary, JSON.stringify(cached), { mode: OWNER_ONLY_FILE })
      await rename(temporary, file)
    },
  }
}
