import { z } from 'zod'
import { VersionConflict, type Storage } from '../../contract/index.ts'

/** A run or series that is opened as one result, as in an address: the id of a run, or `series:` and that of a series. */
type ResultName = string

const SERIES = 'series:'

const addedSchema = z.object({ added: z.array(z.string()) })

export function nameResult({ id, seriesId }: { id: string; seriesId?: string | undefined }): ResultName {
  return seriesId === undefined ? id : `${SERIES}${seriesId}`
}

/** The runs of a result without those that were added to it; undefined if it names a series that has none. */
export async function findOwnRuns(name: ResultName, storage: Storage): Promise<string[] | undefined> {
  if (!name.startsWith(SERIES)) return [name]
  const runs = await storage.runsOfSeries(name.slice(SERIES.length))
  return runs.length === 0 ? undefined : runs
}

async function loadAdded(name: ResultName, storage: Storage): Promise<{ added: ResultName[]; version: number }> {
  const found = await storage.loadDocument('added-runs', name)
  return { added: addedSchema.safeParse(found?.content).data?.added ?? [], version: found?.version ?? 0 }
}

/** Makes a run or series of other models part of a result, wherever that is opened. */
export async function addToResult(name: ResultName, addition: ResultName, storage: Storage): Promise<void> {
  const { added, version } = await loadAdded(name, storage)
  try {
    const content = { added: [...new Set([...added, addition])] }
    await storage.saveDocument({ kind: 'added-runs', id: name, content }, { after: version })
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    // Someone else added a model in the meantime.
    await addToResult(name, addition, storage)
  }
}

/** The runs that were added to a result and still exist, in the order they were added. */
export async function findAddedRuns(name: ResultName, storage: Storage): Promise<string[]> {
  const { added } = await loadAdded(name, storage)
  if (added.length === 0) return []
  const ids = (await Promise.all(added.map((own) => findOwnRuns(own, storage)))).flatMap((own) => own ?? [])
  const stored = new Set((await storage.describeRuns({ ids })).map(({ id }) => id))
  return ids.filter((id) => stored.has(id))
}
