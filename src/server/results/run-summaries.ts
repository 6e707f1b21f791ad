import type { RunSummary, Storage } from '../../contract/index.ts'
import { notFound } from '../http/refusal.ts'
import { shortenId } from './resolve-selection.ts'

const MOST_TRIES = 3

/** Runs that lie close together are read in one go. */
const MOST_BETWEEN = 20

/**
 * The summaries of runs by their ids. The store lists runs newest first and gives their ids alone at little cost, so their places
 * are looked up there; a run begun meanwhile moves all places, and they are looked up again.
 */
export async function loadSummaries(storage: Storage, ids: readonly string[]): Promise<RunSummary[]> {
  for (let attempt = 1; ; attempt++) {
    const all = await storage.findRuns('')
    const places = ids.map((id) => all.indexOf(id))
    const missing = ids.find((_, index) => places[index]! < 0)
    if (missing !== undefined) throw notFound(`Run ${shortenId(missing)}`)
    const found = new Map<string, RunSummary>()
    for (const { offset, limit } of groupPlaces(places))
      for (const summary of await storage.listRuns({ offset, limit })) found.set(summary.id, summary)
    const summaries = ids.flatMap((id) => found.get(id) ?? [])
    if (summaries.length === ids.length) return summaries
    if (attempt === MOST_TRIES) throw notFound(`Run ${shortenId(ids.find((id) => !found.has(id))!)}`)
  }
}

function groupPlaces(places: readonly number[]): { offset: number; limit: number }[] {
  const groups: { offset: number; limit: number }[] = []
  for (const place of places.toSorted((a, b) => a - b)) {
    const last = groups.at(-1)
    if (last && place < last.offset + last.limit + MOST_BETWEEN) last.limit = place - last.offset + 1
    else groups.push({ offset: place, limit: 1 })
  }
  return groups
}
