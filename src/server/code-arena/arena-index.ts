import type { Storage } from '../../contract/index.ts'
import { readArenaTask } from '../../services/index.ts'

/** Finds Code Arena runs. Each run is checked only once, because it never changes and loading large runs takes time. */
export interface ArenaIndex {
  /** Newest first. */
  listIds(): Promise<string[]>
  /** All runs of the conversation that a run is part of, newest first: its first turn, and every follow-up. */
  listConversation(runId: string): Promise<string[]>
}

function createArenaIndex(storage: Storage): ArenaIndex {
  /** The first run of the conversation that a run is part of; undefined if it is not a Code Arena run. */
  const rootById = new Map<string, string | undefined>()

  async function findRoot(id: string): Promise<string | undefined> {
    const task = readArenaTask(await storage.loadRun(id, { texts: false }))
    return task && (task.conversation?.turns[0]?.runId ?? id)
  }

  async function listIds(): Promise<string[]> {
    const ids = (await storage.describeRuns({ kinds: ['page'] })).map(({ id }) => id)
    for (const id of ids) if (!rootById.has(id)) rootById.set(id, await findRoot(id))
    return ids
  }

  return {
    listIds,
    async listConversation(runId) {
      const ids = await listIds()
      const root = rootById.get(runId)
      return ids.filter((id) => rootById.get(id) === root)
    },
  }
}

const indexes = new WeakMap<Storage, ArenaIndex>()

/** One for all routes. */
export function arenaIndexOf(storage: Storage): ArenaIndex {
  const index = indexes.get(storage) ?? createArenaIndex(storage)
  indexes.set(storage, index)
  return index
}
