import type { Storage } from '../../../contract/index.ts'
import { findAddedRuns, findOwnRuns } from '../../../services/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'

const MAX_RUNS = 200
async function resolvePart(storage: Storage, part: string): Promise<string[]> {
  const runs = await findOwnRuns(part, storage)
  if (!runs) throw notFound(`Series ${shortenId(part.replace('series:', ''))}`)
  return runs
}

function splitSelection(selection: string): string[] {
  return [...new Set(selection.split(',').filter((part) => part !== ''))]
}

/** The last run or series of a selection, and its last run: what is run again, and what a model is added to. */
export async function findLastResult(
  storage: Storage,
  selection: string,
): Promise<{ name: string; runId: string } | undefined> {
  const name = splitSelection(selection).at(-1)
  return name === undefined ? undefined : { name, runId: (await resolvePart(storage, name)).at(-1)! }
}

/** The ids of the runs in a selection, in order: run ids and `series:ID`, separated by commas; then what was added to them. */
export async function resolveSelection(storage: Storage, selection: string): Promise<string[]> {
  const parts = splitSelection(selection)
  if (parts.length > MAX_RUNS) throw tooMany(parts.length)
  const resolved = await Promise.all(parts.map((part) => resolvePart(storage, part)))
  const added = await Promise.all(parts.map((part) => findAddedRuns(part, storage)))
  const ids = [...new Set([...resolved, ...added].flat())]
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
