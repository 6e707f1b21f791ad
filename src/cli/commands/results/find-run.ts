import { InputError, sumDollars, type RunResult, type Storage } from '../../../contract/index.ts'
import { findAddedRuns, nameResult } from '../../../services/index.ts'
import { askIfMeant } from '../../../scoring/text/suggest-name.ts'
import type { ReportCost } from '../../../report/index.ts'

const MAX_NAMED = 5

const LATEST = 'latest'

/** A text that very many runs contain is not looked for in all of them. */
const MAX_SEARCHED = 1000

async function listRunNames(storage: Storage): Promise<string[]> {
  const recent = await storage.listRuns({ limit: MAX_SEARCHED })
  return recent.flatMap((run) => [run.id, ...(run.label?.name === undefined ? [] : [run.label.name])])
}

/** Every id starts with an empty text: a script whose variable is not set must not find a run. */
function refuseEmptyName(name: string): void {
  if (name.trim() === '') throw new InputError('the name of the run is empty; give an id, the start of one, or latest')
}

/** The newest run that somebody gave this name, or the runs of its series. */
async function findNamed(storage: Storage, name: string): Promise<string[]> {
  const wanted = name.trim().toLowerCase()
  const found = await storage.listRuns({ words: [name], limit: MAX_SEARCHED })
  const called = found.filter((run) => run.label?.name?.toLowerCase() === wanted)
  const newest = called.toSorted((a, b) => b.startedAt - a.startedAt)[0]
  if (!newest) return []
  return newest.seriesId === undefined ? [newest.id] : storage.runsOfSeries(newest.seriesId)
}

/** True if a run, a series or several runs go by this name. */
export async function isRunName(storage: Storage, name: string): Promise<boolean> {
  refuseEmptyName(name)
  const ways = [storage.findRuns, storage.runsOfSeries, (given: string) => findNamed(storage, given)]
  for (const find of ways) if ((await find.call(storage, name)).length > 0) return true
  return false
}

/**
 * Finds the run with this id, name or unique prefix of an id, or the latest one; by the id of a series, all runs of it.
 * Of runs with the same name it is the newest: a nightly run has the same one each night.
 */
export async function findRunIds(storage: Storage, name: string): Promise<string[]> {
  refuseEmptyName(name)
  const ids = await storage.findRuns(name)
  if (ids.includes(name)) return [name]
  // Before prefixes: the ids of imported runs start with that of their series.
  const series = name === LATEST ? [] : await storage.runsOfSeries(name)
  if (series.length > 0) return series
  const named = name === LATEST ? [] : await findNamed(storage, name)
  if (named.length > 0) return named
  if (ids.length > 1) {
    const listed = ids.slice(0, MAX_NAMED).join(', ')
    throw new InputError(
      `${ids.length} runs start with ${name}: ${listed}${ids.length > MAX_NAMED ? ', …' : ''}; use a longer prefix`,
    )
  }
  if (ids.length === 1) return ids
  throw new InputError(
    name === LATEST
      ? 'there are no runs yet; start one with: benchmaker run SUITE'
      : `${name}: no such run${askIfMeant(name, await listRunNames(storage))}\nAll runs: benchmaker list`,
  )
}

/** Finds one run; of a series, the first. */
export async function findRunId(storage: Storage, name: string): Promise<string> {
  const [first] = await findRunIds(storage, name)
  return first!
}

export async function findRun(storage: Storage, name: string): Promise<RunResult> {
  const id = await findRunId(storage, name)
  const run = await storage.loadRun(id)
  if (!run) throw new InputError(`run ${id} was deleted in the meantime`)
  return run
}

/** The run and the other runs of its series, if it belongs to one. */
export async function findSeries(storage: Storage, name: string): Promise<RunResult[]> {
  const run = await findRun(storage, name)
  if (run.seriesId === undefined) return [run]
  const ids = await storage.runsOfSeries(run.seriesId)
  const runs = await Promise.all(ids.map((id) => storage.loadRun(id)))
  return runs.filter((loaded) => loaded !== undefined)
}

/** The run, the others of its series, and the runs of models that were added to the result. */
export async function findResult(storage: Storage, name: string): Promise<RunResult[]> {
  const own = await findSeries(storage, name)
  const ids = await findAddedRuns(nameResult(own[0]!), storage)
  const added = await Promise.all(ids.map((id) => storage.loadRun(id)))
  return [...own, ...added.filter((loaded) => loaded !== undefined)]
}

/** Runs that a series was to have but never started, if these are all that it has. */
export function countRunsNotStarted(runs: readonly RunResult[]): number {
  const [first] = runs
  const isWhole = first !== undefined && runs.every(({ seriesId }) => seriesId === first.seriesId)
  return isWhole ? Math.max(0, (first.request?.repeat ?? 1) - runs.length) : 0
}

/** The total cost of the runs, including judges and failed requests. */
export async function findCost(storage: Storage, runs: readonly RunResult[]): Promise<ReportCost> {
  const found = await storage.listRuns({ ids: runs.map(({ id }) => id) })
  return {
    total: sumDollars(found.map(({ cost }) => cost)),
    unknown: found.reduce((sum, { unknownCosts }) => sum + unknownCosts, 0),
  }
}
