import type { Storage } from '../../../contract/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'

const MAX_RUNS = 200
const SERIES = 'series:'

async function resolvePart(storage: Storage, part: string): Promise<string[]> {
  if (!part.startsWith(SERIES)) return [part]
  const seriesId = part.slice(SERIES.length)
  const runs = await storage.runsOfSeries(seriesId)
  if (runs.length === 0) throw notFound(`Series ${shortenId(seriesId)}`)
  return runs
}

/** The ids of the runs in a selection, in order: run ids and `series:ID`, separated by commas. */
export async function resolveSelection(storage: Storage, selection: string): Promise<string[]> {
  const parts = [...new Set(selection.split(',').filter((part) => part !== ''))]
  if (parts.length > MAX_RUNS) throw tooMany(parts.length)
  const resolved = await Promise.all(parts.map((part) => resolvePart(storage, part)))
  const ids = [...new Set(resolved.flat())]
  if (ids.length === 0)
    throw new Refusal(400, 'bad-selection', 'No run is selected: give run ids separated by commas, or series:ID.')
  // A single series is shown whole, however long it is.
  if (ids.length > MAX_RUNS && parts.length > 1) throw tooMany(ids.length)
  return ids
}

function tooMany(runs: number): Refusal {
  return new Refusal(400, 'bad-selection', `${runs} runs are selected: at most ${MAX_RUNS} can be shown together.`)
}

/** For messages: an id from an address may have any length. */
export function shortenId(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id
}
