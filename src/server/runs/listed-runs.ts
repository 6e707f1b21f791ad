import type { RunSummary } from '../../contract/index.ts'
import { aggregateScores } from '../../statistics/index.ts'
import type { ListedRun } from '../api.ts'
import { isInterrupted } from './interrupted-runs.ts'
import type { ServerParts } from '../parts.ts'
import { countRunChanges } from '../results/run-changes.ts'
import { selectionsOf } from '../results/selection-cache.ts'
import { listPlans, planIdOf, type RunPlan } from './run-plans.ts'

/** Another program may score a run anew: means of this age are computed again behind the next list. */
const MEANS_LIFE_MS = 60_000
const MOST_MEANS = 2000

export interface RunLister {
  describe(runs: readonly RunSummary[]): Promise<ListedRun[]>
}

type Means = Record<string, number>

/** Runs for a list: who works on them, and the mean of each model. */
export function createRunLister(parts: ServerParts): RunLister {
  const known = new Map<string, { state: string; at: number; means: Promise<Means> }>()

  async function loadScores(id: string): Promise<Map<string, { mean: number }>> {
    const loaded = await selectionsOf(parts).peek(id)
    if (loaded) return (await loaded.results.standings).scores
    const run = await parts.storage.loadRun(id, { texts: false })
    return run ? aggregateScores(run) : new Map()
  }

  async function loadMeans(id: string): Promise<Means> {
    return Object.fromEntries([...(await loadScores(id))].map(([modelId, { mean }]) => [modelId, mean]))
  }

  function findMeans({ id, status, completedAt, cells }: RunSummary): Promise<Means> {
    if (status === 'running' || status === 'idle') return Promise.resolve({})
    const state = JSON.stringify([status, completedAt, cells, countRunChanges(parts.storage, id)])
    const found = known.get(id)
    if (found?.state !== state) return keepMeans(id, state)
    // As far as can be told nothing changed: nobody waits while they are computed anew to be sure.
    if (parts.now() - found.at >= MEANS_LIFE_MS) void keepMeans(id, state)
    return found.means
  }

  function keepMeans(id: string, state: string): Promise<Means> {
    const means = loadMeans(id)
    known.delete(id)
    known.set(id, { state, at: parts.now(), means })
    means.catch(() => known.delete(id))
    for (const oldest of known.keys()) {
      if (known.size <= MOST_MEANS) break
      known.delete(oldest)
    }
    return means
  }

  async function describeRun(run: RunSummary, plans: Map<string, RunPlan>): Promise<ListedRun> {
    const isLive = parts.runs.isLive(run.id)
    const plan = plans.get(planIdOf(run))
    const usedUpBudget = run.status === 'cancelled' && plan?.isBudgetUsedUp ? plan.request.maxCost : undefined
    return {
      ...run,
      isLive,
      isInterrupted: await isInterrupted(run, parts, plan),
      means: isLive ? {} : await findMeans(run),
      ...(usedUpBudget !== undefined && { usedUpBudget }),
    }
  }

  return {
    async describe(runs) {
      const plans = await listPlans(parts.storage)
      const listed: ListedRun[] = []
      for (const run of runs) listed.push(await describeRun(run, plans))
      return listed
    },
  }
}
