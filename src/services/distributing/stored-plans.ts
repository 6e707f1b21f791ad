import { setLatest, type QueuedRun, type RunResult } from '../../contract/index.ts'
import { requestOf } from '../plan.ts'
import { planningTools, prepareRun, type PreparedRun } from '../prepare.ts'
import type { RunTools } from '../run-tools.ts'
import { openStoredRun } from '../stored-run.ts'

export interface StoredPlan {
  /** As stored, without results. */
  run: RunResult
  prepared: PreparedRun
}

/** Runs whose compiled suites are kept. */
const MAX_PLANS = 8

/** Plans runs from what is stored with them; a plan is kept while its run is in progress. */
export function createStoredPlans(tools: RunTools, renewSettings: () => Promise<boolean>) {
  const plans = new Map<string, { request: string; prepared: Promise<PreparedRun> }>()

  /** Undefined if the run was deleted. Throws `InputError` if it cannot be planned. */
  return async ({ runId }: Pick<QueuedRun, 'runId'>): Promise<StoredPlan | undefined> => {
    if (await renewSettings()) plans.clear()
    // Read anew for each lease: the run may have been stopped, or resumed with other limits.
    const header = await tools.storage.loadRun(runId, { texts: false, suite: false, testCaseIds: [] })
    if (!header) return undefined
    const request = requestOf(header)
    const key = JSON.stringify(request)
    let plan = plans.get(runId)
    if (plan?.request !== key) {
      const stored = await openStoredRun(runId, tools.storage, { texts: false, testCaseIds: [] })
      const prepared = prepareRun({ ...stored, request }, planningTools(tools))
      plan = { request: key, prepared }
      setLatest(plans, runId, plan, MAX_PLANS)
      prepared.catch(() => plans.delete(runId))
    }
    const prepared = await plan.prepared
    // A key may be there the next time.
    if (prepared.problems.length > 0) plans.delete(runId)
    return { run: header, prepared }
  }
}

export type FindPlan = ReturnType<typeof createStoredPlans>
