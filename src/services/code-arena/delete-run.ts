import type { Storage } from '../../contract/index.ts'
import { forgetBatches, openBatchStore } from '../batching/stored-batches.ts'
import { deletePairwiseVotes } from '../comparing/votes.ts'
import { deleteEmptyQueues } from '../rating/rating-queues.ts'
import { listForks, removeFork } from './forks.ts'
import { removeVotesOf } from './votes.ts'

/** Deletes a run with the votes on its pages and answers, its forks, its rating queues and the list of what was added to it. Returns false if there is no such run. */
export async function deleteRun(storage: Storage, runId: string): Promise<boolean> {
  const isDeleted = await storage.deleteRun(runId)
  // After the run: votes without a run are ignored, a run without its votes would be shown.
  await removeVotesOf(storage, runId)
  for (const { id } of await listForks(storage, runId)) await removeFork(storage, runId, id)
  await deletePairwiseVotes(runId, storage)
  await deleteEmptyQueues(storage, runId)
  await forgetBatches(openBatchStore(runId, storage))
  await storage.deleteDocument('added-runs', runId)
  return isDeleted
}
