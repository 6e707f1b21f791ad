import type { Storage } from '../../../contract/index.ts'

/** How many times this server has changed each run in a way that its summary does not show. */
const changes = new WeakMap<Storage, Map<string, number>>()

/** Call after rating a cell, rescoring a run or finishing one, so that results show it at once. */
export function noteRunChange(storage: Storage, runId: string): void {
  const counts = changes.get(storage) ?? new Map<string, number>()
  changes.set(storage, counts)
  counts.set(runId, countRunChanges(storage, runId) + 1)
}

export function countRunChanges(storage: Storage, runId: string): number {
  return changes.get(storage)?.get(runId) ?? 0
}
