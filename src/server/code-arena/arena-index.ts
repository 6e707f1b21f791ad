import type { Storage } from '../../contract/index.ts'
import { isArenaName, readArenaTask } from '../../services/index.ts'

/** Finds Code Arena runs. Each run is checked only once, because it never changes and loading large runs takes time. */
export interface ArenaIndex {
  /** Newest first. */
  listIds(): Promise<string[]>
}

export function createArenaIndex(storage: Storage): ArenaIndex {
  const isArenaById = new Map<string, boolean>()

  /** Not by the name alone: a user's suite may have the same prefix. */
  async function isArena(id: string): Promise<boolean> {
    return readArenaTask((await storage.loadRun(id, { texts: false }))?.testSuiteSnapshot) !== undefined
  }

  return {
    async listIds() {
      const ids = await storage.findRuns('')
      const unknown = ids.filter((id) => !isArenaById.has(id))
      for (const { id, testSuiteName } of await storage.listRuns({ ids: unknown }))
        isArenaById.set(id, isArenaName(testSuiteName) && (await isArena(id)))
      return ids.filter((id) => isArenaById.get(id))
    },
  }
}
