import type { BatchEntry } from '../../contract/index.ts'

/** Providers take some 200 MB at a time. */
const MAX_BATCH_BYTES = 100 * 1024 * 1024

/** A provider takes only requests for the same model in one batch. */
function modelOf({ body }: BatchEntry): string {
  const { model }: { model?: unknown } = JSON.parse(body)
  return String(model)
}

export function* splitIntoBatches(
  entries: readonly BatchEntry[],
  { maxEntries, maxBytes = MAX_BATCH_BYTES }: { maxEntries: number; maxBytes?: number },
): Generator<BatchEntry[]> {
  for (const group of Map.groupBy(entries, modelOf).values()) {
    let batch: BatchEntry[] = []
    let bytes = 0
    for (const entry of group) {
      const entryBytes = Buffer.byteLength(entry.body)
      if (batch.length === maxEntries || (batch.length > 0 && bytes + entryBytes > maxBytes)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(entry)
      bytes += entryBytes
    }
    yield batch
  }
}
