import {
  stateOfRuns,
  type RunFilter,
  type RunResult,
  type RunState,
  type RunSummary,
  type Storage,
} from '../../contract/index.ts'
import { buildTrend, trendRunsOf, type Trend, type TrendRuns } from '../../statistics/index.ts'
import { searchRuns } from './search-runs.ts'

/** More would be too close together to tell apart. */
const MAX_POINTS = 100
const MAX_RUNS = 1000

/** A run that did not change is not read again. */
export type TrendCache = Map<string, { state: string; runs: TrendRuns }>

export interface TrendOptions {
  suite: NonNullable<RunFilter['suite']>
  /** The cases the suite has now, if it is known. */
  caseIds?: readonly string[] | undefined
  cache?: TrendCache
  /** Changes when a run was rescored without changing its numbers of cells. */
  changesOf?: (runId: string) => unknown
}

export interface LoadedTrend extends Trend {
  /** Older runs and series that are not in it. */
  leftOut: number
}

async function loadTrendRuns(summaries: readonly RunSummary[], storage: Storage): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (const [index, { id }] of summaries.entries()) {
    const run = await storage.loadRun(id, { texts: false, suite: index === 0 })
    if (run) runs.push(run)
  }
  // The runs of a series have one suite.
  const suite = runs[0]?.testSuiteSnapshot
  return suite ? runs.map((run) => ({ ...run, testSuiteSnapshot: suite })) : runs
}

/** The runs of a suite over time, a series as one point. */
export async function loadTrend(
  { suite, caseIds, cache = new Map(), changesOf = () => 0 }: TrendOptions,
  { storage, now }: { storage: Storage; now: number },
): Promise<LoadedTrend> {
  const { runs, total, activity } = await searchRuns({ suite, limit: MAX_RUNS }, { storage, now })
  const groups = [
    ...Map.groupBy(runs, ({ id, seriesId }) => JSON.stringify(seriesId === undefined ? [id] : [seriesId, ''])),
  ]
  const points: (TrendRuns & { state: RunState })[] = []
  for (const [key, newestFirst] of groups.slice(0, MAX_POINTS).toReversed()) {
    const members = newestFirst.toReversed()
    const fingerprint = JSON.stringify(
      members.map(({ id, status, completedAt, cells }) => [id, status, completedAt, cells, changesOf(id)]),
    )
    const cached = cache.get(key)
    const { note: _note, ...label } = members[0]?.label ?? {}
    if (cached?.state !== fingerprint) {
      const loaded = await loadTrendRuns(members, storage)
      // Deleted in the meantime.
      if (loaded.length === 0) continue
      cache.set(key, { state: fingerprint, runs: trendRunsOf(loaded) })
    }
    const { label: _before, ...found } = cache.get(key)!.runs
    points.push({
      ...found,
      ...(Object.keys(label).length > 0 && { label }),
      state: stateOfRuns(members.map(({ id }) => activity.get(id)!.state)),
    })
  }
  const leftOut = Math.max(0, groups.length - MAX_POINTS) + (total - runs.length)
  return { ...buildTrend(points, { caseIds }), leftOut }
}
