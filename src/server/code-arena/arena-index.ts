import type { Storage } from '../../contract/index.ts'
import { isArenaName, readArenaTask } from '../../services/index.ts'

const RUNS_AT_ONCE = 100

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

  /** The newest are the unknown ones, mostly. */
  async function learn(unknown: Set<string>): Promise<void> {
    for (let offset = 0; unknown.size > 0; offset += RUNS_AT_ONCE) {
      const runs = await storage.listRuns({ offset, limit: RUNS_AT_ONCE })
      for (const { id, testSuiteName } of runs) {
        known.set(id, isArenaName(testSuiteName) && (await isArena(id)))
        unknown.delete(id)
      }
      if (runs.length < RUNS_AT_ONCE) return
    }
  }

  return {
    async listIds() {
      const ids = await storage.findRuns('')
      await learn(new Set(ids.filter((id) => !known.has(id))))
      return ids.filter((id) => known.get(id))
    },
  }
}
