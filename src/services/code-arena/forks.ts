import { z } from 'zod'
import type { ForkRequest, Storage, StoredDocument } from '../../contract/index.ts'

const forkSchema = z.object({
  runId: z.string(),
  modelId: z.string(),
  name: z.string().optional(),
  response: z.string(),
})

/** A page of a run that a person edited. It is kept beside the run's pages, and never voted on or ranked. */
export interface Fork extends z.output<typeof forkSchema> {
  id: string
  savedAt: number
}

function readFork({ id, savedAt, content }: StoredDocument): Fork | undefined {
  const fork = forkSchema.safeParse(content).data
  return fork && { ...fork, id, savedAt }
}

/** The forks of a run, first saved first. */
export async function listForks(storage: Storage, runId: string): Promise<Fork[]> {
  const documents = await storage.listDocuments('fork')
  return documents
    .flatMap((document) => readFork(document) ?? [])
    .filter((fork) => fork.runId === runId)
    .toReversed()
}

/** Undefined if the run has no such fork. */
export async function loadFork(storage: Storage, runId: string, id: string): Promise<Fork | undefined> {
  const document = await storage.loadDocument('fork', id)
  const fork = document && readFork(document)
  return fork?.runId === runId ? fork : undefined
}

export async function saveFork(storage: Storage, runId: string, id: string, fork: ForkRequest): Promise<Fork> {
  const saved = await storage.saveDocument({ kind: 'fork', id, content: { ...fork, runId } })
  return readFork(saved)!
}

/** Returns false if the run has no such fork. */
export async function removeFork(storage: Storage, runId: string, id: string): Promise<boolean> {
  return (await loadFork(storage, runId, id)) !== undefined && storage.deleteDocument('fork', id)
}
