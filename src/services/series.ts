import { decidingOf, type RunResult } from '../contract/index.ts'
import { withClaim } from './claim.ts'
import { executeDeciding, type DecidingSeries } from './deciding/deciding-series.ts'
import { startOnWorkers } from './distributing/on-workers.ts'
import { goesToWorkers } from './distributing/queue-run.ts'
import { executeNewRun, type Execution, type RunPlace } from './execution.ts'
import type { Resumed } from './stored-runs/reopen-run.ts'
import { refuseProblems, type PreparedRun } from './prepare.ts'
import type { ClaimedOptions, RunOptions, RunTools } from './run-tools.ts'

export interface RemainingRuns {
  prepared: PreparedRun
  tools: RunTools
  options: ClaimedOptions
  seriesId: string | undefined
  /** The index of the next run, from 0. */
  next: number
}

/** Works on one run while holding its claim. */
export function claimRun<Result>(
  place: RunPlace,
  tools: RunTools,
  options: ClaimedOptions,
  work: (options: ClaimedOptions) => Promise<Result>,
): Promise<Result> {
  const { storage, clock } = tools
  return withClaim(place.runId, { storage, clock, ...options }, (held) => work({ ...options, ...held }))
}

function isStopping({ signal, drain }: RunOptions): boolean {
  return Boolean(signal?.aborted || drain?.aborted)
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
  for (let index = next; index < prepared.request.repeat && !isStopping(options); index++) {
    const place: RunPlace = { runId: tools.createId(), seriesId, index }
    runs.push(await claimRun(place, tools, options, (own) => executeNewRun(place, { prepared, tools, options: own })))
    if (runs.at(-1)!.status !== 'completed') break
  }
  return runs
}

/** Works on several runs at once while holding the claims of all. */
function claimRuns<Result>(
  places: readonly RunPlace[],
  tools: RunTools,
  options: ClaimedOptions,
  work: (options: ClaimedOptions) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = places
  if (!first) return work(options)
  return claimRun(first, tools, options, (own) => claimRuns(others, tools, own, work))
}

/** Starts or continues the runs of a request that decides, all at once. The caller holds the claim of their series. */
export function executeDecidingRuns(
  series: DecidingSeries,
  execution: Execution,
): Promise<Resumed & { runs: RunResult[] }> {
  const { prepared, tools, options } = execution
  const { seriesId, storedIds } = series
  const places = Array.from({ length: prepared.request.repeat }, (_, index): RunPlace => ({
    runId: storedIds[index] ?? tools.createId(),
    seriesId,
    index,
  }))
  // Whoever resumes a single run has claimed it already.
  const unclaimed = seriesId === undefined ? places.filter(({ index }) => index >= storedIds.length) : places
  return claimRuns(unclaimed, tools, options, (own) => executeDeciding(places, series, { ...execution, options: own }))
}

/** The request of a run that decides, with the seed of the order of its cases. */
function drawSeed(prepared: PreparedRun, { random }: RunTools): PreparedRun {
  const orderSeed = prepared.request.orderSeed ?? Math.floor(random() * 2 ** 48).toString(36)
  return { ...prepared, request: { ...prepared.request, orderSeed } }
}

/** Executes the request: one run or a series. Throws all problems at once, before anything is written or sent. */
export async function startSeries(
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions = {},
): Promise<RunResult[]> {
  refuseProblems(prepared)
  if (await goesToWorkers(prepared.request, tools, options)) return startOnWorkers(prepared, tools, options)
  const deciding = decidingOf(prepared.request)
  const executeAll = async (own: ClaimedOptions, seriesId: string | undefined) => {
    if (!deciding) return executeRemaining({ prepared, tools, options: own, seriesId, next: 0 })
    const execution = { prepared: drawSeed(prepared, tools), tools, options: own }
    return (await executeDecidingRuns({ seriesId, deciding, storedIds: [] }, execution)).runs
  }
  if (prepared.request.repeat === 1) return executeAll(options, undefined)
  const seriesId = tools.createId()
  const { storage, clock } = tools
  return withClaim(seriesId, { storage, clock, ...options }, (held) => executeAll({ ...options, ...held }, seriesId))
}
