import type { Storage } from '../../contract/index.ts'

/** How many cells each run of a series has finished; empty for a single run. */
export async function countDone(seriesId: string | undefined, storage: Storage): Promise<Map<string, number>> {
  if (seriesId === undefined) return new Map()
  const runs = await storage.listRuns({ ids: await storage.runsOfSeries(seriesId) })
  return new Map(runs.map(({ id, cells }) => [id, cells.total - cells.pending]))
}
