import {
  InputError,
  toDollars,
  toMoney,
  type ResumeChange,
  type RunRequest,
  type RunResult,
  type Storage,
  type Suite,
} from '../contract/index.ts'
import { withClaim } from './claim.ts'
import { continueRun, type Resumed } from './execution.ts'
import { requestOf, withoutSecrets } from './plan.ts'
import { planningTools, prepareRun, refuseProblems } from './prepare.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun, executeRemaining } from './series.ts'
import { sumSpent } from './spent.ts'

/** A stored run, or the runs of a stored series, with what was asked for. */
export interface StoredSeries {
  seriesId?: string
  request: RunRequest
  suite: Suite
  /** In the order in which they began. */
  runs: RunResult[]
}

export interface ResumedSeries extends Resumed {
  runs: RunResult[]
}

/** The run with the others of its series, without texts. */
export async function loadSeries(runId: string, storage: Storage): Promise<StoredSeries> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw new InputError(`there is no run ${runId}`)
  const { seriesId, testSuiteSnapshot: suite } = run
  if (!suite) throw new InputError(`run ${runId} was stored without its suite, so it cannot be resumed`)
  const ids = seriesId === undefined ? [runId] : await storage.runsOfSeries(seriesId)
  const others = await Promise.all(
    ids.filter((id) => id !== runId).map((id) => storage.loadRun(id, { texts: false, suite: false })),
  )
  const known = new Map([run, ...others.filter((other) => other !== undefined)].map((one) => [one.id, one]))
  const runs = ids.flatMap((id) => known.get(id) ?? [])
  const stored = requestOf(run)
  // A series that was put together run by run has as many as there are.
  const request = { ...stored, repeat: Math.max(stored.repeat, runs.length) }
  return { ...(seriesId !== undefined && { seriesId }), request, suite, runs }
}

function isUnfinished({ status, models, results }: RunResult, { testCases }: Suite): boolean {
  const done = results.filter(({ score, unscored }) => score ?? unscored).length
  return status !== 'completed' || done < testCases.length * models.length
}

/** Whether a resume would find anything to do. */
export function hasWorkLeft({ request, runs, suite }: StoredSeries): boolean {
  return runs.length < request.repeat || runs.some((run) => isUnfinished(run, suite))
}

/** The new budget is less than what is spent already: the run would stop before its next request. */
export class BudgetSpent extends InputError {
  override name = 'BudgetSpent'
  /** US dollars, by all runs of the series. */
  readonly spent: number

  constructor(maxCost: number, spent: number) {
    super(
      `the budget of $${maxCost} is spent already; name a higher one, for all runs of a series together (--max-cost)`,
    )
    this.spent = spent
  }
}

async function checkBudget({ maxCost }: ResumeChange, { runs }: StoredSeries, storage: Storage): Promise<void> {
  if (maxCost === undefined) return
  const spent = await sumSpent(
    runs.map(({ id }) => id),
    storage,
  )
  if (toMoney(maxCost) <= spent) throw new BudgetSpent(maxCost, toDollars(spent))
}

async function loadFinished(
  runId: string,
  { storage }: RunTools,
  { withTexts = true }: RunOptions,
): Promise<RunResult> {
  const run = await storage.loadRun(runId, { texts: withTexts })
  if (!run) throw new InputError(`run ${runId} is gone: it was deleted while its series was resumed`)
  return run
}

/**
 * Finishes a run or the whole series that it belongs to, by the request that is stored with it: what was cut short goes on,
 * what ended in error is tried again, runs that never began are begun. A change is stored and holds from now on.
 */
export async function resumeSeries(
  runId: string,
  change: ResumeChange,
  tools: RunTools,
  options: RunOptions = {},
): Promise<ResumedSeries> {
  const { storage, clock } = tools
  const first = await loadSeries(runId, storage)
  await checkBudget(change, first, storage)
  return withClaim(first.seriesId ?? runId, { storage, clock, ...options }, async (signal) => {
    // Loaded again: another process may have worked on it until a moment ago.
    const { seriesId, runs, suite, request: stored } = await loadSeries(runId, storage)
    const request: RunRequest = { ...stored, ...change }
    // Its cases were chosen when it began.
    const prepared = await prepareRun({ ...request, filter: undefined, limit: undefined }, suite, planningTools(tools))
    refuseProblems(prepared)
    const execution = { prepared: { ...prepared, request }, tools }
    await storage.saveRequest(runId, withoutSecrets(request))

    const own = { ...options, signal }
    const resumed: ResumedSeries = { runs: [], retried: 0, asked: 0, scored: 0 }
    for (const [index, run] of runs.entries()) {
      if (!isUnfinished(run, suite)) {
        resumed.runs.push(await loadFinished(run.id, tools, options))
        continue
      }
      const place = { runId: run.id, seriesId, index }
      const work = (claimed: RunOptions) => continueRun(place, { ...execution, options: claimed })
      const {
        run: finished,
        retried,
        asked,
        scored,
      } = await (seriesId === undefined ? work(own) : claimRun(place, tools, own, work))
      resumed.runs.push(finished)
      resumed.retried += retried
      resumed.asked += asked
      resumed.scored += scored
      if (finished.status !== 'completed') return resumed
    }
    const begun = await executeRemaining({ ...execution, options: own, seriesId, next: runs.length })
    resumed.runs.push(...begun)
    for (const { results } of begun) resumed.asked += results.filter(({ outcome }) => outcome !== 'cancelled').length
    return resumed
  })
}
