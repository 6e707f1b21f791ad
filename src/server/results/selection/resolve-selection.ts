import type { Storage } from '../../../contract/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'

const MAX_RUNS = 200
const SERIES = 'series:'

/** The ids of the runs in a selection, in order: `ID`, `ID,ID,…` or `series:ID`. */
export async function resolveSelection(storage: Storage, selection: string): Promise<string[]> {
  if (selection.startsWith(SERIES)) {
    const seriesId = selection.slice(SERIES.length)
    const runs = await storage.runsOfSeries(seriesId)
    if (runs.length === 0) throw notFound(`Series ${shortenId(seriesId)}`)
    return runs
  }
  const ids = [...new Set(selection.split(',').filter((id) => id !== ''))]
  if (ids.length === 0)
    throw new Refusal(400, 'bad-selection', 'No run is selected: give run ids separated by commas, or series:ID.')
  if (ids.length > MAX_RUNS)
    throw new Refusal(
      400,
      'bad-selection',
      `${ids.length} runs are selected: at most ${MAX_RUNS} can be shown together.`,
    )
  return ids
}

/** For messages: an id from an address may have any length. */
export function shortenId(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id
}
