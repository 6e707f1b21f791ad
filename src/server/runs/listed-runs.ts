import type { RunSummary } from '../../contract/index.ts'
import { aggregateScores } from '../../statistics/index.ts'
import { findInterrupted } from './interrupted-runs.ts'
import type { ServerContext } from '../context.ts'
import { countRunChanges } from '../results/run-changes.ts'
import { selectionsOf } from '../results/selection-cache.ts'

export interface ListedRun extends RunSummary {
  /** This server works on it now. */
  isLive: boolean
  /** `running` in the data, but nobody works on it: it was killed, and can be resumed. */
  isInterrupted: boolean
  /** Mean score by model, 0 to 1, for finished runs. */
  means: Record<string, number>
  /** US dollars for all runs of the series: it stopped because the next request could pass them, and goes on only with more. */
  usedUpBudget?: number
}

/** Another program may score a run anew: means of this age are computed again behind the next list. */
const MEANS_LIFE_MS = 60_000
const MOST_MEANS = 2000

export interface RunLister {
  describe(runs: readonly RunSummary[]): Promise<ListedRun[]>
}

type Means = Record<string, number>

/** Runs for a list: who works on them, and the mean of each model. */
export function createRunLister(context: ServerContext): RunLister {
  const known = new Map<string, { state: string; at: number; means: Promise<Means> }>()

  async function loadScores(id: string): Promise<Map<string, { mean: number }>> {
    const loaded = await selectionsOf(context).peek(id)
    if (loaded) return (await loaded.results.standings).scores
    const run = await context.storage.loadRun(id, { texts: false })
    return run ? aggregateScores(run) : new Map()
  }

  async function loadMeans(id: string): Promise<Means> {
    return Object.fromEntries([...(await loadScores(id))].map(([modelId, { mean }]) => [modelId, mean]))
  }

  function findMeans({ id, status, completedAt, cells }: RunSummary): Promise<Means> {
    if (status === 'running' || status === 'idle') return Promise.resolve({})
    const state = JSON.stringify([status, completedAt, cells, countRunChanges(context.storage, id)])
    const found = known.get(id)
    if (found?.state !== state) return keepMeans(id, state)
    // As far as can be told nothing changed: nobody waits while they are computed anew to be sure.
    if (context.now() - found.at >= MEANS_LIFE_MS) void keepMeans(id, state)
    return found.means
  }

  function keepMeans(id: string, state: string): Promise<Means> {
    const means = loadMeans(id)
    known.delete(id)
    known.set(id, { state, at: context.now(), means })
    means.catch(() => known.delete(id))
    for (const oldest of known.keys()) {
      if (known.size <= MOST_MEANS) break
      known.delete(oldest)
    }
    return means
  }

  async function describeRun(run: RunSummary, interrupted: ReadonlySet<string>): Promise<ListedRun> {
    const isLive = context.runs.isLive(run.id)
    const usedUpBudget = run.stopReason === 'budget' ? run.maxCost : undefined
    return {
      ...run,
      isLive,
      isInterrupted: interrupted.has(run.id),
      means: isLive ? {} : await findMeans(run),
      ...(usedUpBudget !== undefined && { usedUpBudget }),
    }
  }

  return {
    async describe(runs) {
      const interrupted = await findInterrupted(runs, context)
      const listed: ListedRun[] = []
      for (const run of runs) listed.push(await describeRun(run, interrupted))
      return listed
    },
  }
}
