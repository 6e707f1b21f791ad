import { setLatest, isInProgress, type RunSummary } from '../../contract/index.ts'
import { poolScores, shareScores } from '../../statistics/index.ts'
import { findServedActivity, type ServedActivity } from './run-activity.ts'
import type { ServerContext } from '../context.ts'
import { cutText } from '../results/fit-texts.ts'
import { countRunChanges } from '../results/selection/run-changes.ts'
import { selectionsOf } from '../results/selection/selection-cache.ts'

export interface ListedRun extends RunSummary, ServedActivity {
  /** Mean score by model, 0 to 1, for finished runs. */
  means: Record<string, number>
  /** The series' budget in US dollars: the next request could have exceeded it, and only a higher one continues it. */
  usedUpBudget?: number
}

/** Another process may rescore a run: older means are recomputed in the background after the next list. */
const MEANS_CACHE_MS = 60_000
const MAX_MEANS = 2000
/** A list shows the beginning of a note. */
const MAX_NOTE_LENGTH = 300

export interface RunLister {
  describe(runs: readonly RunSummary[]): Promise<ListedRun[]>
}

type Means = Record<string, number>

/** Describes runs for a list: whether they are in progress, and the mean of each model. */
export function createRunLister(context: ServerContext): RunLister {
  const cache = new Map<string, { state: string; at: number; means: Promise<Means> }>()

  async function loadScores(id: string): Promise<Map<string, { mean: number }>> {
    const loaded = await selectionsOf(context).peek(id)
    if (loaded) return (await loaded.results.standings).scores
    const { scores } = await context.storage.loadScores([id])
    // The leaderboard's means: a list must not show others than the page of the run.
    return poolScores(scores, shareScores(scores))
  }

  async function loadMeans(id: string): Promise<Means> {
    return Object.fromEntries([...(await loadScores(id))].map(([modelId, { mean }]) => [modelId, mean]))
  }

  function findMeans({ id, status, completedAt, cells }: RunSummary): Promise<Means> {
    if (status === 'running' || status === 'idle') return Promise.resolve({})
    const state = JSON.stringify([status, completedAt, cells, countRunChanges(context.storage, id)])
    const cached = cache.get(id)
    if (cached?.state !== state) return cacheMeans(id, state)
    // Nothing seems to have changed, so the caller does not wait while they are recomputed to be sure.
    if (context.now() - cached.at >= MEANS_CACHE_MS) void cacheMeans(id, state)
    return cached.means
  }

  function cacheMeans(id: string, state: string): Promise<Means> {
    const means = loadMeans(id)
    setLatest(cache, id, { state, at: context.now(), means }, MAX_MEANS)
    means.catch(() => cache.delete(id))
    return means
  }

  async function toListedRun(run: RunSummary, activity: ServedActivity): Promise<ListedRun> {
    const usedUpBudget = run.stopReason === 'budget' ? run.maxCost : undefined
    return {
      ...run,
      ...(run.label?.note !== undefined && { label: { ...run.label, note: cutText(run.label.note, MAX_NOTE_LENGTH) } }),
      ...activity,
      means: isInProgress(activity.state) ? {} : await findMeans(run),
      ...(usedUpBudget !== undefined && { usedUpBudget }),
    }
  }

  return {
    async describe(runs) {
      const activityOf = await findServedActivity(runs, context)
      const listed: ListedRun[] = []
      for (const run of runs) listed.push(await toListedRun(run, activityOf(run.id)))
      return listed
    },
  }
}
