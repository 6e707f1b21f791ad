import { InputError, sumDollars, type RunResult, type Storage } from '../../../contract/index.ts'
import type { ReportCost } from '../../../report/index.ts'

const MAX_NAMED = 5

const LATEST = 'latest'

/** Every id starts with an empty text: a script whose variable is not set must not find a run. */
function refuseEmptyName(name: string): void {
  if (name.trim() === '') throw new InputError('the name of the run is empty; give an id, the start of one, or latest')
}

/** True if a run, a series or several runs go by this name. */
export async function isRunName(storage: Storage, name: string): Promise<boolean> {
  refuseEmptyName(name)
  return (await storage.findRuns(name)).length > 0 || (await storage.runsOfSeries(name)).length > 0
}

/** Finds the run with this id or unique prefix, or the latest one; by the id of a series, all runs of it. */
export async function findRunIds(storage: Storage, name: string): Promise<string[]> {
  refuseEmptyName(name)
  const ids = await storage.findRuns(name)
  if (ids.includes(name)) return [name]
  // Before prefixes: the ids of imported runs start with that of their series.
  const series = name === LATEST ? [] : await storage.runsOfSeries(name)
  if (series.length > 0) return series
  if (ids.length > 1) {
    const named = ids.slice(0, MAX_NAMED).join(', ')
    throw new InputError(
      `${ids.length} runs start with ${name}: ${named}${ids.length > MAX_NAMED ? ', …' : ''}; use a longer prefix`,
    )
  }
  if (ids.length === 1) return ids
  throw new InputError(
    name === LATEST
      ? 'there are no runs yet; start one with: benchmaker run SUITE'
      : `there is no run ${name}; benchmaker list shows all runs`,
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
