import type { Storage } from '../../contract/index.ts'
import { listForks, removeFork } from './forks.ts'
import { removeVotesOf } from './votes.ts'

/** Deletes a run, the votes on its pages and their forks. Returns false if there is no such run. */
export async function deleteRun(storage: Storage, runId: string): Promise<boolean> {
  const isDeleted = await storage.deleteRun(runId)
  // After the run: votes without a run are ignored, a run without its votes would be shown.
  await removeVotesOf(storage, runId)
  for (const { id } of await listForks(storage, runId)) await removeFork(storage, runId, id)
  return isDeleted
}
