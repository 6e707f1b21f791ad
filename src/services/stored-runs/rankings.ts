import { InputError, RESULT_KINDS, type RunFilter, type RunResult, type Storage } from '../../contract/index.ts'
import { buildRankings, type Rankings, type WeighSuites } from '../../statistics/index.ts'

/** The newest say most about models as they are now; more cells would take longer than anyone waits. */
const MAX_RUNS = 300
const MAX_CELLS = 100_000

export interface RankingsRequest {
  /** Names of suites, or ids of runs or series; empty for all. */
  names?: readonly string[]
  weigh?: WeighSuites | undefined
}

export interface LoadedRankings extends Rankings {
  /** Older runs that are not in it. */
  older: number
}

/** Without counting their cells: those of 300 runs may be millions. */
async function findNewest(filter: RunFilter, storage: Storage): Promise<{ ids: string[]; older: number }> {
  const runs = await storage.describeRuns({ ...filter, limit: MAX_RUNS })
  const total = runs.length < MAX_RUNS ? runs.length : await storage.countRuns(filter)
  return { ids: runs.map(({ id }) => id), older: total - runs.length }
}

async function findIds(names: readonly string[], storage: Storage): Promise<{ ids: string[]; older: number }> {
  if (names.length === 0) return findNewest({ kinds: RESULT_KINDS }, storage)
  const ids = new Set<string>()
  let older = 0
  for (const name of names) {
    if (name.trim() === '') throw new InputError('the name of a suite or run is empty')
    const ofSuite = await findNewest({ suite: { id: name, name } }, storage)
    older += ofSuite.older
    const found = ofSuite.ids.length > 0 ? ofSuite.ids : await storage.findRuns(name)
    if (found.length === 0)
      throw new InputError(`${name}: no such suite or run\nAll runs and their suites: benchmaker list`)
    for (const id of found) ids.add(id)
  }
  return { ids: [...ids], older }
}

/** Ranks models over stored runs; Code Arena runs have votes and a ranking of their own. */
export async function loadRankings(
  { names = [], weigh }: RankingsRequest,
  { storage }: { storage: Storage },
): Promise<LoadedRankings> {
  const { ids, older } = await findIds(names, storage)
  const runs: RunResult[] = []
  let cells = 0
  let skipped = 0
  for (const id of ids) {
    const run = cells > MAX_CELLS ? undefined : await storage.loadRun(id, { texts: false })
    if (cells > MAX_CELLS) skipped++
    if (!run || run.kind === 'page') continue
    cells += run.results.length
    if (names.length > 0 || run.results.some(({ score }) => score)) runs.push(run)
  }
  return { ...buildRankings(runs, { weigh }), older: older + skipped }
}
