import type { Storage } from '../../contract/index.ts'
import { isArenaName, readArenaTask } from '../../services/index.ts'

/** Which runs are the Code Arena's. A run stays what it is, so each is looked at once: listing very large runs takes time. */
export interface ArenaIndex {
  /** Newest first. */
  listIds(): Promise<string[]>
}

export function createArenaIndex(storage: Storage): ArenaIndex {
  const known = new Map<string, boolean>()

  /** A suite of somebody's own may have such a name. */
  async function isArena(id: string): Promise<boolean> {
    return readArenaTask((await storage.loadRun(id, { texts: false }))?.testSuiteSnapshot) !== undefined
  }

  return {
    async listIds() {
      const ids = await storage.findRuns('')
      const unknown = ids.filter((id) => !known.has(id))
      for (const { id, testSuiteName } of await storage.listRuns({ ids: unknown }))
        known.set(id, isArenaName(testSuiteName) && (await isArena(id)))
      return ids.filter((id) => known.get(id))
    },
  }
}
