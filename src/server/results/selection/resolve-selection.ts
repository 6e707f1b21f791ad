import type { Storage } from '../../../contract/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'

const MOST_RUNS = 200
const SERIES = 'series:'

/** The runs that a selection names, in its order: `ID`, `ID,ID,…` or `series:ID`. */
export async function resolveSelection(storage: Storage, selection: string): Promise<string[]> {
  if (selection.startsWith(SERIES)) {
    const seriesId = selection.slice(SERIES.length)
    const runs = await storage.runsOfSeries(seriesId)
    if (runs.length === 0) throw notFound(`Series ${shortenId(seriesId)}`)
    return runs
  }
  const ids = [...new Set(selection.split(',').filter((id) => id !== ''))]
  if (ids.length === 0)
    throw new Refusal(400, 'bad-selection', 'No run is named: give run ids with commas between them, or series:ID.')
  if (ids.length > MOST_RUNS)
    throw new Refusal(400, 'bad-selection', `${ids.length} runs are named: at most ${MOST_RUNS} can be shown together.`)
  return ids
}

/** For messages: an id from an address may be of any length. */
export function shortenId(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id
}
