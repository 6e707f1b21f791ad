import { InputError, type QueuedRun, type RunResult } from '../../contract/index.ts'
import { requestOf } from '../plan.ts'
import { planningTools, prepareRun, type PreparedRun } from '../prepare.ts'
import type { RunTools } from '../run-tools.ts'

export interface StoredPlan {
  /** As stored, without results. */
  run: RunResult
  prepared: PreparedRun
}

/** Runs whose compiled suites are kept. */
const MAX_PLANS = 8

/** Plans runs from what is stored with them; a plan is kept while its run is in progress. */
export function createStoredPlans(tools: RunTools) {
  const plans = new Map<string, { request: string; prepared: Promise<PreparedRun> }>()

  return async ({ runId }: Pick<QueuedRun, 'runId'>): Promise<StoredPlan> => {
    // Read anew for each lease: the run may have been stopped, or resumed with other limits, and keys saved.
    await tools.renewAccess?.()
    const header = await tools.storage.loadRun(runId, { texts: false, suite: false, testCaseIds: [] })
    if (!header) throw new InputError(`there is no run ${runId}`)
    const request = requestOf(header)
    const key = JSON.stringify(request)
    let plan = plans.get(runId)
    if (plan?.request !== key) {
      const suite = (await tools.storage.loadRun(runId, { texts: false, testCaseIds: [] }))?.testSuiteSnapshot
      if (!suite) throw new InputError(`run ${runId} was stored without its suite`)
      // The cases were selected when it started.
      const selected = { ...request, filter: undefined, limit: undefined }
      const prepared = prepareRun(selected, suite, planningTools(tools)).then((whole) => ({ ...whole, request }))
      plan = { request: key, prepared }
      plans.delete(runId)
      plans.set(runId, plan)
      for (const oldest of plans.keys()) {
        if (plans.size <= MAX_PLANS) break
        plans.delete(oldest)
      }
      prepared.catch(() => plans.delete(runId))
    }
    const prepared = await plan.prepared
    // A key that is missing now may have been saved by the next look.
    if (prepared.problems.length > 0) plans.delete(runId)
    return { run: header, prepared }
  }
}

export type FindPlan = ReturnType<typeof createStoredPlans>
