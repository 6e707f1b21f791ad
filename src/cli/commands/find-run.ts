import { InputError, sumDollars, type RunResult, type Storage } from '../../contract/index.ts'
import type { ReportCost } from '../../report/index.ts'

const MOST_NAMED = 5

/** A run by its id, a unique beginning of one, or `latest`. */
export async function findRun(storage: Storage, name: string, options: { texts?: boolean } = {}): Promise<RunResult> {
  const ids = await storage.findRuns(name)
  const exact = ids.find((id) => id === name)
  if (exact === undefined && ids.length > 1) {
    const named = ids.slice(0, MOST_NAMED).join(', ')
    throw new InputError(
      `${ids.length} runs begin with ${name}: ${named}${ids.length > MOST_NAMED ? ', …' : ''}; give more of the id`,
    )
  }
  const [only] = ids
  const run = only === undefined ? undefined : await storage.loadRun(exact ?? only, options)
  if (run) return run
  throw new InputError(
    name === 'latest'
      ? 'there is no run yet; make one with: benchmaker run SUITE'
      : `there is no run ${name}; benchmaker list shows those there are`,
  )
}

/** The run, with the others of its series when it belongs to one. */
export async function findSeries(storage: Storage, name: string): Promise<RunResult[]> {
  const run = await findRun(storage, name)
  if (run.seriesId === undefined) return [run]
  const ids = await storage.runsOfSeries(run.seriesId)
  const runs = await Promise.all(ids.map((id) => storage.loadRun(id)))
  return runs.filter((loaded) => loaded !== undefined)
}

/** What the runs have cost in all: judges and failed requests are in it, which the results of single cells do not tell. */
export async function findCost(storage: Storage, runs: readonly RunResult[]): Promise<ReportCost> {
  const found = await storage.listRuns({ ids: runs.map(({ id }) => id) })
  return {
    total: sumDollars(found.map(({ cost }) => cost)),
    unknown: found.reduce((sum, { unknownCosts }) => sum + unknownCosts, 0),
  }
}
