import {
  awaitsGrade,
  decidingOf,
  InputError,
  toDollars,
  toMoney,
  type ResumeChange,
  type RunRequest,
  type RunResult,
  type Storage,
  type Suite,
} from '../contract/index.ts'
import { addUnfinished } from '../statistics/index.ts'
import type { Spending } from './asking/budget.ts'
import { withClaim } from './claim.ts'
import { hasRetries } from './deciding/deciding-series.ts'
import { continueRun, type Resumed } from './execution.ts'
import { refuseImported } from './imported-runs.ts'
import { requestOf, withoutSecrets } from './plan.ts'
import { planningTools, prepareRun, refuseProblems, type PreparedRun } from './prepare.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun, executeDecidingRuns, executeRemaining } from './series.ts'
import { sumSpent } from './spent.ts'

/** A stored run, or the runs of a stored series, with its request. */
export interface StoredSeries {
  seriesId?: string
  request: RunRequest
  suite: Suite
  /** In the order they started. */
  runs: RunResult[]
}

export interface ResumedSeries extends Resumed {
  runs: RunResult[]
}

/** Loads the run and the others of its series, without texts. */
export async function loadSeries(runId: string, storage: Storage): Promise<StoredSeries> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw new InputError(`there is no run ${runId}`)
  const { seriesId, testSuiteSnapshot: suite } = run
  if (!suite) throw new InputError(`run ${runId} was stored without its suite, so it cannot be resumed`)
  const ids = seriesId === undefined ? [runId] : await storage.runsOfSeries(seriesId)
  const others = await Promise.all(
    ids.filter((id) => id !== runId).map((id) => storage.loadRun(id, { texts: false, suite: false })),
  )
  const loaded = [run, ...others.filter((other) => other !== undefined)]
  const byId = new Map(loaded.map((member) => [member.id, member]))
  const runs = ids.flatMap((id) => byId.get(id) ?? [])
  const stored = requestOf(run)
  // A series that was built run by run may have more runs than its request says.
  const request = { ...stored, repeat: Math.max(stored.repeat, runs.length) }
  return { ...(seriesId !== undefined && { seriesId }), request, suite, runs }
}

function isUnfinished(run: RunResult, { testCases }: Suite): boolean {
  const { status, models, results, stopReason } = run
  // What it left out, it left out by decision.
  if (status === 'completed' && stopReason === 'decided') return hasRetries(run)
  const done = results.filter((result) => result.score ?? (result.unscored && !awaitsGrade(result))).length
  return status !== 'completed' || done < testCases.length * models.length
}

/** True if a resume would have anything to do. */
export function hasWorkLeft({ request, runs, suite }: StoredSeries): boolean {
  if (runs[0]?.versions?.['importedFrom'] !== undefined) return false
  return runs.length < request.repeat || runs.some((run) => isUnfinished(run, suite))
}

/** The new budget is not more than what is already spent: the run would stop before its next request. */
export class BudgetSpent extends InputError {
  override name = 'BudgetSpent'
  /** US dollars spent by all runs of the series. */
  readonly spent: number
  /** US dollars that requests whose cost is unknown may have cost on top. */
  readonly assumed: number

  constructor(maxCost: number, { spent, assumed }: Spending) {
    super(
      assumed === 0n
        ? `the budget of $${maxCost} is already spent; set a higher one (--max-cost), which covers all runs of a series`
        : `the budget of $${maxCost} may already be spent: $${toDollars(spent)} is known, and requests whose cost is unknown may have cost up to $${toDollars(assumed)} more; set a higher one (--max-cost), which covers all runs of a series`,
    )
    this.spent = toDollars(spent)
    this.assumed = toDollars(assumed)
  }
}

async function checkBudget(
  { maxCost }: ResumeChange,
  runs: readonly RunResult[],
  prepared: PreparedRun,
  tools: RunTools,
): Promise<void> {
  if (maxCost === undefined) return
  const spending = await sumSpent(
    runs.map(({ id }) => id),
    prepared,
    tools,
  )
  if (toMoney(maxCost) <= spending.spent + spending.assumed) throw new BudgetSpent(maxCost, spending)
}

const noWork: Resumed = { retried: 0, asked: 0, scored: 0 }

async function loadFinished(
  runId: string,
  { storage }: RunTools,
  { withTexts = true }: RunOptions,
): Promise<RunResult> {
  const run = await storage.loadRun(runId, { texts: withTexts })
  if (!run) throw new InputError(`run ${runId} was deleted while its series was being resumed`)
  return addUnfinished(run)
}

/**
 * Finishes a run, or the whole series it belongs to, from its stored request: interrupted cells continue, failed cells
 * are retried and missing runs are started. Changes are stored and apply from now on.
 */
export async function resumeSeries(
  runId: string,
  change: ResumeChange,
  tools: RunTools,
  options: RunOptions = {},
): Promise<ResumedSeries> {
  const { storage, clock } = tools
  const first = await loadSeries(runId, storage)
  refuseImported(first.runs[0]!, 'it can only be continued there')
  return withClaim(first.seriesId ?? runId, { storage, clock, ...options }, async (signal) => {
    // Loaded again: another process may have worked on it until just now.
    const { seriesId, runs, suite, request: stored } = await loadSeries(runId, storage)
    const request: RunRequest = { ...stored, ...change }
    // The cases were selected when it started.
    const prepared = await prepareRun({ ...request, filter: undefined, limit: undefined }, suite, planningTools(tools))
    refuseProblems(prepared)
    await checkBudget(change, runs, prepared, tools)
    const execution = { prepared: { ...prepared, request }, tools }
    await storage.saveRequest(runId, withoutSecrets(request))

    const own = { ...options, signal }
    const deciding = decidingOf(request)
    if (deciding) {
      if (!hasWorkLeft({ request, runs, suite }))
        return { runs: await Promise.all(runs.map(({ id }) => loadFinished(id, tools, options))), ...noWork }
      const storedIds = runs.map(({ id }) => id)
      return executeDecidingRuns({ seriesId, deciding, storedIds }, { ...execution, options: own })
    }
    const resumed: ResumedSeries = { runs: [], ...noWork }
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
    const started = await executeRemaining({ ...execution, options: own, seriesId, next: runs.length })
    resumed.runs.push(...started)
    for (const { results } of started) resumed.asked += results.filter(({ outcome }) => outcome !== 'cancelled').length
    return resumed
  })
}
