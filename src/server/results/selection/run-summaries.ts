import type { RunSummary, Storage } from '../../../contract/index.ts'
import { notFound } from '../../http/refusal.ts'
import { shortenId } from './resolve-selection.ts'

/** The summaries of runs, in the order of their ids. */
export async function loadSummaries(storage: Storage, ids: readonly string[]): Promise<RunSummary[]> {
  const byId = new Map((await storage.listRuns({ ids })).map((summary) => [summary.id, summary]))
  return ids.map((id) => {
    const summary = byId.get(id)
    if (!summary) throw notFound(`Run ${shortenId(id)}`)
    return summary
  })
}
