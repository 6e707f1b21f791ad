import { InputError, type RunFilter, type RunSummary, type Storage, type RunResult } from '../../contract/index.ts'
import { findActivity, findClaimed, type RunActivity } from '../claim.ts'

export interface RunSearch extends Pick<RunFilter, 'tags' | 'kinds' | 'suite' | 'wholeSeries'> {
  /** Words that must all be found; see `RunFilter`. */
  search?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
}

export interface FoundRuns {
  /** The last stored first. */
  runs: RunSummary[]
  /** On all pages. */
  total: number
  activity: Map<string, RunActivity>
}

const MAX_SEARCH_LENGTH = 500

function splitWords(search: string): string[] {
  if (search.length > MAX_SEARCH_LENGTH)
    throw new InputError(`the search has ${search.length} characters; use at most ${MAX_SEARCH_LENGTH}`)
  return search.split(/\s+/).filter((word) => word !== '')
}

/** The total, if the page shows where the list ends. */
function countShown(
  found: number,
  { limit = Infinity, offset = 0 }: Pick<RunSearch, 'limit' | 'offset'>,
): number | undefined {
  return found < limit && (found > 0 || offset === 0) ? offset + found : undefined
}

/** A page of the stored runs that match, with what each is doing. */
export async function searchRuns(
  { search = '', limit, offset, ...filter }: RunSearch,
  { storage, now }: { storage: Storage; now: number },
): Promise<FoundRuns> {
  const words = splitWords(search)
  // Only a word may name a state.
  const workedOn = words.length === 0 ? [] : await findClaimed(storage, now)
  const conditions: RunFilter = { ...filter, words, workedOn }
  const page = { ...conditions, ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) }
  const runs = limit === 0 ? [] : await storage.listRuns(page)
  const activity = await findActivity(runs, { storage, now })
  return { runs, total: countShown(runs.length, { limit, offset }) ?? (await storage.countRuns(conditions)), activity }
}

/** The newest runs say most about a suite as it is now; more answers than this would not say more. */
const MAX_RUNS = 100
const MAX_ANSWERS = 100_000

/** The newest runs of a suite, with their answers; runs that are being worked on are left out. */
export async function loadSuiteRuns(
  suite: NonNullable<RunFilter['suite']>,
  { storage, now }: { storage: Storage; now: number },
): Promise<RunResult[]> {
  const { runs: found } = await searchRuns({ suite, limit: MAX_RUNS }, { storage, now })
  const runs: RunResult[] = []
  let answers = 0
  for (const { id, status, cells } of found) {
    if (status === 'running' || cells.scored === 0) continue
    answers += cells.scored
    if (answers > MAX_ANSWERS && runs.length > 0) break
    const run = await storage.loadRun(id)
    if (run) runs.push(run)
  }
  return runs
}
