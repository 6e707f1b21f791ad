import type { RunResult } from '../../contract/index.ts'
import type { Execution, Resumed } from '../execution.ts'
import type { RunOptions } from '../run-tools.ts'
import { findUnfinished, isUnfinished, type StoredSeries } from '../stored-runs/stored-series.ts'
import type { FollowedRun } from './follow-run.ts'
import { followSeries, loadRuns } from './on-workers.ts'
import { queueNewRun, queueRest } from './queue-run.ts'

/** What a resume has put into the queue. */
export interface QueuedSeries {
  seriesId?: string | undefined
  /** The runs before the first one that workers begin with. */
  earlier: string[]
  finishedBefore: string[]
  /** All runs that there were. */
  stored: string[]
  /** Where the workers begin; undefined if there is nothing to do. */
  first?: FollowedRun
  counts: Resumed
}

/** Hands what is left of a stored run or series to the workers; from then on they hold its claim. */
export async function queueStoredSeries(
  { seriesId, runs, suite, request }: StoredSeries,
  { prepared, tools }: Pick<Execution, 'prepared' | 'tools'>,
): Promise<QueuedSeries> {
  const { storage, createId } = tools
  const counts: Resumed = { retried: 0, asked: 0, scored: 0 }
  for (const run of runs.filter((each) => isUnfinished(each, suite))) {
    counts.retried += await storage.reopenErrors(run.id)
    const open = await storage.loadOpenCells(run.id)
    counts.scored += open.filter(({ answer }) => answer).length
    counts.asked += open.filter(({ answer }) => !answer).length
  }
  const place = findUnfinished(runs, suite, 0)
  const queued = {
    seriesId,
    earlier: runs.slice(0, place).map(({ id }) => id),
    finishedBefore: runs.filter((run) => !isUnfinished(run, suite)).map(({ id }) => id),
    stored: runs.map(({ id }) => id),
    counts,
  }
  if (place !== undefined) {
    const first = { runId: runs[place]!.id, index: place }
    await queueRest({ ...first, seriesId, nextRunId: createId() }, tools)
    return { ...queued, first }
  }
  if (runs.length >= request.repeat) return queued
  const first = { runId: createId(), index: runs.length }
  await queueNewRun({ ...first, seriesId, nextRunId: createId() }, { prepared, tools, options: {} })
  return { ...queued, first }
}

/** Follows what was queued to its end. */
export async function followQueuedSeries(
  { seriesId, earlier, finishedBefore, stored, first, counts }: QueuedSeries,
  { tools }: Pick<Execution, 'tools'>,
  options: RunOptions,
): Promise<Resumed & { runs: RunResult[] }> {
  const followed = first ? await followSeries({ ...first, seriesId, finishedBefore }, tools, options) : []
  const all = seriesId === undefined ? [...earlier, ...followed] : await tools.storage.runsOfSeries(seriesId)
  const runs = await loadRuns(all, tools, options)
  const begun = runs.filter(({ id }) => !stored.includes(id)).flatMap(({ results }) => results)
  const asked = counts.asked + begun.filter(({ outcome }) => outcome !== 'cancelled').length
  return { runs, ...counts, asked }
}
