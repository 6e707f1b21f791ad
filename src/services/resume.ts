import {
  decidingOf,
  InputError,
  toDollars,
  toMoney,
  type ResumeChange,
  type RunRequest,
  type RunResult,
} from '../contract/index.ts'
import { addUnfinished } from '../statistics/index.ts'
import type { Spending } from './requesting/budget.ts'
import { withClaim } from './claim.ts'
import { continueRun } from './execution.ts'
import { refuseImported } from './stored-runs/import-run.ts'
import { withEndpoint, withHeaders, withoutSecrets } from './plan.ts'
import { planningTools, prepareRun, refuseProblems, type PreparedRun } from './prepare.ts'
import type { ClaimedOptions, RunOptions, RunTools } from './run-tools.ts'
import { claimRun, executeDecidingRuns, executeRemaining } from './series.ts'
import { addCounts, isFinished, noWork, type Resumed } from './stored-runs/reopen-run.ts'
import { sumSpent } from './stored-runs/spent.ts'
import { hasWorkLeft, isUnfinished, loadSeries } from './stored-runs/stored-series.ts'
import { goesToWorkers } from './distributing/queue-run.ts'
import { followQueuedSeries, queueStoredSeries, type QueuedSeries } from './distributing/resume-on-workers.ts'

export interface ResumedSeries extends Resumed {
  runs: RunResult[]
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

async function refuseSpentBudget(
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

async function loadFinished(
  runId: string,
  { storage }: RunTools,
  { withTexts = true }: RunOptions,
): Promise<RunResult> {
  const run = await storage.loadRun(runId, { texts: withTexts })
  if (!run) throw new InputError(`run ${runId} was deleted while its series was being resumed`)
  return addUnfinished(run)
}

const countFinished = (runs: readonly RunResult[]) => runs.flatMap(({ results }) => results).filter(isFinished).length

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
  const resumed = await withClaim(
    first.seriesId ?? runId,
    { storage, clock, ...options },
    async (held): Promise<ResumedSeries | QueuedSeries> => {
      // Loaded again: another process may have worked on it until just now.
      const stored = await loadSeries(runId, storage)
      const { seriesId, runs, suite } = stored
      const { headers, ...changed } = change
      const request: RunRequest = {
        ...withHeaders(withEndpoint(stored.request, change.endpoint), headers),
        ...changed,
      }
      const series = { ...stored, request }
      const prepared = await prepareRun(series, planningTools(tools))
      refuseProblems(prepared)
      await refuseSpentBudget(change, runs, prepared, tools)
      const execution = { prepared, tools }
      // The claim of the workers has run out, or was taken over: none of them may go on.
      for (const { id } of runs) await tools.queue?.withdraw(id)
      await storage.saveRequest(runId, withoutSecrets(request))
      if (await goesToWorkers(request, tools, options)) return queueStoredSeries(series, execution)

      const own = { ...options, ...held }
      const deciding = decidingOf(request)
      if (deciding) {
        if (!hasWorkLeft(series)) {
          const finished = await Promise.all(runs.map(({ id }) => loadFinished(id, tools, options)))
          return { runs: finished, ...noWork, kept: countFinished(finished) }
        }
        const storedIds = runs.map(({ id }) => id)
        return executeDecidingRuns({ seriesId, deciding, storedIds }, { ...execution, options: own })
      }
      const done: ResumedSeries = { runs: [], ...noWork }
      for (const [index, run] of runs.entries()) {
        if (!isUnfinished(run, suite)) {
          const finished = await loadFinished(run.id, tools, options)
          done.runs.push(finished)
          done.kept += countFinished([finished])
          continue
        }
        const place = { runId: run.id, seriesId, index }
        const work = (claimed: ClaimedOptions) => continueRun(place, { ...execution, options: claimed })
        const { run: finished, ...counts } = await (seriesId === undefined
          ? work(own)
          : claimRun(place, tools, own, work))
        done.runs.push(finished)
        addCounts(done, counts)
        if (finished.status !== 'completed') return done
      }
      const started = await executeRemaining({ ...execution, options: own, seriesId, next: runs.length })
      done.runs.push(...started)
      for (const { results } of started) done.asked += results.filter(({ outcome }) => outcome !== 'cancelled').length
      return done
    },
  )
  return 'reopened' in resumed ? followQueuedSeries(resumed, { tools }, options) : resumed
}
