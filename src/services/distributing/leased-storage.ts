import { LeaseLost, type Storage, type TakenWork, type WorkQueue } from '../../contract/index.ts'

/**
 * The storage for the work of a lease: nothing is written for a cell that another worker has taken over. What was paid
 * is written in any case.
 */
export function leaseStorage(storage: Storage, taken: TakenWork, queue: WorkQueue): Storage {
  const guarded = queue.guard(storage, taken)
  return {
    ...guarded,
    endAttempt: (id, end) => storage.endAttempt(id, end),
    async saveAnswer(id, end, cell, answer) {
      try {
        await guarded.saveAnswer(id, end, cell, answer)
      } catch (error) {
        if (error instanceof LeaseLost) await storage.endAttempt(id, end)
        throw error
      }
    },
  }
}
