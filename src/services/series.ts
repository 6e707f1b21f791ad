import type { RunResult } from '../contract/index.ts'
import { withClaim } from './claim.ts'
import { executeNewRun, type RunPlace } from './execution.ts'
import { refuseProblems, type PreparedRun } from './prepare.ts'
import type { RunOptions, RunTools } from './run-tools.ts'

export interface RemainingRuns {
  prepared: PreparedRun
  tools: RunTools
  options: RunOptions
  seriesId: string | undefined
  /** The index of the next run, from 0. */
  next: number
}

/** Works on one run while holding its claim. */
export function claimRun<Result>(
  place: RunPlace,
  tools: RunTools,
  options: RunOptions,
  work: (options: RunOptions) => Promise<Result>,
): Promise<Result> {
  const { storage, clock } = tools
  return withClaim(place.runId, { storage, clock, ...options }, (signal) => work({ ...options, signal }))
}

/** Executes the missing runs of a series one after another; stops after one that does not complete. */
export async function executeRemaining({
  prepared,
  tools,
  options,
  seriesId,
  next,
}: RemainingRuns): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (let index = next; index < prepared.request.repeat && !options.signal?.aborted; index++) {
    const place: RunPlace = { runId: tools.createId(), seriesId, index }
    runs.push(await claimRun(place, tools, options, (own) => executeNewRun(place, { prepared, tools, options: own })))
    if (runs.at(-1)!.status !== 'completed') break
  }
  return runs
}

/** Executes the request: one run or a series. Throws all problems at once, before anything is written or sent. */
export async function startSeries(
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions = {},
): Promise<RunResult[]> {
  refuseProblems(prepared)
  if (prepared.request.repeat === 1) return executeRemaining({ prepared, tools, options, seriesId: undefined, next: 0 })
  const seriesId = tools.createId()
  const { storage, clock } = tools
  return withClaim(seriesId, { storage, clock, ...options }, (signal) =>
    executeRemaining({ prepared, tools, options: { ...options, signal }, seriesId, next: 0 }),
  )
}
