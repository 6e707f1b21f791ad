import { z } from 'zod'
import type { Storage } from '../../contract/index.ts'

const storedBatchSchema = z.object({
  provider: z.string(),
  /** By which the provider may know it. */
  name: z.string(),
  /** When it was about to be submitted, in milliseconds since 1970. */
  since: z.number(),
  /** The ids of its requests. */
  entries: z.array(z.string()),
  /** The provider's id; absent until the provider has confirmed it. */
  id: z.string().optional(),
  /** Its replies could not be loaded, or its submission failed: they may be there and paid for. */
  isUnread: z.boolean().optional(),
})

export type StoredBatch = z.output<typeof storedBatchSchema>

/** The batches of one run, so that a resume waits for them instead of paying for them again. */
export interface BatchStore {
  save(batch: StoredBatch): Promise<void>
  load(): Promise<StoredBatch[]>
  remove(batch: StoredBatch): Promise<void>
}

export function openBatchStore(
  runId: string,
  storage: Pick<Storage, 'saveDocument' | 'listDocuments' | 'deleteDocument'>,
): BatchStore {
  const idOf = ({ name }: StoredBatch) => `${runId}/${name}`
  return {
    save: async (batch) => void (await storage.saveDocument({ kind: 'batch', id: idOf(batch), content: batch })),
    async load() {
      const documents = await storage.listDocuments('batch')
      return documents.flatMap(({ id, content }) => {
        const parsed = id.startsWith(`${runId}/`) ? storedBatchSchema.safeParse(content) : undefined
        return parsed?.success ? [parsed.data] : []
      })
    },
    remove: async (batch) => void (await storage.deleteDocument('batch', idOf(batch))),
  }
}

/** A run that is completed will never ask for these replies again: the cells without one are asked anew. */
export async function forgetRead(store: BatchStore): Promise<void> {
  for (const batch of await store.load()) if (!batch.isUnread) await store.remove(batch)
}

export async function forgetBatches(store: BatchStore): Promise<void> {
  for (const batch of await store.load()) await store.remove(batch)
}
